import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AccountName, addresses, chainId } from './accounts.ts';

/** The command line of a node. */
export interface Cli {
  readonly home: string;
  /** Resolves with what it prints on standard output; rejects with what it prints on standard error. */
  run(words: readonly string[], input?: string): Promise<string>;
}

export function cliOf(binary: string, home: string, stop: AbortSignal): Cli {
  return {
    home,
    run: (words, input = '') =>
      new Promise((resolve, reject) => {
        const options = { signal: stop, timeout: 120_000, killSignal: 'SIGKILL', maxBuffer: 1e8 } as const;
        const child = execFile(binary, [...words, '--home', home], options, (error, stdout, stderr) => {
          const how = error?.signal ? `ended by ${error.signal}` : `exit code ${error?.code}`;
          if (error) reject(new Error(`simd ${words.join(' ')} (${how}): ${stderr.slice(0, 2000) || error.message}`));
          else resolve(stdout);
        });
        child.stdin?.end(`${input}\n`);
      }),
  };
}

/** A JSON file of a node, whatever it holds. */
export const jsonFile = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Exports the state of a height into a file of the home, and gives its path. The node does not run. */
export async function exportState({ run, home }: Cli, height: bigint): Promise<string> {
  const exported = await run(['export', '--height', String(height)]);
  const file = join(home, 'state.json');
  // Some versions log to the same stream.
  writeFileSync(file, exported.slice(exported.search(/^\{/m)));
  return file;
}

/** A message of a transaction, as JSON with `@type`. */
export type Message = Readonly<Record<string, unknown>>;

/** A transaction to broadcast: base64 bytes, and what it is for in words. */
export interface SignedTx {
  readonly bytes: string;
  readonly purpose: string;
}

/** Signs without asking the chain: it counts each account's transactions, so that many can be signed before any is sent. */
export class Signer {
  readonly #cli: Cli;
  readonly #sequences = new Map<AccountName, number>();

  constructor(cli: Cli) {
    this.#cli = cli;
  }

  async sign(name: AccountName, messages: readonly Message[], purpose: string): Promise<SignedTx> {
    const sequence = this.#sequences.get(name) ?? 0;
    this.#sequences.set(name, sequence + 1);
    const file = join(this.#cli.home, `${name}-${sequence}.json`);
    const options = { memo: '', timeout_height: '0', extension_options: [], non_critical_extension_options: [] };
    const fee = { amount: [], gas_limit: '100000000', payer: '', granter: '' };
    const tx = { body: { messages, ...options }, auth_info: { signer_infos: [], fee }, signatures: [] };
    writeFileSync(file, JSON.stringify(tx));
    const account = Object.keys(addresses).indexOf(name);
    const known = ['--offline', '--account-number', String(account), '--sequence', String(sequence)];
    const key = ['--from', name, '--keyring-backend', 'test', '--chain-id', chainId];
    await this.#cli.run(['tx', 'sign', file, ...key, ...known, '--output-document', `${file}.signed`]);
    return { bytes: (await this.#cli.run(['tx', 'encode', `${file}.signed`])).trim(), purpose };
  }
}
