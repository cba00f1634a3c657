// The texts on the screen, and their translations. `npm run l10n` writes them, and `test/unit/languages.test.ts` checks
// them.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forks } from '../src/chain/gov/forks.ts';

/** The folder of the texts in code. The texts of package.json are beside package.json, where VS Code looks for them. */
const folder = 'l10n';
const literal = /\b(?:l10n\.)?t\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;
const computed = /\b(?:l10n\.)?t\(\s*(?!['"`\s)])[^\s)]|\b(?:l10n\.)?t\(\s*`/g;
const placeholder = /\{\d+\}/g;
/** The members of package.json that VS Code shows. */
const shownMembers = /^(?:title|shortTitle|contextualTitle|description|markdownDescription|contents|altText)$/;
const key = /^%([\w.]+)%$/;

type Texts = Readonly<Record<string, string>>;

/** The languages that have a translation, such as `zh-cn`. */
export function languages(root: string): readonly string[] {
  return readdirSync(join(root, folder)).flatMap((name) => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? []);
}

/** The English texts in code, each once and sorted. A text is its own key. */
export function codeTexts(root: string): readonly string[] {
  const found = sources(root).flatMap((file) => [...file.text.matchAll(literal)].map(([, text = '']) => unquote(text)));
  return [...new Set([...found, ...forks.map(({ variant }) => variant.label)])].sort();
}

/** Translation calls whose text is not a literal, as `file:line`. `npm run l10n` cannot see such texts. */
export function computedTexts(root: string): readonly string[] {
  return sources(root).flatMap(({ path, text }) =>
    [...text.matchAll(computed)].map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
  );
}

/** The keys of package.json (`%command.refresh.title%`), each once. */
export function manifestKeys(root: string): readonly string[] {
  const keys = new Set<string>();
  JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), (_, value: unknown) => {
    const [, name] = typeof value === 'string' ? (key.exec(value) ?? []) : [];
    if (name !== undefined) keys.add(name);
    return value;
  });
  return [...keys].sort();
}

/** Texts in package.json itself, which cannot be translated. Product names do not count. */
export function plainManifestTexts(root: string): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'), (name, value: unknown) =>
    // Agents read these texts in English.
    name === 'languageModelTools' ? undefined : value,
  );
  const found: string[] = [];
  JSON.stringify(manifest, (name, value: unknown) => {
    if (typeof value === 'string' && shownMembers.test(name) && !key.test(value) && value !== 'Chain Inspector')
      found.push(value);
    return value;
  });
  return found;
}

/** The English texts of package.json, by key. */
export function manifestTexts(root: string): Texts {
  return readTexts(root, 'package.nls.json');
}

/** Writes the English texts of the code, for translators. */
export function writeTexts(root: string): void {
  const texts = Object.fromEntries(codeTexts(root).map((text) => [text, text]));
  writeFileSync(join(root, folder, 'bundle.l10n.json'), `${JSON.stringify(texts, undefined, 2)}\n`);
}

/** The faults of the texts, one sentence each: stale, missing and left-over texts, and other placeholders. */
export function textFaults(root: string): readonly string[] {
  const code = Object.fromEntries(codeTexts(root).map((text) => [text, text]));
  const manifest = manifestTexts(root);
  const keys = Object.fromEntries(manifestKeys(root).map((name) => [name, manifest[name] ?? '']));
  return [
    ...faultsOf('l10n/bundle.l10n.json', code, readTexts(root, 'l10n/bundle.l10n.json')),
    ...faultsOf('package.nls.json', keys, manifest),
    ...languages(root).flatMap((language) => [
      ...faultsOf(`l10n/bundle.l10n.${language}.json`, code, readTexts(root, `l10n/bundle.l10n.${language}.json`)),
      ...faultsOf(`package.nls.${language}.json`, manifest, readTexts(root, `package.nls.${language}.json`)),
      ...staleTexts(root, `package.nls.${language}.json`, manifest),
    ]),
  ];
}

/** The pseudo-language: every text with other letters and in brackets, so that a text that no language reaches stands out. */
export const pseudoLanguage = 'qps-ploc';

const letters = {
  plain: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  pseudo: 'åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ',
};
/** Placeholders, targets of links, code, icons and addresses, which every language keeps. */
const kept = /(\{\d+\}|\]\([^)]*\)|`[^`]*`|\$\([\w~-]+\)|https?:\/\/\S+)/;

/** A text in the pseudo-language: `‹{0} ñéŵ›` for `{0} new`. */
export function pseudoText(text: string): string {
  const parts = text.split(kept).map((part, at) => {
    if (at % 2 === 1) return part;
    return part.replace(/[a-z]/gi, (letter) => letters.pseudo[letters.plain.indexOf(letter)] ?? letter);
  });
  return `‹${parts.join('')}›`;
}

/** Writes all texts in the pseudo-language into `folder`, a copy of the extension. */
export function writePseudoLanguage(root: string, to: string): void {
  const code = codeTexts(root).map((text) => [text, pseudoText(text)]);
  const manifest = Object.entries(manifestTexts(root)).map(([name, text]) => [name, pseudoText(text)]);
  const write = (name: string, texts: readonly string[][]): void =>
    writeFileSync(join(to, name), JSON.stringify(Object.fromEntries(texts)));
  write(`${folder}/bundle.l10n.${pseudoLanguage}.json`, code);
  write(`package.nls.${pseudoLanguage}.json`, manifest);
}

function faultsOf(file: string, english: Texts, translated: Texts): readonly string[] {
  const missing = Object.keys(english).filter((name) => (translated[name] ?? '') === '');
  const left = Object.keys(translated).filter((name) => !(name in english));
  const other = Object.keys(english).filter((name) => {
    const text = translated[name];
    return text !== undefined && text !== '' && placeholders(text) !== placeholders(english[name] ?? '');
  });
  return [
    ...missing.map((name) => `${file}: missing: ${name}`),
    ...left.map((name) => `${file}: left over: ${name}`),
    ...other.map((name) => `${file}: other placeholders: ${name}`),
  ];
}

/** Translations of package.json whose English text changed. Each entry states the text that it was translated from. */
function staleTexts(root: string, file: string, english: Texts): readonly string[] {
  return entriesOf(root, file).flatMap(([name, entry]) => {
    const from: unknown =
      typeof entry === 'object' && entry !== null && 'comment' in entry && Array.isArray(entry.comment)
        ? entry.comment[0]
        : undefined;
    return from === english[name] ? [] : [`${file}: stale: ${name}`];
  });
}

/** The placeholders of a text, each once. A translation may repeat them, or change their order. */
function placeholders(text: string): string {
  return [...new Set(text.match(placeholder) ?? [])].sort().join(' ');
}

function readTexts(root: string, file: string): Texts {
  return Object.fromEntries(entriesOf(root, file).map(([name, text]) => [name, messageOf(text)]));
}

function entriesOf(root: string, file: string): readonly (readonly [name: string, entry: unknown])[] {
  const parsed: unknown = JSON.parse(readFileSync(join(root, file), 'utf8'));
  return typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
}

/** The text of an entry: the entry itself, or its message. */
function messageOf(entry: unknown): string {
  return typeof entry === 'object' && entry !== null && 'message' in entry ? String(entry.message) : String(entry);
}

function sources(root: string): readonly { readonly path: string; readonly text: string }[] {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts') && !name.startsWith('registry')).sort();
  return files.map((name) => ({ path: `src/${name}`, text: readFileSync(join(root, 'src', name), 'utf8') }));
}

/** The text of a string literal. */
function unquote(text: string): string {
  const inner = text.slice(1, -1).replace(/\\(.)/g, (_, next: string) => (next === 'n' ? '\n' : next));
  return /\\u/.test(text) ? String(JSON.parse(`"${text.slice(1, -1).replaceAll('"', '\\"')}"`)) : inner;
}
