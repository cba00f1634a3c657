import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { InputError } from '../api/errors.ts';
import type { DenomUnit } from '../chain/coin.ts';
import { ownValue } from '../chain/fields.ts';
import { maxRecent } from './memory.ts';

// Reads JSON that an earlier run stored, or that the build wrote beside the bundle. The schemas are the types. Loaded
// at the first use, since it loads zod. Values that the first rows need (settings, filters, dialects) are checked by
// their readers.

const text = z.string();
const optionalText = z.optional(text);

const presetSchema = z.readonly(
  z.object({
    name: text,
    chainId: text,
    network: z.enum(['mainnet', 'testnet', 'devnet']),
    /** The registry says that the chain is about to end. */
    isDeprecated: z.optional(z.boolean()),
    bech32Prefix: optionalText,
    /** `0.50.9`. Many chains do not state it. */
    sdkVersion: optionalText,
    /** At least one, https first. `provider` runs it. */
    rest: z.array(z.object({ url: text, provider: optionalText })),
    /** A web page with `{id}` for the id of a proposal. */
    proposalPage: optionalText,
    stakingTokens: z.array(z.object({ denom: text, symbol: optionalText })),
  }),
);

/** A public chain in the registry. */
export type ChainPreset = z.infer<typeof presetSchema>;

/** The presets. `attribution` has source, licence and date of the data. It is shown when a chain is picked. */
const presetsSchema = z.readonly(z.object({ attribution: text, chains: z.array(presetSchema) }));
export type Presets = z.infer<typeof presetsSchema>;

/**
 * Reads `presets.json` in the folder of the bundle. Throws if it is missing or has another form than the build writes.
 */
export async function loadPresets(dir: string): Promise<Presets> {
  return readBuilt(presetsSchema, join(dir, 'presets.json'), 'public chains');
}

async function readBuilt<T>(schema: z.ZodMiniType<T>, path: string, what: string): Promise<T> {
  const { success, data } = z.safeParse(schema, JSON.parse(await readFile(path, 'utf8')));
  if (!success) throw new Error(`The list of ${what} is corrupted: ${path}. Reinstall the extension.`);
  return data;
}

/** `denoms.json`: chain id → denom → symbol and exponent. */
const denomsSchema = z.record(text, z.record(text, z.tuple([text, z.int().check(z.nonnegative())])));
export type DenomTable = z.infer<typeof denomsSchema>;

/**
 * Gives the units that `denoms.json` states for one chain. Empty if it does not know the chain. Throws like
 * `loadPresets`.
 */
export async function loadDenomUnits(dir: string, chainId: string): Promise<Map<string, DenomUnit>> {
  const data = await readBuilt(denomsSchema, join(dir, 'denoms.json'), 'known denoms');
  const units = Object.entries(ownValue(data, chainId) ?? {});
  return new Map(units.map(([denom, [symbol, exponent]]) => [denom, { symbol, exponent, source: 'registry' }]));
}

/** A row that "Go to…" opened, and offers again: its list, and its key there. `title` is its title at that time. */
const rowSchema = z.object({ list: text, sourceId: text, key: text.check(z.minLength(1)), title: text });

/** The form that versions before the third list stored. */
const olderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('proposal'), sourceId: text, id: text.check(z.regex(/^[1-9]\d{0,19}$/)), title: text }),
  z.object({ kind: z.literal('denom'), sourceId: text, denom: text.check(z.minLength(1)) }),
]);

const destinationSchema = z.union([
  rowSchema,
  z.pipe(
    olderSchema,
    z.transform((older): z.infer<typeof rowSchema> => {
      const { sourceId } = older;
      return older.kind === 'proposal'
        ? { list: 'proposals', sourceId, key: older.id, title: older.title }
        : { list: 'supply', sourceId, key: older.denom, title: '' };
    }),
  ),
]);
export type Destination = z.infer<typeof rowSchema>;

/** Gives the destinations in a stored list. Other values in it are left out. */
export function readDestinations(stored: unknown): Destination[] {
  return readEach(destinationSchema, stored);
}

/** Gives the texts in a stored list, such as recent addresses. */
export function readTexts(stored: unknown): string[] {
  return readEach(text, stored);
}

function readEach<T>(schema: z.ZodMiniType<T>, stored: unknown): T[] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, maxRecent).flatMap((entry: unknown) => {
    const { success, data } = z.safeParse(schema, entry);
    return success ? [data] : [];
  });
}

/** Gives the parts that make two destinations the same: all but the title. */
export function destinationKey({ list, sourceId, key }: Destination): string {
  return JSON.stringify([list, sourceId, key]);
}

const credentialSchema = z.readonly(z.object({ name: text, value: text }));

/**
 * Reads a header in secret storage. Throws `InputError` for anything else, because requests without the header would
 * fail for no visible reason.
 */
export function readCredential(stored: string): z.infer<typeof credentialSchema> {
  try {
    return z.parse(credentialSchema, JSON.parse(stored));
  } catch {
    // Not set as the cause, because the error of a parser may quote the secret.
    throw new InputError('The stored API key for this endpoint is corrupted. Set it again');
  }
}
