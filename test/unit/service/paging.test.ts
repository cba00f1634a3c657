import assert from 'node:assert/strict';
import { type Served, serveText } from './serveText.ts';
import { denoms, smallState } from './smallState.ts';

interface List {
  readonly path: string;
  readonly rows: string;
  readonly name: string;
  readonly all: readonly string[];
}

const lists: readonly List[] = [
  { path: 'bank/v1beta1/supply', rows: 'supply', name: 'denom', all: denoms },
  {
    path: 'gov/v1beta1/proposals',
    rows: 'proposals',
    name: 'proposal_id',
    all: ['1', '2', '7', '992', '1000', '1018'],
  },
  { path: 'gov/v1/proposals', rows: 'proposals', name: 'id', all: ['1', '2', '7', '992', '1000', '1018'] },
  { path: 'gov/v1beta1/proposals?proposal_status=2', rows: 'proposals', name: 'proposal_id', all: ['1000', '1018'] },
];

describe('paging', () => {
  let served: Served;
  before(async () => {
    served = await serveText(smallState());
  });
  after(() => served.stop());

  async function page(list: List, query: Readonly<Record<string, string | undefined>>) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) parameters.set(`pagination.${name}`, value);
    const body = Object(await served.get(`${list.path}${list.path.includes('?') ? '&' : '?'}${parameters}`));
    const names: string[] = body[list.rows].map((row: Record<string, string>) => row[list.name]);
    const { next_key: nextKey, total }: { next_key: string | null; total: string } = body.pagination;
    return { names, nextKey, total };
  }

  for (const list of lists) {
    const count = list.all.length;
    for (const reverse of [false, true]) {
      const expected = reverse ? [...list.all].reverse() : list.all;
      const order: Record<string, string> = reverse ? { reverse: 'true' } : {};

      it(`${list.path}${reverse ? ', reverse' : ''}: pages by key and by offset are the list`, async () => {
        for (let limit = 1; limit <= count + 1; limit++) {
          let key: string | null | undefined;
          for (let offset = 0; offset < count; offset += limit) {
            const wanted = expected.slice(offset, offset + limit);
            const byOffset = await page(list, { ...order, offset: String(offset), limit: String(limit) });
            const byKey = await page(list, { ...order, ...(key ? { key } : {}), limit: String(limit) });
            assert.deepEqual(byOffset.names, wanted);
            assert.deepEqual(byKey, byOffset);
            assert.equal(byKey.nextKey === null, offset + limit >= count);
            assert.equal(byKey.total, '0');
            key = byKey.nextKey;
          }
        }
      });

      it(`${list.path}${reverse ? ', reverse' : ''}: the total is counted with count_total or without a limit, never with a key`, async () => {
        for (const query of [{}, { limit: '0' }, { limit: '' }, { limit: '1', count_total: 'true' }, { offset: '1' }])
          assert.equal((await page(list, { ...order, ...query })).total, String(count), JSON.stringify(query));
        const { nextKey } = await page(list, { ...order, limit: '1' });
        assert.ok(nextKey);
        assert.equal((await page(list, { ...order, key: nextKey, count_total: 'true' })).total, '0');
        assert.deepEqual((await page(list, { ...order, key: nextKey })).names, expected.slice(1));
      });

      it(`${list.path}${reverse ? ', reverse' : ''}: an offset at or beyond the end is an empty page`, async () => {
        for (const offset of [String(count), '1000', '18446744073709551615'])
          assert.deepEqual(await page(list, { ...order, offset, limit: '18446744073709551615', count_total: '1' }), {
            names: [],
            nextKey: null,
            total: String(count),
          });
      });
    }
  }

  it('starts anywhere: a key need not exist', async () => {
    const [supply, proposals] = lists;
    assert.ok(supply && proposals);
    const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
    assert.deepEqual((await page(supply, { key: base64('gamm/pool/100') })).names, denoms.slice(4));
    assert.deepEqual(
      (await page(supply, { key: base64('gamm/pool/100'), reverse: 'true' })).names,
      denoms.slice(0, 4).reverse(),
    );
    assert.deepEqual(await page(supply, { key: base64('\xff') }), { names: [], nextKey: null, total: '0' });
    assert.deepEqual((await page(supply, { key: base64('A'), reverse: 'true' })).names, []);
    assert.deepEqual((await page(proposals, { key: 'AAAAAAAAAAg=' })).names, ['992', '1000', '1018']);
    assert.deepEqual((await page(proposals, { key: 'AAAAAAAAAAg=', reverse: '1' })).names, ['7', '2', '1']);
    // A shorter key stands before every id that begins with it.
    assert.deepEqual((await page(proposals, { key: 'AAAA' })).names, proposals.all);
  });

  it('takes keys in both alphabets of base64', async () => {
    const [, proposals] = lists;
    assert.ok(proposals);
    for (const key of ['AAAAAAAAA+A=', 'AAAAAAAAA-A='])
      assert.deepEqual((await page(proposals, { key })).names, ['992', '1000', '1018']);
    for (const key of ['AAAAAAAAA/o=', 'AAAAAAAAA_o='])
      assert.deepEqual((await page(proposals, { key })).names, ['1018']);
  });

  it('takes the first of a repeated parameter, camelCase names, and ignores unknown ones', async () => {
    const { supply, pagination } = Object(
      await served.get('bank/v1beta1/supply?pagination.limit=1&pagination.limit=3&foo=bar&pagination.countTotal=true'),
    );
    assert.equal(supply.length, 1);
    assert.equal(pagination.total, String(denoms.length));
  });

  it('has 100 rows by default', async () => {
    const supply = Array.from({ length: 250 }, (_, index) => ({
      denom: `coin${String(index).padStart(3, '0')}`,
      amount: '1',
    }));
    const many = await serveText({ app_state: { bank: { supply } } });
    const first = Object(await many.get('bank/v1beta1/supply'));
    assert.deepEqual(first.supply, supply.slice(0, 100));
    assert.deepEqual(first.pagination, { next_key: Buffer.from('coin100').toString('base64'), total: '250' });
    const last = Object(await many.get('bank/v1beta1/supply?pagination.limit=&pagination.offset=200'));
    assert.deepEqual(last.supply, supply.slice(200));
    await many.stop();
  });

  it('refuses what it cannot read: 400, code 3, naming the parameter', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['pagination.limit=-1', /pagination\.limit.*invalid syntax/],
      ['pagination.limit=0x10', /pagination\.limit.*invalid syntax/],
      ['pagination.limit=1_000', /pagination\.limit.*invalid syntax/],
      ['pagination.limit=18446744073709551616', /pagination\.limit.*value out of range/],
      ['pagination.offset=abc', /pagination\.offset.*invalid syntax/],
      ['pagination.offset=1.5', /pagination\.offset.*invalid syntax/],
      ['pagination.count_total=yes', /pagination\.count_total.*invalid syntax/],
      ['pagination.reverse=2', /pagination\.reverse.*invalid syntax/],
      ['pagination.key=AAA', /pagination\.key.*illegal base64 data/],
      [`pagination.key=${'A'.repeat(4100)}`, /pagination\.key.*longer than 4096 characters/],
      ['pagination.key=AAAAAAAAA+A=', /pagination\.key.*illegal base64 data at input byte 9/],
      ['pagination.key=%25%25%25%25', /pagination\.key.*illegal base64 data at input byte 0/],
      ['pagination.key=dWF0b20%3D&pagination.offset=1', /either offset or key is expected, got both/],
    ];
    for (const list of lists)
      for (const [query, message] of cases) {
        const { status, body } = await served.ask(`${list.path}${list.path.includes('?') ? '&' : '?'}${query}`);
        assert.equal(status, 400, query);
        assert.equal(Object(body).code, 3);
        assert.match(Object(body).message, message);
      }
  });

  it('takes a key with offset 0, and empty values as absent ones', async () => {
    const query = 'pagination.key=dWF0b20%3D&pagination.offset=0&pagination.count_total=&pagination.reverse=';
    assert.equal(Object(await served.get(`bank/v1beta1/supply?${query}`)).supply[0].denom, 'uatom');
    assert.equal(
      Object(await served.get('bank/v1beta1/supply?pagination.key=&pagination.offset=1')).supply[0].denom,
      denoms[1],
    );
  });
});
