import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../support/folders.ts';

interface Entry {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Contributes {
  readonly views: { readonly chainInspector: readonly { readonly id: string }[] };
  readonly menus: Readonly<Record<string, readonly Entry[]>>;
}

const { contributes }: { contributes: Contributes } = JSON.parse(
  readFileSync(join(projectFolder, 'package.json'), 'utf8'),
);
const views = contributes.views.chainInspector.map(({ id }) => id.replace('chainInspector.', ''));
/** Views whose trees have the editor's own button that collapses all. */
const collapsible: readonly string[] = ['compare'];

/** Whether a condition of `&&`, `==`, `=~` and `!` holds where these keys are set; any other form is an error. */
function holds(when: string, view: string, keys: ReadonlySet<string>): boolean {
  return when.split(' && ').every((part) => {
    const [, pattern] = /^view =~ \/(.*)\/$/.exec(part) ?? [];
    if (pattern !== undefined) return new RegExp(pattern).test(view);
    const [, name] = /^view == (\S+)$/.exec(part) ?? [];
    if (name !== undefined) return name === view;
    assert.match(part, /^!?chainInspector\.\w+$/);
    return part.startsWith('!') ? !keys.has(part.slice(1)) : keys.has(part);
  });
}

function shownIn(menu: string, view: string, keys: ReadonlySet<string>): readonly Entry[] {
  return (contributes.menus[menu] ?? []).filter(({ when = '' }) => holds(when, `chainInspector.${view}`, keys));
}

/** Every set of the keys that the title bars of views depend on. */
function keySets(): readonly ReadonlySet<string>[] {
  const whens = (contributes.menus['view/title'] ?? []).map(({ when = '' }) => when).join(' && ');
  const keys = [...new Set(whens.split(' && ').flatMap((part) => /^!?(chainInspector\.\w+)$/.exec(part)?.[1] ?? []))];
  return Array.from({ length: 2 ** keys.length }, (_, bits) => new Set(keys.filter((_key, at) => (bits >> at) & 1)));
}

describe('the menus', () => {
  it('show at most three icons in the title bar of a view, whatever is filtered or shown', () => {
    for (const view of views)
      for (const keys of keySets()) {
        const icons = shownIn('view/title', view, keys).filter(({ group }) => group?.startsWith('navigation'));
        const count = icons.length + (collapsible.includes(view) ? 1 : 0);
        assert.ok(
          count <= 3,
          `${view} has ${icons.map(({ command }) => command).join(', ')} with ${[...keys].join(', ')}`,
        );
      }
  });

  it('offer each command once in the title of a view', () => {
    for (const view of views)
      for (const keys of keySets()) {
        const commands = shownIn('view/title', view, keys).map(({ command }) => command);
        assert.equal(new Set(commands).size, commands.length, `${view}: ${commands.join(', ')}`);
      }
  });

  it('have one Refresh and one Export in the palette, and no Copy, which needs a row', () => {
    const hidden = new Set(
      (contributes.menus.commandPalette ?? []).flatMap(({ command, when }) => (when === 'false' ? command : [])),
    );
    for (const what of ['Proposals', 'Supply', 'Validators'])
      for (const does of ['refresh', 'export']) assert.ok(hidden.has(`chainInspector.${does}${what}`), does + what);
    for (const what of ['Tsv', 'Json', 'Curl', 'Link', 'Denom', 'Amount', 'ProposalId', 'OperatorAddress'])
      assert.ok(hidden.has(`chainInspector.copy${what}`), what);
    assert.ok(!hidden.has('chainInspector.refresh') && !hidden.has('chainInspector.export'));
  });

  it('offer Switch, Set API Key and Compare With on a row of Endpoints', () => {
    const rows = (contributes.menus['view/item/context'] ?? []).filter(({ when }) =>
      when?.startsWith('view == chainInspector.endpoints'),
    );
    const of = (item: string) =>
      rows.flatMap(({ command, when = '' }) =>
        new RegExp(/viewItem =~ \/(.*)\/$/.exec(when)?.[1] ?? '^$').test(item) ? command : [],
      );
    for (const name of ['switchEndpoint', 'setHeader', 'compareWith'])
      assert.ok(of('endpoint.http.other.saved').includes(`chainInspector.${name}`), name);
    assert.ok(!of('endpoint.sample.other.unsaved').includes('chainInspector.setHeader'));
    assert.ok(!of('endpoint.invalid.other.saved').includes('chainInspector.compareWith'));
    assert.ok(!of('endpoint.http.shown.saved').includes('chainInspector.switchEndpoint'), 'it is shown already');
  });
});
