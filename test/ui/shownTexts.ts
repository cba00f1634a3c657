import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { writePseudoLanguage } from '../../packaging/texts.ts';
import { plainType } from '../../src/chain/content/content.ts';
import { projectFolder } from '../support/folders.ts';

/** Texts of the chain and the registry, which no language translates. */
export interface StatedTexts {
  /** Denoms, modules and other identifiers, wherever they stand. */
  readonly words: ReadonlySet<string>;
  /** Names of fields and of chains, which stand alone. */
  readonly names: ReadonlySet<string>;
}

/** A name, days, and beginnings of addresses, which are the same in every language. */
const fixed =
  /Chain Inspector|chain-registry|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|\b[a-z]+1[a-z0-9]*…[a-z0-9]*/g;

/** The English words of a text in the pseudo-language, without identifiers (`MsgSend`, `max_validators`) and words in capitals. */
export function plainWords(text: string, stated: StatedTexts): readonly string[] {
  const parts = text.split(', ').filter((part) => !stated.names.has(part));
  const tokens =
    parts
      .join(', ')
      .replaceAll(fixed, ' ')
      .match(/[\p{L}\p{N}_./:@#+=&?~’'-]+/gu) ?? [];
  return tokens
    .map((token) => token.replace(/^[./:'’-]+|[./:'’-]+$/g, ''))
    .filter((token) => /^[A-Z]?[a-z]+(?:['’-][a-z]+)*$/.test(token) && token.length > 1 && !stated.words.has(token));
}

/** Texts of people in a state: everything else in it is an identifier, an amount or a time. */
const written = /^(?:title|summary|description|moniker|details|name|symbol|constitution|info|failed_reason)$/;
const greek = 'αβξδεφγηιυκλμνοπθρστωβχψζς';

/** The same letters for the same text, none of them Latin; an address or a name that the code knows stays. */
function toGreek(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => greek[letter.toLowerCase().charCodeAt(0) - 97] ?? letter);
}

/** Whether a name of a state is written by a person: those of accounts and of upgrades are identifiers. */
function isWritten(name: string, text: string, parent: object): boolean {
  if (!written.test(name) || 'permissions' in parent || /^(?:https?|ipfs):/.test(text)) return false;
  return !/^(?:name|symbol|info)$/.test(name) || /\s/.test(text);
}

/**
 * Copies the extension with all its texts in the pseudo-language into a folder, over a sample chain whose own texts are in Greek
 * letters: English words on the screen are then of neither.
 */
export function copyInPseudoLanguage(folder: string): StatedTexts {
  for (const name of ['dist', 'media', 'l10n', 'package.json', 'package.nls.json'])
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
  writePseudoLanguage(projectFolder, folder);
  const stated = { words: new Set<string>(), names: new Set<string>() };
  const sample = join(folder, 'media/sampleChain.json');
  const state: unknown = JSON.parse(readFileSync(sample, 'utf8'), function (this: object, name, value: unknown) {
    stated.names.add(name).add(inWords(name));
    if (typeof value !== 'string') return value;
    if (isWritten(name, value, this)) return toGreek(value);
    if (!/\s/.test(value)) addIdentifiers(value, stated);
    return value;
  });
  writeFileSync(sample, JSON.stringify(state));
  const presets = JSON.parse(readFileSync(join(folder, 'dist/presets.json'), 'utf8'));
  for (const { name, chainId } of presets.chains) {
    stated.names.add(name);
    stated.words.add(chainId);
  }
  return stated;
}

function addIdentifiers(text: string, { words, names }: Record<keyof StatedTexts, Set<string>>): void {
  for (const word of text.split(/[^\w-]+/)) words.add(word);
  names.add(inWords(text));
  if (text.startsWith('/')) names.add(plainType(text));
}

/** `MaxValidators` and `max_validators` as pages have them: `Max validators`. */
function inWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'];

/** Every text that these elements show or are read aloud with, without what is hidden or marked as code. */
export async function textsOf(places: Locator): Promise<readonly string[]> {
  return places.evaluateAll((all, names) => {
    const found = new Set<string>();
    for (const place of all) {
      const isShown = (element: typeof place | null) =>
        element !== null && element.getClientRects().length > 0 && !element.closest('code, pre, .code');
      const walk = place.ownerDocument.createTreeWalker(place, 4);
      for (let node = walk.nextNode(); node; node = walk.nextNode())
        if (isShown(node.parentElement)) found.add(node.textContent ?? '');
      for (const element of [place, ...place.querySelectorAll('*')])
        for (const name of names) if (isShown(element)) found.add(element.getAttribute(name) ?? '');
    }
    return [...found].map((text) => text.replaceAll('\u00a0', ' ').trim()).filter((text) => text !== '');
  }, attributes);
}
