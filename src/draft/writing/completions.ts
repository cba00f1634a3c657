import { findNodeAtLocation, getLocation, type JSONPath, type Node } from 'jsonc-parser';
import { contentTypes, type Field, fieldsOf, nestedFields } from '../../chain/content/messageFields.ts';
import { isFields } from '../../chain/fields.ts';
import type { ChainFacts } from '../chainFacts.ts';
import { readDraft, textOf } from '../draftText.ts';
import { paramsModules } from './newDraft.ts';

/** Full names, with a slash, of all messages in the tables, and of `MsgUpdateParams` of the SDK's modules. */
export function messageTypes(): readonly string[] {
  const named = Object.entries(contentTypes).flatMap(([name, types]) =>
    Object.keys(types).flatMap((type) => (type.startsWith('Msg') ? [`/${name}.${type}`] : [])),
  );
  return [...named, ...paramsModules.map((module) => `/${module}.MsgUpdateParams`)].toSorted();
}

/** The fields of a message or content. `typeUrl` begins with a slash. Undefined if no table has the type. */
export function messageFields(typeUrl: string): readonly Pick<Field, 'name' | 'type'>[] | undefined {
  const known = fieldsOf(typeUrl.slice(1));
  const isParams = paramsModules.some((module) => typeUrl === `/${module}.MsgUpdateParams`);
  return known ?? (isParams ? ['authority', 'params'].map((name) => ({ name, type: 'string' })) : undefined);
}

/** The texts that can be completed at a place of a draft. */
export interface Completions {
  readonly kind: 'types' | 'fields';
  /** Full types, or names of fields that are not there yet. */
  readonly names: readonly string[];
}

/** Completes types in the value of `@type`, and names of fields inside a message. Undefined at any other place. */
export function completionsAt(text: string, offset: number, facts: ChainFacts): Completions | undefined {
  const { path, isAtPropertyKey } = getLocation(text, offset);
  const draft = readDraft(text);
  if (path[0] !== 'messages' || typeof draft !== 'object') return undefined;
  if (!isAtPropertyKey) return path.at(-1) === '@type' ? { kind: 'types', names: messageTypes() } : undefined;
  const object = findNodeAtLocation(draft.root, path.slice(0, -1));
  const present = new Set(object?.children?.map(({ children }) => String(children?.[0]?.value)));
  const names = namesIn(draft.root, path.slice(0, -1), facts).filter((name) => !present.has(name));
  return names.length > 0 ? { kind: 'fields', names } : undefined;
}

/** The names that an object of a draft may have. The type of the message and the path inside it decide. */
function namesIn(root: Node, path: JSONPath, facts: ChainFacts): readonly string[] {
  const message = findNodeAtLocation(root, path.slice(0, 2));
  const typeUrl = textOf(message, '@type');
  if (typeUrl === undefined) return path.length === 2 ? ['@type'] : [];
  let fields = messageFields(typeUrl);
  for (const step of path.slice(2)) {
    if (step === 'params') return Object.keys(paramsOf(typeUrl, facts));
    if (typeof step === 'number') continue;
    fields = nestedFields(fields?.find(({ name }) => name === step)?.type ?? '');
  }
  return fields?.map(({ name }) => name) ?? [];
}

/** Today's value, as JSON, of the parameter at a place of a draft. Undefined at any other place. */
export function todayAt(text: string, offset: number, facts: ChainFacts): { name: string; json: string } | undefined {
  const { path } = getLocation(text, offset);
  const draft = readDraft(text);
  const [list, , params, ...steps] = path;
  if (list !== 'messages' || params !== 'params' || typeof draft !== 'object') return undefined;
  let value: unknown = paramsOf(textOf(findNodeAtLocation(draft.root, path.slice(0, 2)), '@type') ?? '', facts);
  for (const step of steps) value = isFields(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value === undefined || steps.length === 0 ? undefined : { name: steps.join('.'), json: JSON.stringify(value) };
}

function paramsOf(typeUrl: string, { moduleParams }: ChainFacts): object {
  return moduleParams.get(typeUrl.slice(1, typeUrl.lastIndexOf('.'))) ?? {};
}
