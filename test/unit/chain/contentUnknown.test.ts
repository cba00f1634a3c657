import assert from 'node:assert/strict';
import { readContent } from '../../../src/chain/content/content.ts';
import { overReading } from '../growth.ts';
import { any, concat, field, varint } from './contentEncoder.ts';

const fixed = (number: number, wire: number, ...bytes: number[]) =>
  concat(varint(number * 8 + wire), Uint8Array.from(bytes));

describe('content of unknown types', () => {
  it('has title, description and then every field by number and reading', () => {
    const content = readContent(
      any(
        '/acme.v1.StrangeProposal',
        field(1, 'T'),
        field(2, 'D'),
        field(3, 18446744073709551615n),
        field(4, 'uatom'),
        field(5, field(1, 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a'), field(2, field(1, 9), field(2, 8))),
        field(6, Uint8Array.of(0xff, 0xfe, 0x01)),
        fixed(7, 5, 1, 0, 0, 0),
        fixed(8, 1, 2, 0, 0, 0, 0, 0, 0, 0),
        field(4, 'uosmo'),
        fixed(9, 3, 8, 1, 0x4c),
        field(10, ''),
      ),
    );
    assert.deepEqual([content.title, content.description], ['T', 'D']);
    assert.deepEqual(content.fields, {
      title: 'T',
      description: 'D',
      '#3 varint': '18446744073709551615',
      '#4 text': ['uatom', 'uosmo'],
      '#5 message': {
        '#1 text': 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a',
        '#2 message': { '#1 varint': '9', '#2 varint': '8' },
      },
      '#6 bytes': '//4B',
      '#7 fixed32': 1,
      '#8 fixed64': '2',
      '#9 group': { '#1 varint': '1' },
      '#10 text': '',
    });
    assert.equal(content.unknownFields, 14);
    assert.equal(content.fault, undefined);
  });

  it('keeps fields that a known type does not have, and those of another wire type', () => {
    const content = readContent(
      any('/cosmos.gov.v1beta1.TextProposal', field(1, 'T'), field(2, 7), field(9, 'more'), field(1, 'last')),
    );
    assert.deepEqual(content.fields, {
      title: 'last',
      description: '',
      '#2 varint': '7',
      '#9 text': 'more',
      '#1 earlier': 'T',
    });
  });

  it('keeps the bytes of a text that is no UTF-8', () => {
    const content = readContent(any('/a.TextProposal', field(1, Uint8Array.of(0x41, 0xff)), field(2, '\ufffd')));
    assert.equal(content.title, 'A\ufffd');
    assert.equal(content.fields['#1 bytes'], 'Qf8=');
    assert.equal('#2 bytes' in content.fields, false);
  });
});

describe('a field that no table names', () => {
  const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes);
  const read = (payload: Uint8Array | string) => readContent(any('/a.MsgB', field(3, payload))).fields;

  it('is text with blanks, tabs and line ends, and with no other control', () => {
    for (const text of ['a b', 'a\tb\r\nc', '~é']) assert.deepEqual(read(text), { '#3 text': text });
    for (const text of ['a\x1f', 'a\x7f', '\0a'])
      assert.deepEqual(read(text), { '#3 bytes': Buffer.from(text).toString('base64') });
  });

  it('is a message where its text starts with a line feed and reads as one', () => {
    assert.deepEqual(read(`\n ${'x'.repeat(32)}`), { '#3 message': { '#1 text': 'x'.repeat(32) } });
    assert.deepEqual(read(`"\t${'x'.repeat(9)}`), { '#3 text': `"\t${'x'.repeat(9)}` });
  });

  it('is a message where it is written as encoders write it', () => {
    for (const [message, fields] of [
      [concat(field(1, 127), field(1, 128)), { '#1 varint': ['127', '128'] }],
      [concat(field(1, 16_384), field(16, 'x')), { '#1 varint': '16384', '#16 text': 'x' }],
      [field(1, 'x'.repeat(128)), { '#1 text': 'x'.repeat(128) }],
    ] as const)
      assert.deepEqual(read(message), { '#3 message': fields });
  });

  it('is bytes where a message would be written otherwise', () => {
    const longer = bytesOf(0x08, 0x81, 0x00);
    const group = bytesOf(0x0b, 0x0c);
    for (const bytes of [longer, group, concat(field(2, 1), field(1, 1)), bytesOf(0x08)])
      assert.deepEqual(read(bytes), { '#3 bytes': Buffer.from(bytes).toString('base64') });
  });
});

describe('a nested value that is not of its type', () => {
  const planWith = (time: Uint8Array) =>
    readContent(any('/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', field(2, field(1, 'v2'), field(2, time)))).fields
      .plan;
  const carrying = (...content: Uint8Array[]) =>
    readContent(any('/cosmos.gov.v1.MsgExecLegacyContent', field(1, ...content), field(2, 'gov'))).fields;

  it('is read by number if it is a time with other fields, or one that breaks off', () => {
    const plan = { name: 'v2', height: '0', info: '' };
    assert.deepEqual(planWith(concat(field(1, 5), field(3, 1))), {
      ...plan,
      '#2 message': { '#1 varint': '5', '#3 varint': '1' },
    });
    assert.deepEqual(planWith(concat(field(1, 'abc'))), { ...plan, '#2 message': { '#1 text': 'abc' } });
    assert.deepEqual(planWith(Uint8Array.of(0x08, 0x05, 0x10)), { ...plan, '#2 bytes': 'CAUQ' });
  });

  it('is read by number if it is an Any with other fields or in another order', () => {
    const [url, value] = [field(1, '/a.B'), field(2, 'x')];
    const outer = { content: null, authority: 'gov' };
    assert.deepEqual(carrying(url, value, field(3, 'y')), {
      ...outer,
      '#1 message': { '#1 text': '/a.B', '#2 text': 'x', '#3 text': 'y' },
    });
    assert.deepEqual(carrying(field(1, 7), value), { ...outer, '#1 message': { '#1 varint': '7', '#2 text': 'x' } });
    assert.deepEqual(carrying(url, field(3, 'y')), { ...outer, '#1 message': { '#1 text': '/a.B', '#3 text': 'y' } });
    assert.deepEqual(carrying(), { ...outer, '#1 text': '' });
  });

  it('keeps its bytes if an Any of an unknown type does not read to its end', () => {
    const broken = readContent(
      any('/kava.committee.v1beta1.CommitteeChangeProposal', field(3, field(1, '/a.B'), field(2, 'x'))),
    );
    assert.deepEqual(broken.fields.new_committee, { '@type': '/a.B', value: 'eA==' });
    assert.equal(broken.fault, undefined);
  });
});

describe('broken content', () => {
  const typeUrl = '/cosmos.params.v1beta1.ParameterChangeProposal';
  const whole = concat(
    field(1, 'Title'),
    field(2, 'A longer description'),
    field(3, field(1, 'staking'), field(2, 'MaxValidators'), field(3, '200')),
  );
  const read = (bytes: Uint8Array) => readContent(any(typeUrl, bytes));

  it('shows the readable part, then where it broke, wherever it is cut', () => {
    const starts = [0, 7, 29];
    for (let length = 0; length < whole.length; length++) {
      const content = read(whole.subarray(0, length));
      if (starts.includes(length)) assert.equal(content.fault, undefined);
      else assert.deepEqual(content.fault?.reason, 'truncated');
      if (length > 8) assert.equal(content.title, 'Title');
      if (length === 20) assert.equal(content.description, 'A longer de');
    }
    const cut = read(whole.subarray(0, 40));
    assert.equal(cut.fault?.offset, 29);
    assert.deepEqual(cut.fields.changes, [{ subspace: 'staking', key: '', value: '' }]);
  });

  it('says why, and keeps the rest', () => {
    const cases = [
      [Uint8Array.of(0x0f), 'malformed'],
      [Uint8Array.of(0x00, 0x01), 'malformed'],
      [Uint8Array.of(0x0c), 'malformed'],
      [Uint8Array.of(0x10, ...new Array(11).fill(0xff)), 'malformed'],
      [Uint8Array.of(0x0b, 0x08, 0x01), 'truncated'],
    ] as const;
    for (const [bytes, reason] of cases) {
      const content = read(concat(whole, bytes));
      assert.deepEqual(content.fault, { offset: whole.length, reason });
      assert.equal(content.title, 'Title');
      assert.equal(content.fields['#rest'], Buffer.from(bytes).toString('base64'));
    }
  });

  it('names the spot where base64 ends', () => {
    const value = Buffer.from(whole).toString('base64');
    const content = readContent({ type_url: typeUrl, value: `${value.slice(0, 12)}!${value.slice(12)}` });
    assert.deepEqual(content.fault, { offset: 9, reason: 'base64' });
    assert.equal(content.title, 'Title');
    assert.equal(content.fields['#base64'], `!${value.slice(12)}`);
  });
});

describe('hostile content', () => {
  const inTime = (raw: { type_url: string; value: string }) => {
    const times = overReading(() => readContent(raw));
    assert.ok(times < 5, `took ${times.toFixed(1)} times as long as to look at a mebibyte`);
    return readContent(raw);
  };
  const mebi = 1 << 20;

  it('reads 1 MiB of text, byte code, tiny fields and noise in a few times what it takes to look at each byte', () => {
    const text = inTime(any('/cosmos.gov.v1beta1.TextProposal', field(1, 'T'), field(2, 'x'.repeat(mebi))));
    assert.equal(text.description?.length, mebi);
    const code = inTime(any('/cosmwasm.wasm.v1.StoreCodeProposal', field(4, new Uint8Array(mebi).fill(0xfe))));
    assert.equal(String(code.fields.wasm_byte_code).length, Math.ceil(mebi / 3) * 4);
    const tiny = inTime(
      any(
        '/a.B',
        new Uint8Array(mebi).map((_, at) => (at % 2 ? 1 : 0x18)),
      ),
    );
    assert.equal(tiny.unknownFields, 20_000);
    assert.deepEqual(tiny.fault, { offset: 40_000, reason: 'tooMany' });
    assert.equal(Buffer.from(String(tiny.fields['#rest']), 'base64').length, mebi - 40_000);
    const packed = inTime(any('/cosmwasm.wasm.v1.PinCodesProposal', field(3, new Uint8Array(mebi).fill(1))));
    assert.deepEqual(packed.fields.code_ids, []);
    assert.equal(Buffer.from(String(packed.fields['#3 bytes']), 'base64').length, mebi);
    const json = `[${'1,'.repeat(mebi / 2)}1]`;
    const sudo = inTime(any('/cosmwasm.wasm.v1.SudoContractProposal', field(4, json)));
    assert.equal(sudo.fields.msg, json);
    inTime(any('/cosmwasm.wasm.v1.SudoContractProposal', field(4, `[${'1,'.repeat(30_000)}1]`)));
    inTime(
      any(
        '/a.B',
        new Uint8Array(mebi).map((_, at) => (at * 2654435761) >>> 13),
      ),
    );
    inTime(any('/a.B', field(3, new Uint8Array(mebi).fill(0xff))));
  });

  it('bounds how deep it follows nested messages, groups and Anys', () => {
    let bomb: Uint8Array = field(1, 1);
    for (let level = 0; level < 2000; level++) bomb = field(1, bomb);
    assert.equal(depthOf(inTime(any('/a.MsgB', bomb)).fields), 17, '16 messages inside of the first');
    const groups = inTime(any('/a.MsgB', new Uint8Array(mebi).fill(0x0b)));
    assert.equal(groups.fault?.reason, 'malformed');
    let anys = field(1, 'x');
    for (let level = 0; level < 200; level++) {
      anys = concat(field(1, field(1, '/cosmos.gov.v1.MsgExecLegacyContent'), field(2, anys)));
    }
    assert.ok(depthOf(inTime(any('/cosmos.gov.v1.MsgExecLegacyContent', anys)).fields) < 40);
  });

  it('does not believe a length', () => {
    const huge = concat(varint(3 * 8 + 2), varint(2n ** 63n - 1n), Uint8Array.of(65, 66));
    const content = inTime(any('/a.TextProposal', field(1, 'T'), huge));
    assert.deepEqual(content.fault, { offset: 3, reason: 'truncated' });
    assert.equal(content.fields['#3 text'], 'AB');
  });

  it('is not led astray by names', () => {
    for (const type of ['/__proto__.x', '/constructor.prototype', '/cosmos.gov.v1beta1.constructor', '/', '.', '']) {
      const content = readContent(any(type, field(1, 'T')));
      assert.equal(content.typeUrl, type);
    }
    const raw: unknown = JSON.parse('{"@type":"/a.TextProposal","__proto__":{"title":"x"},"title":"T"}');
    assert.deepEqual(readContent(raw).title, 'T');
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
