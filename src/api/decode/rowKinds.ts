import type * as z from 'zod/mini';
import type { Mask } from '../masks.ts';
import { type ListRequest, mapRows, type Page, type ReplyInfo, toPage } from '../pages.ts';
import {
  channelSchema,
  coinSchema,
  denomMetadataSchema,
  depositSchema,
  signingInfoSchema,
  validatorSchema,
  voteSchema,
  type WirePage,
} from '../replySchemas.ts';
import { toChannel, toCoin, toDenomMetadata, toDeposit } from './coinRows.ts';
import { readRows } from './readReply.ts';
import { toSigningInfo, toValidator } from './validatorRows.ts';
import { toVoterRow } from './voteRows.ts';

/** A kind of rows in lists: its form on the wire, the field that names a row, and its value. */
interface RowKind<Schema extends z.ZodMiniType, Value> {
  readonly schema: Schema;
  readonly nameField: string;
  readonly toValue: (row: z.infer<Schema>) => Value;
}

export const rowKinds = {
  channel: { schema: channelSchema, nameField: 'channel_id', toValue: toChannel },
  coin: { schema: coinSchema, nameField: 'denom', toValue: toCoin },
  deposit: { schema: depositSchema, nameField: 'depositor', toValue: toDeposit },
  metadata: { schema: denomMetadataSchema, nameField: 'base', toValue: toDenomMetadata },
  signingInfo: { schema: signingInfoSchema, nameField: 'address', toValue: toSigningInfo },
  validator: { schema: validatorSchema, nameField: 'operator_address', toValue: toValidator },
  vote: { schema: voteSchema, nameField: 'voter', toValue: toVoterRow },
} as const;

/** A checked reply with a list, and the height and time that came with it. */
interface ListAnswer {
  readonly reply: { readonly pagination?: WirePage | null | undefined };
  readonly info: ReplyInfo;
  readonly url: string;
  readonly mask?: Mask | undefined;
}

/** Gives the rows of a reply unchanged. Names faulty ones in the page. Throws `ReplyError` if there are too many. */
export function wirePage<Schema extends z.ZodMiniType, Value>(
  answer: ListAnswer,
  rows: readonly unknown[],
  { schema, nameField }: RowKind<Schema, Value>,
  request: ListRequest,
): Page<z.infer<Schema>> {
  return toPage(answer, readRows(rows, schema, nameField, answer), request);
}

/** Gives the rows of a reply as values. Faults are handled like in `wirePage`. */
export function valuePage<Schema extends z.ZodMiniType, Value>(
  answer: ListAnswer,
  rows: readonly unknown[],
  kind: RowKind<Schema, Value>,
  request: ListRequest,
): Page<Value> {
  return mapRows(wirePage(answer, rows, kind, request), kind.toValue);
}
