import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { program, runHere } from '../cli/runHere.ts';

const draft = JSON.stringify({ messages: [], metadata: 'ipfs://CID', deposit: '1usample', title: 'T', summary: 'S' });

describe('what check_draft answers of a file', () => {
  const folder = startFolder('drafts');
  const [own, other] = [join(folder.path, 'own'), join(folder.path, 'other')];
  let client: Client;

  before(async () => {
    for (const path of [own, other, join(own, 'deep')]) mkdirSync(path, { recursive: true });
    writeFileSync(join(own, 'deep/draft_proposal.json'), draft);
    writeFileSync(join(own, 'deep/draft_metadata.json'), JSON.stringify({ title: 'Another', summary: 'S' }));
    writeFileSync(join(other, 'secret.json'), draft);
    symlinkSync(join(other, 'secret.json'), join(own, 'link.json'));
    client = new Client({ name: 'test', version: '1' });
    const args = [program, 'mcp', '--folder', own];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  });
  after(async () => {
    await client.close();
    folder.dispose();
  });

  const ask = async (input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name: 'check_draft', arguments: input });
    const [part] = content;
    return part?.type === 'text' ? part.text : '';
  };

  it('has its title and summary, cut with an ellipsis, which a text that was passed need not repeat', async () => {
    const summary = `Sets it to 7 days.\u202e${'x'.repeat(2000)}`;
    writeFileSync(join(own, 'long.json'), JSON.stringify({ ...JSON.parse(draft), summary }));
    const found = JSON.parse(await ask({ file: 'long.json' }));
    assert.equal(found.untrusted_title, 'T');
    assert.match(found.untrusted_summary, /^Sets it to 7 days\..*x…$/);
    assert.ok(found.untrusted_summary.length <= 1001 && !found.untrusted_summary.includes('\u202e'));
    const passed = JSON.parse(await ask({ text: draft }));
    assert.deepEqual([passed.untrusted_title, passed.untrusted_summary], [undefined, undefined]);
    const legacy = { title: 'L', description: 'D', changes: [], deposit: '1usample' };
    writeFileSync(join(own, 'legacy.json'), JSON.stringify(legacy));
    const { untrusted_title, untrusted_summary } = JSON.parse(await ask({ file: 'legacy.json' }));
    assert.deepEqual([untrusted_title, untrusted_summary], ['L', 'D']);
  });

  it('has what a draft of either form would set, with the value now, and the plan of an upgrade', async () => {
    const contentsOf = async (given: object) => JSON.parse(await ask({ text: JSON.stringify(given) })).contents;
    const about = { title: 'T', description: 'D', deposit: '1usample' };
    const change = { subspace: 'staking', key: 'MaxValidators', value: 120 };
    const [legacy] = await contentsOf({ ...about, changes: [change] });
    const params = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state.staking.params;
    const row = {
      untrusted_name: 'staking/MaxValidators',
      untrusted_now: `${params.max_validators}`,
      untrusted_proposed: '120',
    };
    assert.deepEqual([legacy.kind, legacy.changes], ['parameter_change', [row]]);
    const authority = 'sample10d07y265gmmuvt4z0w9aw880jnsr700j29t3gj';
    const [update, upgrade] = await contentsOf({
      ...{ deposit: '1usample', title: 'T', summary: 'S', metadata: '' },
      messages: [
        { '@type': '/cosmos.staking.v1beta1.MsgUpdateParams', authority, params: { ...params, max_validators: 120 } },
        {
          '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
          authority,
          plan: { name: 'v9', height: '9000000', info: '' },
        },
      ],
    });
    assert.deepEqual(update.changes, [{ ...row, untrusted_name: 'max_validators' }]);
    assert.equal(update.unchanged, undefined);
    assert.deepEqual([upgrade.untrusted_name, upgrade.upgrade_height], ['v9', '9000000']);
  });

  it('is what it answers of its text, and what the metadata beside it say', async () => {
    const [ofFile, ofText] = [
      JSON.parse(await ask({ file: 'deep/draft_proposal.json' })),
      JSON.parse(await ask({ text: draft })),
    ];
    const codes = (answer: { findings: { code: string }[] }) => answer.findings.map(({ code }) => code);
    for (const code of codes(ofText)) assert.ok(codes(ofFile).includes(code), code);
    assert.ok(codes(ofFile).length > codes(ofText).length, `${codes(ofFile)}`);
    assert.deepEqual(JSON.parse(await ask({ file: join(own, 'deep/draft_proposal.json') })).findings, ofFile.findings);
    assert.ok(Array.isArray(ofText.not_checked) && ofText.time && ofText.height);
  });

  it('is a refusal outside of the folders, whatever leads there', async () => {
    for (const file of [join(other, 'secret.json'), '../other/secret.json', 'link.json', '/etc/hostname'])
      assert.match(await ask({ file }), /is outside the folders that can be read/, file);
    assert.match(await ask({ file: 'deep' }), /is not a file/);
    assert.match(await ask({ file: 'none.json' }), /There is no file none\.json/);
  });

  it('is an error where both are given, or none, or no folder is there', async () => {
    assert.match(await ask({ file: 'a.json', text: draft }), /, not both/);
    assert.match(await ask({}), /needs either "text"/);
    for (const path of ['', join(folder.path, 'none')])
      assert.equal((await runHere(['mcp', '--folder', path])).code, 64);
  });

  it('is an error that says what the text lacks to be each form of a draft', async () => {
    const answer = await ask({ text: JSON.stringify({ title: 'T', description: 'D', deposit: '1usample' }) });
    assert.match(answer, /is not a proposal draft\. Missing fields\. For a proposal with messages: "messages"\. /);
    assert.match(answer, /For a legacy text proposal: "type": "Text"\. For a legacy parameter change: "changes"\. /);
    assert.match(await ask({ text: '{"a": 1}' }), /A draft is a JSON object with "messages" and "deposit"/);
  });

  it('says what was not checked', async () => {
    const message = { '@type': '/some.module.v1.MsgUnknown', authority: 'x' };
    const text = JSON.stringify({ messages: [message], deposit: '1usample', title: 'T', summary: 'S', metadata: '' });
    assert.match(JSON.parse(await ask({ text })).not_checked.join(' '), /1 message not checked/);
  });
});
