import { nestedTypes } from '../../chain/content/messageFields.ts';
import { messageFields, messageTypes } from './completions.ts';

const text = (description: string): object => ({ type: 'string', description });

/**
 * The JSON schema for `draft_proposal.json`. Types are examples of `@type` and not an enum, since chains have types of
 * their own.
 */
export function draftSchema(): object {
  const types = messageTypes();
  const type = { ...text('Full name of the message, including the slash.'), examples: types };
  const cases = types.map((name) => {
    const condition = { required: ['@type'], properties: { '@type': { const: name } } };
    return Object.fromEntries([
      ['if', condition],
      ['then', { properties: properties(name) }],
    ]);
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      messages: {
        type: 'array',
        description: 'Messages that execute if the proposal passes. Empty for a text proposal.',
        items: { type: 'object', properties: { '@type': type }, allOf: cases },
      },
      metadata: text(
        'Address of the metadata (ipfs://…), or the metadata itself as JSON. The JSON repeats the title and summary.',
      ),
      deposit: text('Amounts with their denoms, such as 1000uatom,5stake.'),
      title: text('Title of the proposal.'),
      summary: text('Summary of the proposal, in Markdown.'),
      expedited: { type: 'boolean', description: 'Whether to hold a shorter vote with a higher threshold.' },
    },
  };
}

function properties(typeUrl: string): object {
  const fields = messageFields(typeUrl) ?? [];
  return Object.fromEntries(
    fields.map(({ name, type }) => [name, { description: Object.hasOwn(nestedTypes, type) ? type : name }]),
  );
}

/** The JSON schema of `draft_metadata.json`. */
export const draftMetadataSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    title: text('Title of the proposal, as in the draft.'),
    authors: { type: ['array', 'string'], items: { type: 'string' }, description: 'Authors of the proposal.' },
    summary: text('Summary of the proposal, as in the draft.'),
    details: text('Full text, in Markdown.'),
    proposal_forum_url: text('Link to the discussion.'),
    vote_option_context: text('What each vote option means.'),
  },
};
