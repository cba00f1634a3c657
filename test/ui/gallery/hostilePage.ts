import { strict as assert } from 'node:assert';
import type { Frame } from 'playwright-core';
import { type GalleryCase, numbered } from './galleryState.ts';
import { hostilePayloads } from './hostilePayloads.ts';

/** Every element that the page may consist of. */
const elements = new Set(
  (
    'html head meta title link style script body header main footer section h1 h2 h3 h4 h5 h6 p div span small strong em s b code pre ' +
    'ul ol li dl dt dd table thead tbody tr th td button a bdi time details summary blockquote hr br del ins'
  ).split(' '),
);

/** Payloads in every place that a stranger writes to. */
function hostileCase(payload: string): GalleryCase {
  const content = {
    '@type': `/evil.v1.${payload}`,
    title: payload,
    description: payload,
    [payload]: payload,
    nested: [{ [payload]: [payload] }],
  };
  const coins = [{ denom: payload.slice(0, 60), amount: '1' }];
  const proposal = { content, status: 'PROPOSAL_STATUS_PASSED', final_tally_result: null, total_deposit: coins };
  return { name: payload, form: 'v1beta1', proposal };
}

/** One proposal with all payloads, in its description, its fields and its deposits. */
export function allPayloads(): GalleryCase {
  const content = {
    '@type': `/evil.v1.${hostilePayloads[0]}`,
    title: hostilePayloads.join(' '),
    description: hostilePayloads.join('\n\n'),
    ...Object.fromEntries(hostilePayloads.map((payload, at) => [`${at} ${payload}`, [payload]])),
  };
  const total_deposit = hostilePayloads.map((payload) => ({ denom: payload.slice(0, 60), amount: '1' }));
  const proposal = { content, status: 'PROPOSAL_STATUS_PASSED', final_tally_result: null, total_deposit };
  return { name: 'all payloads', form: 'v1beta1', proposal };
}

/** A proposal for each payload. */
export const hostileCases = () => numbered(hostilePayloads.map(hostileCase));

/** The parts of the page that are not text: foreign elements, handlers, addresses. */
export async function problemsOf(frame: Frame): Promise<readonly string[]> {
  const found: unknown = await frame.evaluate(
    '[...document.querySelectorAll("*")].map((one) => [one.localName, ...one.getAttributeNames().map((name) => name + "=" + one.getAttribute(name))])' +
      '.concat(window.caught === undefined ? [] : [["caught"]])',
  );
  assert(Array.isArray(found));
  const problems: string[] = [];
  for (const [name, ...attributes] of found.map((one: unknown) => (Array.isArray(one) ? one.map(String) : []))) {
    if (name === undefined || !elements.has(name)) problems.push(`element ${name}`);
    // The frame of the page is the editor's and ours: a script, a style sheet, a policy.
    if (name === 'script' || name === 'link' || name === 'meta' || name === 'style' || name === 'html') continue;
    problems.push(...attributes.filter((one) => /^(?:on|href=|src|srcdoc=|action=|xlink)/.test(one)));
  }
  return problems;
}
