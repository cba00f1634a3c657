import assert from 'node:assert/strict';
import { checkReply } from '../../../src/api/decode/readReply.ts';
import { isReplyError, type ReplyError } from '../../../src/api/errors.ts';

function refusal(text: string): ReplyError {
  try {
    checkReply('supply', text, 'http://node/supply');
  } catch (error) {
    assert.ok(isReplyError(error));
    return error;
  }
  assert.fail('accepted');
}

describe('the values of a reply', () => {
  const most = 6_000_000;
  const tooMany = { code: 'tooLarge', reason: `expected at most 6000000 values, got ${most + 1}` };

  it('are counted by commas and brackets before it is parsed', () => {
    // A text of at most as many characters is not counted.
    assert.equal(refusal(`${','.repeat(most - 1)}  `).code, 'json');
    for (const text of [`${','.repeat(most)} `, `${'[{'.repeat(most / 2)} `]) {
      const { code, reason } = refusal(text);
      assert.deepEqual({ code, reason }, tooMany);
    }
  });

  it('are counted outside texts only', () => {
    const many = ','.repeat(most);
    // An even number of backslashes escapes no quote.
    const { code, reason } = refusal(`"\\\\"${many}`);
    assert.deepEqual({ code, reason }, tooMany);
    for (const text of [`"\\"${many}\\\\"`, `"${many}`]) assert.notEqual(refusal(text).code, 'tooLarge');
  });
});

describe('a reply that is no JSON', () => {
  const page = 'the reply is a web page (HTML), not JSON';
  const end = 'the JSON in the reply is cut off';
  const other = 'the reply is not JSON. It starts with ';
  for (const [text, reason] of [
    ['\n <HTML>', page],
    ['<?xml version="1.0"?>', page],
    ['see <html>', `${other}"see <html>"`],
    ['{"a":[1],', end],
    ['[1', end],
    ['error {', `${other}"error {"`],
    ['{"a" 1}\n', `${other}"{\\"a\\" 1}\\n"`],
    [`\n${'x'.repeat(41)}`, `${other}"${'x'.repeat(40)}"`],
  ] as const) {
    it(`says what it is instead: ${JSON.stringify(text.slice(0, 20))}`, () => {
      const found = refusal(text);
      assert.ok(found.reason.startsWith(reason), found.reason);
      assert.equal(found.code, reason === page ? 'page' : 'json');
      assert.ok(found.cause instanceof SyntaxError);
    });
  }
});

describe('a reply of another shape', () => {
  it('is told with the length of a list only where that is more than a thousand', () => {
    const list = (length: number) => refusal(JSON.stringify(new Array(length).fill(0))).reason;
    assert.match(list(1000), /got an array$/);
    assert.match(list(1001), /got an array of 1001$/);
  });
});
