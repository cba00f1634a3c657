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

/** The only files that hand texts to the editor's own interface, which draws links and icons in them. */
const plainSinks = ['src/ui/report.ts', 'src/ui/ask.ts', 'src/ui/labels.ts'];

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

  it('let api see zod, undici, node and the table of forks', () => {
    assert.deepEqual(breaches('src/api/', isOneOf('zod', 'undici', 'node:', 'src/forks.ts')), []);
  });

  it('let chain see types of api, its errors, pages, shared work, values of the wire, the forks and two decoders', () => {
    const shared = [
      ...['errors', 'pages', 'sharing', 'wireValues'].map((name) => `src/api/${name}.ts`),
      'src/forks.ts',
    ];
    const values = isOneOf(...shared, '@bufbuild/protobuf/wire', '@scure/base');
    assert.deepEqual(
      breaches('src/chain/', (found) => values(found) || (found.typesOnly && isOneOf('src/api/')(found))),
      [],
    );
  });

  it('let one table say everything of forks, for what asks them and what judges their votes', () => {
    const own = imports.filter(({ from }) => from === 'src/forks.ts');
    const layers = isOneOf('src/api/', 'src/chain/');
    assert.deepEqual(
      own.filter((found) => !found.typesOnly || !layers(found)),
      [],
    );
    const users = imports.filter(({ target }) => target === 'src/forks.ts').map(({ from }) => from);
    assert.deepEqual(users.sort(), ['src/api/gov.ts', 'src/api/optionalReads.ts', 'src/chain/verdict.ts']);
    const names = /'(atomone|initia|sei)'/;
    const files = sources.filter((file) => names.test(readFileSync(join(root, file), 'utf8')));
    assert.deepEqual(files, ['src/forks.ts']);
  });

  it('let draft see types of api, values of the wire, chain, its language and a parser of JSON with places', () => {
    const own = ['src/api/wireValues.ts', 'src/api/errors.ts', 'src/words/language.ts'];
    const allowed = isOneOf(...own, 'src/chain/', 'jsonc-parser');
    assert.deepEqual(
      breaches('src/draft/', (found) => allowed(found) || (found.typesOnly && isOneOf('src/api/')(found))),
      [],
    );
  });

  it('let one file outside api and service know how a node writes things', () => {
    const outside = sources.filter((file) => !/^src\/(api|service)\//.test(file));
    const users = outside.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const named = text.matchAll(/^import[^'"]*\{([^}]*)\}\s+from\s+'[^']*\/api\/[^']*'/gm);
      const types = [...named].flatMap(([, names = '']) =>
        names.split(',').map((name) => name.replace('type', '').trim()),
      );
      const isWire = types.some((name) => /^(Wire[A-Z]|RunningTally$|VotingPower$|Reply$)/.test(name));
      const usesContract = imports.some(({ from, target }) => from === file && target === 'src/api/contract.ts');
      return isWire || usesContract || /'\w+' in (\w+\.)*raw\b|\.denom_units\b/.test(text);
    });
    assert.deepEqual(users, ['src/chain/fromWire.ts']);
  });

  it('let one file work out verdicts', () => {
    const rules = imports.filter(({ target, typesOnly }) => target === 'src/chain/verdict.ts' && !typesOnly);
    assert.deepEqual(
      rules.map(({ from }) => from),
      ['src/session/judge.ts'],
    );
    const tables = imports.filter(({ target, typesOnly }) => target === 'src/chain/rules.ts' && !typesOnly);
    assert.deepEqual(
      tables.map(({ from }) => from),
      ['src/chain/verdict.ts'],
    );
  });

  it('let the tools of agents see what is known and what is worded, never the editor, the service or node', () => {
    const api = isOneOf(...['errors', 'pages', 'sharing', 'wireValues'].map((name) => `src/api/${name}.ts`));
    const layers = isOneOf('src/chain/', 'src/session/', 'src/lists/', 'src/words/', 'src/draft/');
    assert.deepEqual(
      breaches('src/tools/', (found) => api(found) || layers(found) || (found.typesOnly && isOneOf('src/api/')(found))),
      [],
    );
  });

  it('let code see values of chain and words, its table and node, never a node of a chain or the editor', () => {
    const allowed = isOneOf('src/chain/', 'src/words/', 'zod', 'node:', '@scure/base');
    assert.deepEqual(breaches('src/code/', allowed), []);
  });

  it('let the command line see what answers, never how a chain is asked or a file is read', () => {
    const allowed = isOneOf(
      'src/code/',
      'src/tools/',
      'src/draft/',
      'src/session/',
      'src/openSource.ts',
      '@modelcontextprotocol/',
      'node:',
    );
    const values = isOneOf('src/api/wireValues.ts', 'src/api/errors.ts', 'src/chain/', 'src/words/');
    const service = isOneOf('src/service/serve.ts', 'src/service/service.ts', 'src/service/tables.ts');
    const types = (found: Import) => found.typesOnly && isOneOf('src/api/')(found);
    assert.deepEqual(
      breaches('src/cli/', (found) => allowed(found) || values(found) || service(found) || types(found)),
      [],
    );
  });

  it('let service see the contract, errors, shared work, values of the wire, bech32, Parquet and node, never the client or chain', () => {
    const api = ['operations', 'errors', 'sharing', 'wireValues'].map((name) => `src/api/${name}.ts`);
    assert.deepEqual(
      breaches(
        'src/service/',
        isOneOf(...api, 'src/wholeFile.ts', '@scure/base', 'hyparquet', 'node:', 'dist/simdLayout'),
      ),
      [],
    );
  });

  it('let session see api, chain and lists, and zod in one lazy file, never undici or the service', () => {
    const allowed = isOneOf('src/api/', 'src/chain/', 'src/lists/', 'src/wholeFile.ts', 'node:');
    const stored = (found: Import) => found.from === 'src/session/stored.ts' && found.target === 'zod/mini';
    assert.deepEqual(
      breaches('src/session/', (found) => allowed(found) || stored(found)),
      [],
    );
    const eager = imports.filter(({ from, target, typesOnly, isLazy }) => {
      return target === 'src/session/stored.ts' && !typesOnly && !isLazy && from !== 'src/session/stored.ts';
    });
    assert.deepEqual(eager, []);
    const heavy = isOneOf('src/api/open.ts', 'src/api/contract.ts', 'src/api/transport');
    const loaded = imports.filter((found) => found.from.startsWith('src/session/') && heavy(found) && !found.typesOnly);
    assert.deepEqual(loaded, []);
  });

  it('let lists see api, chain and the types of what is kept', () => {
    const types = (found: Import) => found.typesOnly && isOneOf('src/session/kept.ts')(found);
    assert.deepEqual(
      breaches('src/lists/', (found) => isOneOf('src/api/', 'src/chain/')(found) || types(found)),
      [],
    );
  });

  it('let watch see api, chain, sessions and zod, never undici or the service', () => {
    assert.deepEqual(
      breaches('src/watch/', isOneOf('src/api/', 'src/chain/', 'src/session/', 'src/wholeFile.ts', 'zod', 'node:')),
      [],
    );
    const heavy = isOneOf('src/api/open.ts', 'src/api/contract.ts', 'src/api/transport');
    const loaded = imports.filter((found) => found.from.startsWith('src/watch/') && heavy(found) && !found.typesOnly);
    assert.deepEqual(loaded, []);
  });

  it('let words see the domain model and errors, so that every door can use them', () => {
    assert.deepEqual(breaches('src/words/', isOneOf('src/chain/', 'src/lists/', 'src/api/errors.ts')), []);
  });

  it('let page see what is known and how it is worded, never the editor or node', () => {
    const values = isOneOf(
      'src/api/errors.ts',
      'src/chain/',
      'src/session/',
      'src/lists/',
      'src/words/',
      'src/watch/',
      'src/draft/',
    );
    const types = (found: Import) => found.typesOnly && isOneOf('src/api/')(found);
    assert.deepEqual(
      breaches('src/page/', (found) => values(found) || types(found) || isOneOf('diff')(found)),
      [],
    );
  });

  it('let ui see what is known, never how it is asked', () => {
    const allowed = isOneOf(
      'vscode',
      'node:',
      'src/chain/',
      'src/code/',
      'src/draft/',
      'src/page/',
      'src/lists/',
      'src/session/',
      'src/tools/',
      'src/watch/',
      'src/words/',
      'src/api/errors.ts',
      'src/api/baseUrl.ts',
      'src/api/pages.ts',
      'src/api/wireValues.ts',
    );
    const types = (found: Import) => found.typesOnly && isOneOf('src/api/', 'src/openSource.ts')(found);
    assert.deepEqual(
      breaches('src/ui/', (found) => allowed(found) || types(found)),
      [],
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

describe('the source files', () => {
  const files = sources.filter((file) => file.startsWith('src/'));
  const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n');
  const findAll = (pattern: RegExp) =>
    files.flatMap((file) =>
      linesOf(file).flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );

  it('have names that differ', () => {
    const names = files.map((file) => basename(file));
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
  });

  it('speak plain technical English', () => {
    const words =
      /\b(nobody|somebody|can say|cannot say|is told|takes in|goneRows|courtesy|take turns|walls?|rooms?)\b/;
    assert.deepEqual(findAll(words), []);
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
    // Two derive values from objects that do not change; two hold what belongs to a session, one of them in what it keeps.
    assert.deepEqual(users.toSorted(), [
      'src/chain/content/content.ts',
      'src/page/contentBlocks.ts',
      'src/session/search.ts',
      'src/ui/watch/myVoters.ts',
    ]);
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
