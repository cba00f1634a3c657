import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import { activateExtension, showSource } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

describe('the proposal panel', () => {
  let api: ExtensionApi;
  before(async () => {
    api = await activateExtension();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await showSource(api, undefined);
    await setEndpoints(undefined);
  });

  const setEndpoints = (endpoints: readonly unknown[] | undefined) =>
    vscode.workspace
      .getConfiguration('chainInspector')
      .update('endpoints', endpoints, vscode.ConfigurationTarget.Global);

  it('asks by itself when the time of a vote runs out, and tells how it ended', async () => {
    let end: number | undefined;
    const service = await startReplies(({ pathname }) => {
      if (!/^\/cosmos\/gov\/v1beta1\/proposals(\/7)?$/.test(pathname))
        return { status: 501, body: '{"code":12,"message":""}' };
      end ??= Date.now() + 3_000;
      const isOver = Date.now() >= end;
      const proposal = {
        proposal_id: '7',
        content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'Soon over', description: 'D' },
        status: isOver ? 'PROPOSAL_STATUS_PASSED' : 'PROPOSAL_STATUS_VOTING_PERIOD',
        final_tally_result: { yes: isOver ? '6' : '0', abstain: '0', no: '0', no_with_veto: '0' },
        voting_end_time: new Date(end).toISOString(),
      };
      const list = { proposals: [proposal], pagination: { next_key: null } };
      return { body: JSON.stringify(pathname.endsWith('/7') ? { proposal } : list) };
    });
    await setEndpoints([{ url: service.url, segment: 'cosmos' }]);
    const { proposals, source } = await showSource(api, service.url);
    const status = () => {
      const row = proposals.known(7n);
      return row?.kind === 'proposal' ? row.status : undefined;
    };
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const seen = new Set<string | undefined>();
    const stopListening = proposals.onDidChange(() => {
      seen.add(status());
      if (status() === 'passed') resolve();
    });
    const { panel } = await api.panels.show({ sourceId: source.id, id: 7n });
    await ended;
    stopListening.dispose();
    assert.ok(seen.has('voting'), [...seen].join());
    const asked = service.requests.filter((path) => path.endsWith('/proposals/7'));
    assert.ok(asked.length >= 2 && asked.length <= 4, `${asked.length} requests`);
    assert.match(panel.title, /^#7 Soon over/);
    await service.stop();
  });
});
