import { join } from 'node:path';
import type { DenomTrace } from '../../chain/coin.ts';
import { showControls } from '../../chain/text.ts';
import { loadIbcTable } from '../../code/ibcTable.ts';
import { ibcDenomOf, ibcHashOf, readTrace, traceText } from '../../code/trace.ts';
import { type Given, UsageError } from '../cliCommand.ts';
import { packageFolder } from '../ownPackage.ts';
import { printErrors, printJson, printLines } from '../terminal.ts';

/**
 * Prints the meaning of an `ibc/` denom, or the denom of a trace. Asks no chain. The exit code is 1 if it is not known.
 */
export async function nameDenom({ operands: [given = ''], values }: Given): Promise<number> {
  const table = await loadIbcTable(join(packageFolder, 'dist'));
  const text = given.trim();
  const digits = ibcHashOf(text) ?? ibcHashOf(`ibc/${text}`);
  const trace: DenomTrace | undefined = digits === undefined ? readTrace(text) : await table.find(digits);
  if (!trace && digits === undefined)
    throw new UsageError(
      `"${showControls(text).slice(0, 200)}" is neither ibc/ followed by 64 hexadecimal digits nor a path with a base denom.`,
    );
  if (!trace) {
    printErrors([
      `The chain registry has no path for ibc/${digits}. To query a node on the chain, run: chain-inspector supply ibc/${digits} --endpoint URL`,
    ]);
    return 1;
  }
  const denom = ibcDenomOf(traceText(trace));
  const chains = table.chainsOf(trace).map(({ on, origin }) => ({ chain: on.name, origin: origin.name }));
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
