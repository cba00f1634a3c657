import { sampleCharter } from '../sampleCharter.ts';
import { cancelUpgrade, prose, text, upgrade } from '../sampleContents.ts';
import type { EndedDraft } from '../sampleTypes.ts';
import { passed } from './ended.ts';

/** Texts and upgrades that passed, in groups; within a group the oldest comes first. */
export const passedWords = (): EndedDraft[][] => [words(), upgrades()];

const words = () => [
  passed(text('Adopt the community charter', sampleCharter()), [812, 941, 32, 20, 7]),
  passed(
    text(
      'Name the first network "Lantern"',
      prose(
        '# Why a name',
        'Builders keep asking which network their wallet is on. A name is easier to say than `sample-1`.',
        'If this passes, the documentation, the faucet and the explorers are asked to show **Lantern** next to the chain id. The chain id does not change.',
      ),
    ),
    [655, 702, 120, 150, 28],
  ),
  passed(
    text(
      'Publish a quarterly treasury report',
      prose(
        'The community pool has grown and nobody can say in one place what it was spent on.',
        '## What is asked',
        '1. A report each quarter, in the [documentation](https://docs.example.org/treasury).\n2. Every spend with its proposal, its recipient and what was delivered.\n3. A signed PDF *and* the raw CSV.',
        '| Quarter | Due | Author |\n|---|---|---|\n| first | week 15 | treasury group |\n| second | week 28 | treasury group |\n| third | week 41 | treasury group |',
      ),
    ),
    [701, 884, 93, 21, 2],
  ),
  passed(
    text(
      'Signal: list relayer fees in public dashboards',
      prose(
        'Relayers pay for every packet that they carry.',
        'This signals that validators who run dashboards should show *what relaying costs*, per channel and per week.',
      ),
    ),
    [402, 613, 201, 176, 10],
  ),
  passed(
    text(
      'Retire the old faucet 🚰',
      prose(
        'The first faucet hands out `testcoin`, which no wallet shows any more. 🎉',
        'It is switched off two weeks after this passes; the new one is at https://faucet.example.com/.',
      ),
    ),
    [377, 967, 20, 11, 2],
  ),
  passed(
    text(
      'Recommended minimum gas price of 0.01 usample',
      'Validators are asked to set `minimum-gas-prices = "0.01usample"`.\\n\\nThis is a recommendation.\\n\\n- nothing changes in consensus\\n- wallets update their defaults in the next release',
    ),
    [540, 761, 88, 140, 11],
  ),
  passed(
    text(
      'ترحيب بالمجتمع العربي',
      prose(
        'يقترح هذا النص ترجمة الوثائق الأساسية إلى العربية ونشرها على docs.example.org.',
        'The translation is done by volunteers; no funds are asked for.',
      ),
    ),
    [468, 909, 71, 15, 5],
  ),
];

const upgrades = () => [
  passed(
    upgrade(
      'Upgrade to v2 "Lantern"',
      prose(
        '## Highlights',
        '- contracts\n- interchain accounts\n- faster queries',
        'Run the binary for your platform from the plan; the upgrade halts the chain at the height of the plan.',
      ),
      'v2-lantern',
      1_204_800,
    ),
    [770, 985, 10, 4, 1],
  ),
  passed(
    upgrade(
      'Upgrade to v3',
      prose(
        'This release updates the consensus engine and prunes old indexes.',
        '> Back up `data/` before you start: the migration cannot be undone.',
      ),
      'v3',
      2_410_000,
    ),
    [745, 969, 22, 8, 1],
  ),
  passed(
    cancelUpgrade(
      'Cancel upgrade v3.1.0',
      'A late test found that v3.1.0 forgets delegations of exactly one unit. The plan is withdrawn; v3.1.2 follows.',
    ),
    [620, 975, 18, 5, 2],
  ),
  passed(
    upgrade(
      'Security release v3.1.2',
      'Coordinated release. Details are published *after* the upgrade height.',
      'v3.1.2',
      3_002_500,
    ),
    [803, 991, 6, 2, 1],
  ),
];
