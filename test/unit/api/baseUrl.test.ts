import { strict as assert } from 'node:assert';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { isApiError } from '../../../src/api/errors.ts';

const read: readonly (readonly [text: string, href: string, segment?: string])[] = [
  ['https://rest.example.com', 'https://rest.example.com'],
  ['https://rest.example.com/', 'https://rest.example.com'],
  ['  https://rest.example.com:443/akash \n', 'https://rest.example.com/akash'],
  ['http://localhost:1317/', 'http://localhost:1317'],
  ['http://[::1]:1317', 'http://[::1]:1317'],
  ['HTTPS://Rest.Example.COM/Path//', 'https://rest.example.com/Path'],
  ['https://rest.example.com/chain', 'https://rest.example.com', 'chain'],
  ['https://rest.example.com/a/cosmos/', 'https://rest.example.com/a', 'cosmos'],
  ['http://127.0.0.1:5000/chain', 'http://127.0.0.1:5000', 'chain'],
  ['https://x.org/cosmos/bank/v1beta1/supply?pagination.limit=1', 'https://x.org', 'cosmos'],
  ['https://x.org/a/b/chain/gov/v1beta1/proposals/42', 'https://x.org/a/b', 'chain'],
  ['https://x.org/cosmos/base/tendermint/v1beta1/node_info', 'https://x.org', 'cosmos'],
  ['https://x.org/cosmos/bank/v1beta1/supply/ibc%2FABC', 'https://x.org', 'cosmos'],
  ['https://rest.cosmos.directory/cosmoshub', 'https://rest.cosmos.directory/cosmoshub'],
  ['https://x.org/cosmoshub/chain/bank/v1beta1/supply', 'https://x.org/cosmoshub', 'chain'],
  ['https://x.org/cosmos/node-1', 'https://x.org/cosmos/node-1'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
];

const refused: readonly (readonly [text: string, says: RegExp])[] = [
  ['', /empty/],
  ['   ', /empty/],
  ['rest.example.com', /does not start with http.*Did you mean "https:\/\/rest\.example\.com"\?/],
  ['rest.example.com:443/a', /Did you mean "https:\/\/rest\.example\.com:443\/a"\?/],
  ['localhost:1317', /Did you mean "http:\/\/localhost:1317"\?/],
  ['127.0.0.1:1317', /Did you mean "http:\/\/127\.0\.0\.1:1317"\?/],
  ['//rest.example.com', /Did you mean "https:\/\/rest\.example\.com"\?/],
  ['https:/rest.example.com', /Did you mean "https:\/\/rest\.example\.com"\?/],
  ['mailto:me@example.com', /does not start with http/],
  ['ftp://example.com', /must start with http:\/\/ or https:\/\//],
  ['file:///etc/passwd', /must start with http/],
  ['wss://example.com', /must start with http/],
  ['https://user:hidden@example.com', /user name or password/],
  ['https://user@example.com', /user name or password/],
  ['https://example.com?api_key=hidden', /must not contain a query/],
  ['https://example.com/?', /must not contain a query/],
  ['https://example.com/chain?token=hidden', /must not contain a query/],
  ['https://example.com/#a', /fragment/],
  ['https://exa mple.com', /a space/],
  ['https://example.com/a b', /a space/],
  ['https:\\\\example.com', /backslash/],
  ['https://', /not a web address/],
  ['https:///path', /not a web address/],
  ['https://example.com:99999', /not a web address/],
  ['https://[::1', /not a web address/],
  ['http://%zz', /not a web address/],
];

describe('base URLs', () => {
  for (const [text, href, segment] of read) {
    it(`reads ${JSON.stringify(text)}`, () => {
      const base = parseBaseUrl(text);
      assert.deepEqual([base.href, base.segment], [href, segment]);
      assert.ok(href === base.origin || href.startsWith(`${base.origin}/`));
      assert.equal(parseBaseUrl(href).href, href);
    });
  }

  for (const [text, says] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parseBaseUrl(text),
        (error: unknown) =>
          isApiError(error) && error.kind === 'input' && says.test(error.message) && !/hidden/.test(error.message),
      );
    });
  }
});
