import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

interface Import {
  readonly from: string;
  readonly typesOnly: boolean;
  readonly isLazy: boolean;
  /** `vscode`, `node:fs`, a package, or a path from the project's folder. */
  readonly target: string;
}

/** Every import of a source file, static or lazy. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\s+from\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/gms,
  );
  return [...found].map(([whole, type, fixed, lazy]) => {
    const name = fixed ?? lazy ?? '';
    const target = name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name;
    const named =
      /\{([^}]*)\}/
        .exec(whole)?.[1]
        ?.split(',')
        .filter((part) => part.trim() !== '') ?? [];
    const typesOnly =
      type !== undefined || (named.length > 0 && named.every((part) => part.trim().startsWith('type ')));
    return { from: file, typesOnly, isLazy: lazy !== undefined, target };
  });
}

const sources = globSync('src/**/*.ts', { cwd: root }).concat(globSync('media/**/*.ts', { cwd: root }));
const imports = sources.flatMap(importsOf);

/** The imports of a folder that its rule does not allow. */
function breaches(folder: string, isAllowed: (found: Import) => boolean): string[] {
  return imports
    .filter(({ from, target }) => from.startsWith(folder) && !target.startsWith(folder))
    .filter((found) => !isAllowed(found))
    .map(({ from, target }) => `${from} imports ${target}`);
}

/** The folders of src from the ground up. Those of one floor may import each other, as long as there is no cycle. */
const floors: readonly (readonly string[])[] = [
  ['chain'],
  ['api'],
  ['service'],
  ['session', 'lists'],
  ['reads'],
  ['words'],
  ['watch'],
  ['draft'],
  ['page'],
  ['code'],
  ['tools'],
  ['cli'],
  ['ui'],
];

/** The packages that a folder may use; `node:` is none of `chain`, `lists`, `words`, `draft` and `page`. */
const packages: Readonly<Record<string, readonly string[]>> = {
  chain: ['@bufbuild/protobuf/wire', '@scure/base'],
  api: ['zod', 'undici', 'node:'],
  service: ['@scure/base', 'hyparquet', 'node:', 'dist/simdLayout'],
  session: ['zod/mini', 'node:'],
  lists: [],
  reads: [],
  words: [],
  watch: ['zod', 'node:'],
  draft: ['jsonc-parser'],
  page: ['diff'],
  code: ['zod', '@scure/base', 'jsonc-parser', 'node:'],
  tools: [],
  cli: ['@modelcontextprotocol/', 'fast-string-truncated-width', 'zod/mini', 'node:'],
  ui: ['vscode', 'node:'],
};

/** -1 for a file of no floor: those at the root put the others together, and whoever needs them imports them. */
function floorOf(path: string): number {
  const [top, folder = ''] = path.split('/');
  return top === 'src' ? floors.findIndex((names) => names.includes(folder)) : -1;
}

const told = ({ from, target }: Import): string => `${from} imports ${target}`;

/** The only files that hand texts to the editor's own interface, which draws links and icons in them. */
const plainSinks = ['src/ui/report.ts', 'src/ui/ask.ts', 'src/ui/editorTexts.ts'];

const textless = [
  'activeTextEditor',
  'createOutputChannel',
  'createTreeView',
  'on\\w+',
  'register\\w+',
  'showOpenDialog',
  'showSaveDialog',
  'showTextDocument',
  'state',
  'tabGroups',
  'visibleTextEditors',
];
const textMembers =
  'accessibilityInformation|description|detail|label|message|name|placeholder|prompt|text|title|tooltip|validationMessage';

/** Every way to such a text: a function of `vscode.window` that is not known to take none, an object with texts, a member. */
const sinks: readonly RegExp[] = [
  new RegExp(`vscode\\.window\\b(?!\\.(${textless.join('|')})\\b).{0,40}`, 'g'),
  /\bwindow\b[^=\n]*\} = vscode.*/g,
  /import (type )?\{.*from 'vscode'/g,
  /new vscode\.(TreeItem|MarkdownString|QuickPick\w*|StatusBar\w*|FileDecoration)\b.{0,40}/g,
  /'vscode\.(diff|changes)'/g,
  new RegExp(`[\\w\\])]\\.(${textMembers}) \\??\\??=(?![=>]).{0,40}`, 'g'),
];

const isOneOf =
  (...prefixes: readonly string[]) =>
  ({ target }: Import) =>
    prefixes.some((prefix) => target === prefix || target.startsWith(prefix));

describe('the import rules', () => {
  it('are checked in every source file', () => {
    assert.ok(sources.length > 50);
    assert.ok(imports.some(({ target }) => target === 'vscode') && imports.some(({ target }) => target === 'undici'));
  });

  it('keep vscode in ui and extension.ts', () => {
    const users = imports.filter(({ target }) => target === 'vscode').map(({ from }) => from);
    assert.deepEqual(
      users.filter((file) => !file.startsWith('src/ui/') && file !== 'src/extension.ts'),
      [],
    );
  });

  it('let a folder import its own floor and those below it', () => {
    const up = imports.filter(({ from, target }) => {
      const [own, other] = [floorOf(from), floorOf(target)];
      return own >= 0 && other > own;
    });
    assert.deepEqual(up.map(told), []);
    const folders = new Set(sources.map((file) => file.split('/')[1] ?? '').filter((name) => !name.endsWith('.ts')));
    const placed = [...floors.flat(), 'registry', 'proposal'];
    assert.deepEqual(
      [...folders].filter((name) => !placed.includes(name)),
      [],
    );
  });

  it('let a folder use no package but its own', () => {
    const strange = imports.filter(({ from, target }) => {
      const own = packages[from.split('/')[1] ?? ''];
      return own && !/^(src|media)\//.test(target) && !own.some((name) => target.startsWith(name));
    });
    assert.deepEqual(strange.map(told), []);
  });

  it('let service see the contract, and of chain JSON and types', () => {
    const contract = ['operations', 'errors', 'hashes', 'sharing', 'wireValues'].map((name) => `src/api/${name}.ts`);
    const shared = isOneOf(...contract, 'src/chain/fields.ts', 'src/wholeFile.ts', 'dist/simdLayout');
    const isType = (found: Import) => found.typesOnly && isOneOf('src/chain/')(found);
    const beyond = breaches('src/service/', (found) => !isOneOf('src/')(found) || shared(found) || isType(found));
    assert.deepEqual(beyond, []);
  });

  it('load what asks a node in api and openSource.ts alone, and zod of what is stored lazily', () => {
    const heavy = isOneOf(
      'src/api/open.ts',
      'src/api/rest/restNode.ts',
      'src/api/replySchemas.ts',
      'src/api/transport',
    );
    const loaded = imports.filter((found) => heavy(found) && !found.typesOnly && !found.from.startsWith('src/api/'));
    const types = isOneOf('src/api/transport/transportTypes.ts');
    assert.deepEqual(
      [...new Set(loaded.filter((found) => !types(found)).map(({ from }) => from))],
      ['src/openSource.ts'],
    );
    const eager = imports.filter(
      (found) => isOneOf('src/session/stored.ts')(found) && !found.typesOnly && !found.isLazy,
    );
    assert.deepEqual(eager.filter(({ from }) => /^src\/(session|lists|reads)\//.test(from)).map(told), []);
  });

  it('let one file name the inner paths of undici', () => {
    const inner = imports.filter(({ target }) => target.startsWith('undici/'));
    assert.deepEqual([...new Set(inner.map(({ from }) => from))], ['src/api/transport/undiciParts.ts']);
  });

  it('let one table say everything of forks, for what asks them and what judges their votes', () => {
    const own = imports.filter(({ from }) => from === 'src/chain/gov/forks.ts');
    assert.deepEqual(
      own.filter((found) => !found.typesOnly),
      [],
    );
    const users = imports.filter(({ target }) => target === 'src/chain/gov/forks.ts').map(({ from }) => from);
    assert.deepEqual(users.sort(), ['src/api/rest/gov.ts', 'src/api/rest/govReads.ts', 'src/chain/gov/verdict.ts']);
    const names = /'(atomone|initia|sei)'/;
    const files = sources.filter((file) => names.test(readFileSync(join(root, file), 'utf8')));
    assert.deepEqual(files, ['src/chain/gov/forks.ts']);
  });

  it('let no file outside api and service know how a node writes things', () => {
    const outside = sources.filter((file) => !/^src\/(api|service)\//.test(file));
    const users = outside.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const named = text.matchAll(/^import[^'"]*\{([^}]*)\}\s+from\s+'[^']*\/api\/[^']*'/gm);
      const types = [...named].flatMap(([, names = '']) =>
        names.split(',').map((name) => name.replace('type', '').trim()),
      );
      const isWire = types.some((name) => /^(Wire[A-Z]|Reply$)/.test(name));
      const usesContract = imports.some(({ from, target }) => from === file && target === 'src/api/replySchemas.ts');
      return isWire || usesContract || /'\w+' in (\w+\.)*raw\b|\.denom_units\b/.test(text);
    });
    assert.deepEqual(users, []);
  });

  it('decode replies in api alone', () => {
    const users = imports.filter(({ from, target }) => {
      return target.startsWith('src/api/decode/') && !from.startsWith('src/api/');
    });
    assert.deepEqual(users, []);
  });

  it('let one file work out verdicts', () => {
    const rules = imports.filter(({ target, typesOnly }) => target === 'src/chain/gov/verdict.ts' && !typesOnly);
    assert.deepEqual(
      rules.map(({ from }) => from),
      ['src/reads/judge.ts'],
    );
    const tables = imports.filter(({ target, typesOnly }) => target === 'src/chain/gov/rules.ts' && !typesOnly);
    assert.deepEqual(
      tables.map(({ from }) => from),
      ['src/chain/gov/verdict.ts'],
    );
  });

  it('let the script of the page see types of page, two files of words and markdown', () => {
    const types = (found: Import) => found.typesOnly && isOneOf('src/page/', 'src/words/')(found);
    // A link is judged alike where it is drawn and where it is opened, and a span of time is written in one way.
    const words = isOneOf('src/words/linkTarget.ts', 'src/words/time.ts');
    assert.deepEqual(
      breaches('media/', (found) => types(found) || words(found) || isOneOf('markdown-it', 'linkify-it')(found)),
      [],
    );
  });

  it('let texts reach the editor through the files that make them plain', () => {
    const usesIn = (file: string) => {
      const text = readFileSync(join(root, file), 'utf8');
      return sinks.flatMap((sink) => [...text.matchAll(sink)].map(([use]) => `${file}: ${use}`));
    };
    const users = sources
      .filter((file) => /^src\/(ui\/|extension\.ts)/.test(file))
      .filter((file) => usesIn(file).length > 0);
    assert.deepEqual(users.filter((file) => !plainSinks.includes(file)).flatMap(usesIn), []);
    assert.deepEqual(users.toSorted(), plainSinks.toSorted());
  });

  it('let commands be doors: only extension.ts and the table of commands know them', () => {
    const doors = ['src/ui/commands/commandTable.ts', 'src/ui/commands/register.ts'];
    const users = imports.filter(({ from, target }) => doors.includes(target) && !doors.includes(from));
    assert.deepEqual([...new Set(users.map(({ from }) => from))], ['src/extension.ts']);
  });

  it('let only the composition root and the command line know the service', () => {
    const users = imports.filter(({ target }) => target.startsWith('src/service/')).map(({ from }) => from);
    const outside = users.filter((file) => !/^src\/(service|cli)\//.test(file));
    assert.deepEqual([...new Set(outside)], ['src/openSource.ts']);
  });

  it('hold no cycle, types and lazy imports included', () => {
    assert.deepEqual(findCycle(), []);
  });
});

/** The files of one cycle; empty where there is none. */
function findCycle(): readonly string[] {
  const next = new Map(sources.map((file) => [file, imports.filter(({ from }) => from === file)]));
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const { target } of next.get(file) ?? []) {
      const found = next.has(target) ? visit(target, [...path, file]) : [];
      if (found.length > 0) return found;
    }
    done.add(file);
    return [];
  };
  return sources.map((file) => visit(file, [])).find((found) => found.length > 0) ?? [];
}

/** The texts of the comments of a file, each on one line. */
function commentsOf(file: string): readonly string[] {
  const found = readFileSync(join(root, file), 'utf8').matchAll(/\/\*[\s\S]*?\*\/|(?:^ *\/\/.*\n)+/gm);
  return [...found].map(([comment]) =>
    comment
      .replace(/^ *(\/\*+|\/\/|\*\/?)|\*\/$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

describe('the source files', () => {
  const files = sources.filter((file) => file.startsWith('src/'));
  const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n');
  const findAll = (pattern: RegExp) =>
    files.flatMap((file) =>
      linesOf(file).flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );

  it('have names that differ, but that the screen of a list has the name of its list', () => {
    const lists = files.filter((file) => file.startsWith('src/lists/')).map((file) => basename(file));
    const isScreen = (file: string) => dirname(file) === 'src/ui/lists' && lists.includes(basename(file));
    const names = files.filter((file) => !isScreen(file)).map((file) => basename(file));
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
  });

  it('begin no sentence of a comment with "What", "Of", "Whose" or "Which", nor do the tests', () => {
    const begun = files.concat(globSync('test/**/*.ts', { cwd: root })).flatMap((file) =>
      commentsOf(file)
        .filter((text) => /(^|[.!] )(What|Of|Whose|Which)\b/.test(text))
        .map((text) => `${file}: ${text}`),
    );
    assert.deepEqual(begun, []);
  });

  it('export each name once, for one thing', () => {
    const declared = /^export (?:abstract )?(?:async )?(?:function\*?|class|const|interface|type) (\w+)/;
    const names = files.flatMap((file) => linesOf(file).flatMap((line) => declared.exec(line)?.[1] ?? []));
    assert.ok(names.length > 1000);
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
  });

  it('refer to no document outside the repository', () => {
    assert.deepEqual(findAll(/\.\.\/shared|contract-facts|field-notes|design\.md|service\.md|\bdecision \d/i), []);
    const named = files.flatMap((file) => linesOf(file).flatMap((line) => line.match(/\bdocs\/\w+\.md/g) ?? []));
    const documents = globSync('docs/*.md', { cwd: root });
    assert.deepEqual(
      [...new Set(named)].filter((name) => !documents.includes(name)),
      [],
    );
  });

  it('keep answers beyond their request in one place', () => {
    const caches = /\bWeakMap<|new WeakMap\b|^(export )?(const|let) \w+ = new (Map|Set)(<.*>)?\(\)/;
    const users = files.filter((file) => linesOf(file).some((line) => caches.test(line)));
    // They derive values from objects that never change, and hold no answer of a source.
    const derived = ['src/chain/content/content.ts', 'src/draft/draftText.ts', 'src/page/contentBlocks.ts'];
    assert.deepEqual(users.toSorted(), [...derived, 'src/session/kept.ts'].toSorted());
  });

  it('are counted, with their lines of code', () => {
    const isCode = (line: string) => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/.test(line);
    const lines = files.reduce((sum, file) => sum + linesOf(file).filter(isCode).length, 0);
    console.log(`      ${files.length} files, ${lines} lines of code`);
    assert.ok(lines > files.length);
  });

  it('contribute a number of commands that a person can look through', () => {
    const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const palette: readonly { command: string; when?: string }[] = contributes.menus.commandPalette;
    const hidden = new Set(palette.filter(({ when }) => when === 'false').map(({ command }) => command));
    const shown = contributes.commands.length - hidden.size;
    assert.ok(shown <= 48, `${shown} commands in the palette, at most 48`);
  });
});

/** The lines of each test of a file, from `it(` to its end, as the formatter indents them. */
function testLengths(file: string): readonly number[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, start) => {
    const indent = /^( *)it\(/.exec(line)?.[1];
    if (indent === undefined || line.endsWith(';')) return [];
    const length = lines.slice(start + 1).findIndex((next) => next !== '' && !next.startsWith(`${indent} `));
    return [length + 2];
  });
}

describe('the tests', () => {
  it('have at most 40 lines', () => {
    const files = globSync('test/**/*.test.ts', { cwd: root });
    const long = files.filter((file) => testLengths(file).some((length) => length > 40));
    assert.ok(files.length > 150);
    assert.deepEqual(long, []);
  });
});
