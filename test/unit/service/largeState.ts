import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/**
 * Writes a state of about `megabytes` MB to `file`: accounts and balances, as in a real export most of it, then supply,
 * proposals and validators. Returns the coins that it holds in all.
 */
export async function writeLargeState(file: string, megabytes: number): Promise<ReadonlyMap<string, bigint>> {
  const out = createWriteStream(file, { highWaterMark: 1 << 20 });
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
  };
  const half = (megabytes / 2) * 1e6;
  const sums = new Map<string, bigint>();
  const denoms = Array.from({ length: 2000 }, (_, index) =>
    index === 0 ? 'uatom' : `ibc/${(index * 7919).toString(16).toUpperCase().padStart(64, '0')}`,
  );
  await write(
    '{"genesis_time":"2024-01-01T00:00:00Z","chain_id":"large-1","initial_height":"100","app_state":{"auth":{"params":{},"accounts":[',
  );
  await writeItems(write, half, (index) => {
    const address = `cosmos1${String(index).padStart(38, 'q')}`;
    return `{"@type":"/cosmos.auth.v1beta1.BaseAccount","address":"${address}","pub_key":null,"account_number":"${index}","sequence":"1"}`;
  });
  await write(']},"bank":{"params":{"default_send_enabled":true},"balances":[');
  await writeItems(write, half, (index) => {
    const coins = [0, ...(index % 7 === 0 ? [1 + (index % (denoms.length - 1))] : [])].map((choice) => {
      const denom = denoms[choice] ?? '';
      const amount = (index * 7_368_787) % 10_000_000_000;
      sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount));
      return `{"denom":"${denom}","amount":"${amount}"}`;
    });
    return `{"address":"cosmos1${String(index).padStart(38, 'q')}","coins":[${coins}]}`;
  });
  const supply = [...sums].map(([denom, amount]) => ({ denom, amount: String(amount) }));
  await write(`],"supply":${JSON.stringify(supply)},"denom_metadata":[]},"gov":{"proposals":[`);
  await writeItems(write, 300_000, (index) =>
    JSON.stringify({
      proposal_id: String(index + 1),
      content: {
        '@type': '/cosmos.gov.v1beta1.TextProposal',
        title: `Title ${index}`,
        description: 'words '.repeat(200),
      },
      status: 'PROPOSAL_STATUS_PASSED',
    }),
  );
  await write(
    '],"deposits":[],"votes":[]},"staking":{"exported":true,"validators":[{"status":"BOND_STATUS_BONDED","tokens":"12"}]}}}',
  );
  out.end();
  await once(out, 'finish');
  return sums;
}

async function writeItems(
  write: (text: string) => Promise<void>,
  bytes: number,
  item: (index: number) => string,
): Promise<void> {
  let batch = '';
  let written = 0;
  for (let index = 0; written + batch.length < bytes; index++) {
    batch += `${index ? ',' : ''}${item(index)}`;
    if (batch.length < 1 << 18) continue;
    await write(batch);
    written += batch.length;
    batch = '';
  }
  await write(batch);
}
