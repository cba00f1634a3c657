import assert from 'node:assert/strict';
import { HttpError, InputError, ReplyError, UnreachableError } from '../../../src/api/errors.ts';
import { causeText, isOffline } from '../../../src/words/errorWords.ts';
import { plainWords } from '../page/plainWords.ts';

const url = 'https://node.example/cosmos/bank/v1beta1/supply';

describe('the cause of a failure in few words', () => {
  const said = 'The response is not from the node: "Just a moment..."';
  for (const [error, text] of [
    [new HttpError(url, 401), 'Needs an API key (401)'],
    [new HttpError(url, 403, undefined, undefined, said), 'Needs an API key (403)'],
    [new HttpError(url, 429), 'Too many requests (429)'],
    [new HttpError(url, 503, undefined, undefined, said), 'Gateway down (503)'],
    [new HttpError(url, 501, 12, 'Not Implemented'), 'HTTP 501: Not Implemented'],
    [new HttpError('/chain/bank/v1beta1/supply', 500, 13, 'cannot read it: byte 7'), 'Cannot read it: byte 7'],
    [new UnreachableError(url, 'ENOTFOUND', 'the name node.example does not resolve'), 'Host name not found'],
    [new UnreachableError(url, 'TIMEOUT_HEADERS', 'no response within 12 s'), 'No response within 12 s'],
    [new ReplyError(url, 'page', 'the reply is a web page (HTML), not JSON'), 'Web page, not a node'],
    [new ReplyError(url, 'shape', 'supply: expected an array'), 'Supply: expected an array'],
    [new InputError('the base URL is empty'), 'The base URL is empty'],
    ['no answer', 'No answer'],
  ] as const) {
    it(`is ${text}`, () => assert.equal(causeText(error, plainWords), text));
  }
});

describe('being offline', () => {
  const unreachable = (code: string) => new UnreachableError(url, code, 'no answer');
  for (const [codes, is] of [
    [['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'], true],
    [['ENOTFOUND', 'ECONNREFUSED'], false],
    [['ENOTFOUND'], false],
    [[], false],
  ] as const)
    it(`is ${is ? '' : 'not '}what ${codes.join(', ') || 'no failure'} means`, () =>
      assert.equal(isOffline(codes.map(unreachable)), is));
});
