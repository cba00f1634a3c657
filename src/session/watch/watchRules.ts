/** A change of supply worth a word: more than so many base units, or more than so many percent. */
export type SupplyRule =
  | { readonly kind: 'amount'; readonly amount: bigint }
  | { readonly kind: 'percent'; readonly percent: number };

/** What to speak up about. Quorum and verdict need a live tally, which costs requests, so they are off at first. */
export interface WatchRules {
  readonly status: boolean;
  /** Hours before the deposit or voting period ends, the largest first. */
  readonly hoursBefore: readonly number[];
  readonly quorum: boolean;
  readonly verdict: boolean;
  readonly supply: SupplyRule | undefined;
}

/** The rules of a new entry. */
export const defaultRules: WatchRules = {
  status: true,
  hoursBefore: [24, 1],
  quorum: false,
  verdict: false,
  supply: { kind: 'percent', percent: 1 },
};

/** Whether a rule needs the votes so far. */
export function needsTally(rules: WatchRules): boolean {
  return rules.quorum || rules.verdict;
}

/** Rules from JSON; what is absent or unusable is as in a new entry. */
export function readRules(value: unknown): WatchRules {
  if (typeof value !== 'object' || value === null) return defaultRules;
  const field = (name: string): unknown => Reflect.get(value, name);
  const flag = (name: 'status' | 'quorum' | 'verdict') => {
    const found = field(name);
    return typeof found === 'boolean' ? found : defaultRules[name];
  };
  return {
    status: flag('status'),
    hoursBefore: readHours(field('hoursBefore')) ?? defaultRules.hoursBefore,
    quorum: flag('quorum'),
    verdict: flag('verdict'),
    supply: 'supply' in value ? readSupplyRule(value.supply) : defaultRules.supply,
  };
}

/** Hours before an end: numbers above 0 and up to a year, each once, the largest first. Undefined for anything else. */
export function readHours(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const hours = value.filter((hour): hour is number => typeof hour === 'number' && hour > 0 && hour <= 8784);
  return [...new Set(hours)].sort((a, b) => b - a);
}

/** `"1000000"` (base units) or `"2.5%"`; undefined for anything else, which means no rule. */
export function readSupplyRule(value: unknown): SupplyRule | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{1,78}$/.test(text)) return { kind: 'amount', amount: BigInt(text) };
  const digits = /^(\d{1,4}(?:\.\d{1,4})?)\s*%$/.exec(text)?.[1];
  return digits === undefined ? undefined : { kind: 'percent', percent: Number(digits) };
}

/** The text that `readSupplyRule` reads. */
export function supplyRuleText(rule: SupplyRule): string {
  return rule.kind === 'amount' ? rule.amount.toString() : `${rule.percent}%`;
}

/** Rules as JSON: what `readRules` reads. */
export function writeRules(rules: WatchRules): Readonly<Record<string, unknown>> {
  return {
    status: rules.status,
    hoursBefore: rules.hoursBefore,
    quorum: rules.quorum,
    verdict: rules.verdict,
    supply: rules.supply ? supplyRuleText(rules.supply) : null,
  };
}
