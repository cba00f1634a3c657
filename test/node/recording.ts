import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { projectFolder } from '../support/folders.ts';
import type { AccountName } from './accounts.ts';
import type { Version } from './build.ts';
import type { Expectation, VoteChoice } from './scenario.ts';

/** The answer of a node to a GET. */
export interface Answer {
  /** Path and query, as sent. */
  readonly path: string;
  /** The height that the header asked for, or `latest` without one. */
  readonly at: string;
  readonly status: number;
  /** The height that the node says it answered at. */
  readonly height?: string | undefined;
  /** The node's clock (header `Date`). */
  readonly date: string;
  /** The JSON that came, or the text where it is none. */
  readonly body: unknown;
}

/** An end of a vote or of a deposit period, from the chain's own events. */
export interface Decision {
  readonly id: number;
  readonly height: number;
  /** `proposal_passed`, `proposal_rejected`, `proposal_failed`, `expedited_proposal_rejected`, `proposal_dropped`, `cancelled`. */
  readonly result: string;
  readonly deposits: 'returned' | 'burned' | 'partlyBurned' | 'kept';
}

/** A proposal of the script, as it was submitted. */
export interface RecordedProposal {
  readonly id: number;
  readonly key: string;
  readonly proposer: AccountName;
  readonly votes: Readonly<Partial<Record<AccountName, VoteChoice>>>;
  readonly expected?: Expectation | undefined;
}

/** The recording of a node: test/fixtures/nodes/VERSION.json.gz. */
export interface Recording {
  readonly sdk: Version;
  readonly chainId: string;
  /** The height of the state file, and of most answers. */
  readonly height: number;
  /** Block times of heights 1, 2, …; the last is that of `height` or after it. */
  readonly times: readonly string[];
  readonly accounts: Readonly<Record<AccountName, string>>;
  readonly proposals: readonly RecordedProposal[];
  readonly decisions: readonly Decision[];
  /** Proposal id → its votes at `height`, as the node's command line prints them. */
  readonly commandLineVotes: Readonly<Record<string, unknown>>;
  readonly answers: readonly Answer[];
}

const folder = join(projectFolder, 'test/fixtures/nodes');
const fileOf = (sdk: string) => join(folder, `${sdk}.json.gz`);

/** The state that the node exported at the height of the recording. */
export const stateFileOf = (sdk: string) => join(folder, `${sdk}.state.json.gz`);

export function readRecording(sdk: Version): Recording {
  return JSON.parse(gunzipSync(readFileSync(fileOf(sdk))).toString('utf8'));
}

/** Writes a recording and the state that belongs to it; gives their sizes in bytes. */
export function writeRecording(recording: Recording, state: string) {
  const write = (file: string, text: string) => {
    const bytes = gzipSync(text, { level: 9 });
    writeFileSync(file, bytes);
    return bytes.length;
  };
  const answers = recording.answers.map((answer) => JSON.stringify(answer)).join(',\n');
  const text = JSON.stringify({ ...recording, answers: [] }).replace(/\[\]\}$/, () => `[\n${answers}\n]}\n`);
  return { answers: write(fileOf(recording.sdk), text), state: write(stateFileOf(recording.sdk), state) };
}
