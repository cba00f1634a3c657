import { coinsText } from '../../chain/coin.ts';
import type { Fields } from '../../chain/fields.ts';
import { type ChainFacts, govAge } from '../chainFacts.ts';

/** The purpose of a new draft. */
export type NewDraft =
  | { readonly kind: 'text' }
  /** Sets all parameters of a package (`cosmos.staking.v1beta1`). They begin with today's values. */
  | { readonly kind: 'params'; readonly module: string; readonly params: Fields }
  | { readonly kind: 'upgrade'; readonly height: bigint | undefined }
  | { readonly kind: 'spend' };

/** Modules of the SDK whose parameters a new draft can set. */
export const paramsModules: readonly string[] = [
  'cosmos.auth.v1beta1',
  'cosmos.bank.v1beta1',
  'cosmos.consensus.v1',
  'cosmos.distribution.v1beta1',
  'cosmos.gov.v1',
  'cosmos.mint.v1beta1',
  'cosmos.slashing.v1beta1',
  'cosmos.staking.v1beta1',
];

/**
 * The text of a new draft, laid out as `draft-proposal` lays it out. Its deposit starts the vote. Known facts are
 * filled in. A field that only a person can fill is "", and the checks report it.
 */
export function newDraftText(draft: NewDraft, facts: ChainFacts): string {
  const messages = draft.kind === 'text' ? [] : [message(draft, facts)];
  const fields = {
    messages,
    // A proposal without messages needs some metadata.
    metadata: draft.kind === 'text' ? 'Text proposal' : '',
    deposit: coinsText(facts.govParams?.minDeposit ?? []),
    ...(govAge(facts) === 'messages' ? {} : { title: '', summary: '' }),
    ...(facts.govParams?.expeditedVotingPeriod === undefined ? {} : { expedited: false }),
  };
  return `${JSON.stringify(fields, null, 1)}\n`;
}

function message(draft: Exclude<NewDraft, { readonly kind: 'text' }>, facts: ChainFacts): object {
  const authority = facts.govAccount ?? '';
  switch (draft.kind) {
    case 'params': {
      const { version: _, ...own } = draft.params;
      const isBeside = draft.module === 'cosmos.consensus.v1';
      return { '@type': `/${draft.module}.MsgUpdateParams`, authority, ...(isBeside ? own : { params: draft.params }) };
    }
    case 'upgrade': {
      const plan = { name: '', height: String(draft.height ?? 0), info: '' };
      return { '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', authority, plan };
    }
    case 'spend': {
      const denom = facts.communityPool?.[0]?.denom ?? facts.govParams?.minDeposit?.[0]?.denom ?? '';
      const type = '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend';
      return { '@type': type, authority, recipient: '', amount: [{ denom, amount: '0' }] };
    }
    default:
      return draft satisfies never;
  }
}
