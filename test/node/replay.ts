import { startReplies } from '../support/servers.ts';
import type { Answer, Recording } from './recording.ts';

/** Where every list of the recorded chains is shorter than this, a limit of it stands for all larger ones. */
const wholeList = 200;
/** How far behind the recording's height the heights lie that are asked for as those of the future. */
export const farAhead = 1_000_000;
const statuses = ['UNSPECIFIED', 'DEPOSIT_PERIOD', 'VOTING_PERIOD', 'PASSED', 'REJECTED', 'FAILED'];

/**
 * One text for all questions that nodes take for the same: parameters in order, defaults left out, limits
 * beyond the end of the list as one. Recording asks the node whether it does so (`Recorder.same`).
 */
export function canonicalPath(pathAndQuery: string): string {
  const at = pathAndQuery.indexOf('?');
  const path = at < 0 ? pathAndQuery : pathAndQuery.slice(0, at);
  const query = new URLSearchParams(at < 0 ? '' : pathAndQuery.slice(at + 1));
  for (const [name, value] of [...query]) {
    const least = path.includes('/gov/') ? 60 : wholeList;
    if (name === 'pagination.limit' && /^\d+$/.test(value) && Number(value) >= least)
      query.set(name, String(wholeList));
    const isDefault = /^pagination\.(count_total|reverse)=false$|^pagination\.offset=0$|^proposal_status=0$/;
    if (isDefault.test(`${name}=${query.get(name)}`)) query.delete(name);
  }
  query.sort();
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The same question with the number of a status in place of its name. */
export function withNumber(path: string): string {
  return path.replace(/proposal_status=PROPOSAL_STATUS_(\w+)/, (parameter, name) => {
    const number = statuses.indexOf(name);
    return number < 0 ? parameter : `proposal_status=${number}`;
  });
}

export interface ReplayOptions {
  /** The last height of the chain: that of the recording, or that of the block before a vote ended. */
  readonly latest?: number;
  /** Seconds by which the clock is behind the time of the last block. */
  readonly behind?: number;
  /** Paths that the node does not offer (status 501). */
  readonly without?: RegExp;
}

const blocks = '/cosmos/base/tendermint/v1beta1/blocks/';

/**
 * Serves the answers of a recording on this machine, as the node gave them or would have given them at another height.
 * `missing` are the questions that were not recorded; they get status 599. Blocks between those that were recorded are
 * made of one of them, with their own height and time. The clock (header `Date`) is the time of the last block.
 */
export async function startReplay(
  recording: Recording,
  { latest = recording.height, behind = 0, without }: ReplayOptions = {},
) {
  const answers = new Map<string, Answer>();
  const keyOf = (path: string, height: number | string) => `${height} ${canonicalPath(path)}`;
  for (const answer of recording.answers) answers.set(keyOf(answer.path, answer.at), answer);
  const missing: string[] = [];
  const date = new Date(Date.parse(recording.times[latest - 1] ?? '') - behind * 1000).toUTCString();

  function find(path: string, asked: string | undefined): Answer | undefined {
    const notOffered = answers.get(keyOf('/chain/bank/v1beta1/supply', recording.height));
    if (!path.startsWith('/cosmos/') || without?.test(path)) return notOffered;
    const [list, name] = /^(.*\/proposals)\?.*proposal_status=(PROPOSAL_STATUS_\w+)/.exec(path)?.slice(1) ?? [];
    if (name !== undefined) {
      const named = answers.get(keyOf(`${list}?proposal_status=${name}&pagination.limit=200`, recording.height));
      return named?.status === 200 && withNumber(path) !== path ? find(withNumber(path), asked) : named;
    }
    // A node's own limit is 100 (types/query/pagination.go of the SDK).
    const plain = path.replace(/\?pagination\.limit=100$/, '');
    const own = answers.get(keyOf(path, asked ?? latest)) ?? answers.get(keyOf(plain, asked ?? latest));
    if (own) return own;
    if (path.startsWith(blocks)) return findBlock(path.slice(blocks.length));
    // Does not depend on the height: what a node is, and what it does not have.
    const usual = answers.get(keyOf(path, recording.height));
    return usual?.status === 501 || /^\/cosmos\/(base|params)\/|^\/cosmos\/\w+\/v1beta1\/params$/.test(path)
      ? usual
      : undefined;
  }

  function findBlock(which: string): Answer | undefined {
    const blockAnswer = (height: number | string) => answers.get(keyOf(`${blocks}${height}`, 'latest'));
    const height = which === 'latest' ? latest : Number(which);
    if (height > latest) return blockAnswer(recording.height + farAhead);
    const template = blockAnswer(1);
    const time = recording.times[height - 1];
    const made = template && time ? { ...template, body: blockAt(template.body, height, time) } : undefined;
    return blockAnswer(height) ?? made ?? blockAnswer(which);
  }

  const server = await startReplies((url, headers) => {
    const path = `${url.pathname}${url.search}`;
    const asked = headers['x-cosmos-block-height'];
    const answer = find(path, typeof asked === 'string' && asked !== String(latest) ? asked : undefined);
    if (!answer) {
      missing.push(path);
      return { status: 599, body: JSON.stringify({ code: 2, message: `not recorded: ${path}`, details: [] }) };
    }
    const { status, height, body } = answer;
    const echo: Record<string, string> = height === undefined ? {} : { 'grpc-metadata-x-cosmos-block-height': height };
    return { status, headers: { date, ...echo }, body: typeof body === 'string' ? body : JSON.stringify(body) };
  });
  return { ...server, missing };
}

/** The reply of one block, changed into that of another one. */
function blockAt(body: unknown, height: number, time: string): unknown {
  return JSON.parse(JSON.stringify(body), (name, value) => {
    if (name === 'header') return { ...value, height: String(height), time };
    return value;
  });
}
