import { join } from 'node:path';
import { showControls } from '../chain/text.ts';
import { loadIbcTable } from '../code/ibcTable.ts';
import { hashOf, ibcDenomOf, readTrace, type Trace, traceText } from '../code/trace.ts';
import { type Given, UsageError } from './cliCommand.ts';
import { packageFolder } from './cliSources.ts';
import { printErrors, printJson, printLines } from './terminal.ts';

/** Says what an `ibc/` denom stands for, or which one stands for a trace; asks no chain. The exit code is 1 where it is not known. */
export async function nameDenom({ operands: [given = ''], values }: Given): Promise<number> {
  const table = await loadIbcTable(join(packageFolder, 'dist'));
  const text = given.trim();
  const digits = hashOf(text) ?? hashOf(`ibc/${text}`);
  const trace: Trace | undefined = digits === undefined ? readTrace(text) : table.find(digits);
  if (!trace && digits === undefined)
    throw new UsageError(
      `"${showControls(text).slice(0, 200)}" is neither ibc/ with 64 hexadecimal digits nor a path with a base denom.`,
    );
  if (!trace) {
    printErrors([
      `The chain registry has no path for ibc/${digits}. A node of the chain knows it: chain-inspector supply ibc/${digits} --endpoint URL`,
    ]);
    return 1;
  }
  const denom = ibcDenomOf(traceText(trace));
  const chains = table.standings(trace).map(({ on, origin }) => ({ chain: on.name, origin: origin.name }));
  if (values.json) printJson({ denom, ...trace, chains });
  else
    printLines([
      `Denom       ${denom}`,
      `Path        ${trace.path}`,
      `Base denom  ${trace.base}`,
      ...chains.map(({ chain, origin }) => `On ${chain}, from ${origin}`),
    ]);
  return 0;
}
