import { chainData } from '../../fixtures/chainData.ts';
import type { GalleryCase } from './galleryState.ts';

/** Contents that were recorded of real chains, where the recordings are; their text is looked at, not kept. */
export function recordedContents(): readonly GalleryCase[] {
  const data = chainData();
  if (!data) return [];
  const samples: unknown = JSON.parse(data.text('gov_content_any_samples.json'));
  const list = Array.isArray(samples) ? samples : [];
  return list.flatMap((sample: unknown, at) => {
    const content = contentOf(sample);
    if (content === undefined) return [];
    const proposal = { content, status: 'PROPOSAL_STATUS_PASSED', final_tally_result: null, total_deposit: [] };
    return [{ name: `recorded ${at + 1}`, form: 'v1beta1', proposal }];
  });
}

function contentOf(sample: unknown): object | undefined {
  if (typeof sample !== 'object' || sample === null || !('typeUrl' in sample) || !('valueBase64' in sample))
    return undefined;
  return { type_url: sample.typeUrl, value: sample.valueBase64 };
}
