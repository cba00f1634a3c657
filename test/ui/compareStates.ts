import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Differing {
  readonly supply: Readonly<Record<string, string>>;
  /** Id, status and title. */
  readonly proposals: readonly (readonly [number, string, string])[];
  readonly quorum: string;
}

/** A small exported state in a folder; gives its path and the address of an endpoint for it. */
export function writeState(folder: string, name: string, state: Differing): { path: string; url: string } {
  const path = join(folder, name);
  const proposals = state.proposals.map(([id, status, title]) => ({
    proposal_id: `${id}`,
    content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title, description: `What ${id} is about` },
    status: `PROPOSAL_STATUS_${status}`,
    final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
    submit_time: '2026-01-01T00:00:00Z',
    deposit_end_time: '2026-01-15T00:00:00Z',
    total_deposit: [{ denom: 'uoak', amount: '10000000' }],
    voting_start_time: '2026-01-02T00:00:00Z',
    voting_end_time: '2026-01-16T00:00:00Z',
  }));
  const app_state = {
    bank: {
      supply: Object.entries(state.supply).map(([denom, amount]) => ({ denom, amount })),
      balances: [],
      denom_metadata: [],
    },
    gov: {
      proposals,
      deposit_params: { min_deposit: [{ denom: 'uoak', amount: '10000000' }], max_deposit_period: '1209600s' },
      voting_params: { voting_period: '1209600s' },
      tally_params: { quorum: state.quorum, threshold: '0.5', veto_threshold: '0.334' },
    },
  };
  writeFileSync(path, JSON.stringify({ chain_id: 'forest-1', genesis_time: '2026-01-10T00:00:00Z', app_state }));
  return { path, url: pathToFileURL(path).href };
}
