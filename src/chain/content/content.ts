/** What a proposal would do, as its chain said it: a legacy gov content, or a message. */
export interface Content {
  /** `/cosmos.gov.v1beta1.TextProposal`, or the amino name (`cosmos-sdk/TextProposal`); "" where the chain did not say. */
  readonly typeUrl: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The fields as REST shows them (snake_case, numbers of 64 bits as strings), without `@type`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Reads `{type_url, value}`, `{"@type", …}` or amino `{type, value}`; never throws. */
export function readContent(raw: Readonly<Record<string, unknown>>): Content {
  const { '@type': typeUrl, ...fields } = raw;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { typeUrl: text(typeUrl) ?? '', title: text(fields.title), description: text(fields.description), fields };
}
