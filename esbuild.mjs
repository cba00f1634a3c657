// Builds dist/: the extension, which is small and loaded at activation, and its lazy parts. Each is a CommonJS bundle.
// One ES module with esbuild's code splitting starts later (docs/decisions.md, `npm run bench -- modules`).
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { build, context } from 'esbuild';
import { billOfMaterials, bundledPackages, writeNotices } from './packaging/bundled.ts';
import { draftMetadataSchema, draftSchema } from './src/draft/writing/draftSchemas.ts';
import { writeIbcTable } from './src/registry/buildIbcTable.ts';
import { writePresets } from './src/registry/buildPresets.ts';
import { buildWasm } from './src/service/wasm/build.mjs';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

/**
 * The files of the lazy parts. `await import('./x/lazy.ts')` in the sources becomes `require('./name.cjs')`. Parts of
 * the command line (`commandLine…`) do not belong to the extension.
 */
export const lazyParts = {
  address: 'src/chain/address.ts',
  agentTools: 'src/ui/agents/agentTools.ts',
  app: 'src/extension.ts',
  commands: 'src/ui/commands/commandTable.ts',
  client: 'src/api/open.ts',
  codeLinks: 'src/ui/codeLinks/codeLinks.ts',
  commandLineAsk: 'src/cli/commands/askCommands.ts',
  commandLineCheck: 'src/cli/commands/checkCommand.ts',
  commandLineDenom: 'src/cli/commands/denomCommand.ts',
  commandLineMain: 'src/cli/commandLine.ts',
  commandLineMcp: 'src/cli/mcp/mcpCommand.ts',
  commandLineState: 'src/cli/commands/stateCommands.ts',
  denom: 'src/ui/panel/denomPanel.ts',
  split: 'src/reads/readSplit.ts',
  downloads: 'src/api/download.ts',
  draftChecks: 'src/draft/checkDraft.ts',
  draftWords: 'src/draft/draftWords.ts',
  endpointRows: 'src/ui/endpoints/endpointRows.ts',
  drafts: 'src/ui/drafts/draftEditor.ts',
  openPanels: 'src/ui/panel/openPanels.ts',
  panels: 'src/ui/panel/proposalPanel.ts',
  messageFields: 'src/chain/content/messageFields.ts',
  proposalDocument: 'src/ui/panel/proposalDocument.ts',
  protobuf: 'src/chain/content/protobuf.ts',
  listTrees: 'src/ui/lists/listTrees.ts',
  stored: 'src/session/stored.ts',
  registry: 'src/session/registry.ts',
  sessions: 'src/sourceOpener.ts',
  source: 'src/openSource.ts',
  tables: 'src/service/tables/tableFolder.ts',
  voteDetails: 'src/ui/lists/voteDetails.ts',
  service: 'src/service/service.ts',
  stateFiles: 'src/ui/endpoints/stateFiles.ts',
  exportRows: 'src/reads/export.ts',
  tools: 'src/tools/toolTable.ts',
  transport: 'src/api/transport/transport.ts',
  undici: 'src/api/transport/undiciParts.ts',
  watch: 'src/ui/watch/watchView.ts',
};

/** Parts that other parts import directly. Those load the shared bundle instead of containing a copy. */
export const sharedParts = ['address', 'draftChecks', 'draftWords', 'messageFields', 'protobuf', 'undici'];

const lazyImports = {
  name: 'lazy-imports',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import' && kind !== 'import-statement') return undefined;
      const file = new URL(path, `file://${resolveDir}/`).pathname;
      const [name] = Object.entries(lazyParts).find(([, source]) => file.endsWith(`/${source}`)) ?? [];
      if (kind === 'import-statement' && !sharedParts.includes(name)) return undefined;
      if (!name) return { errors: [{ text: `${path} is imported lazily but is not listed in lazyParts` }] };
      return { path: `./${name}.cjs`, external: true, sideEffects: false };
    });
  },
};

/**
 * Parts of packages that are left out: HTTP/2 of undici with Node's module for it, and of MCP the check of users'
 * answers and the messages for signing in over HTTP. undici has its parser twice, with and without SIMD, and takes the
 * second if the first cannot be loaded. One is enough for headers of some replies a second.
 */
const leftOut = {
  name: 'left-out',
  setup(build) {
    build.onResolve({ filter: /\/(client-h2\.js|llhttp_simd-wasm\.js|_shims|auth-[\w-]+\.mjs)$/ }, (args) => ({
      // A path of an ES module would have no `module`.
      path: args.path.replace(/\.mjs$/, '.cjs'),
      namespace: 'left-out',
    }));
    build.onLoad({ filter: /_shims$/, namespace: 'left-out' }, () => ({
      contents: `export { default as process } from 'node:process'; export const DefaultJsonSchemaValidator = undefined;`,
    }));
    build.onLoad({ filter: /\/auth-/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = undefined;' }));
  },
};

const common = { bundle: true, minify: production, sourcemap: !production, logLevel: 'info', legalComments: 'none' };
const node = {
  ...common,
  platform: 'node',
  // The other entry of jsonc-parser loads its parts in a way that cannot be bundled.
  mainFields: ['module', 'main'],
  format: 'cjs',
  target: 'node22',
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  supported: { 'dynamic-import': false },
  plugins: [lazyImports, leftOut],
  // This name makes undici leave out its experimental parser, as in undici's own bundles.
  define: { esbuildDetection: 'true' },
};

// The sources ask by `import.meta` whether they are bundled.
const logOverride = { 'empty-import-meta': 'silent' };

const pageFiles = ['page.ts', 'page.css'].map((file) => ({ in: `media/proposal/${file}`, out: 'proposal' }));

const builds = [
  { ...node, entryPoints: { extension: 'src/entry.ts' } },
  // This file says which Node is required, so every Node has to understand it.
  { ...node, entryPoints: { commandLine: 'src/cli/chainInspector.ts' }, target: 'node12', logOverride },
  // `vscode` exists only in the extension host. Importing it elsewhere fails the build.
  { ...node, entryPoints: lazyParts, external: ['vscode'], logOverride },
  { ...node, entryPoints: { readerWorker: 'src/service/readerWorker.ts' } },
  { ...common, entryPoints: pageFiles, outdir: 'dist', format: 'iife', target: 'es2022' },
];

/**
 * `--modules FOLDER` builds one ES module there, which esbuild splits, with its metafile. test/bench/modules.bench.ts
 * compares it with the bundles.
 */
async function buildModules(folder) {
  mkdirSync(folder, { recursive: true });
  // Names that CommonJS packages and our own files use. One definition for all modules.
  writeFileSync(
    `${folder}/names.mjs`,
    `import { createRequire } from 'node:module';
const { url, dirname } = import.meta;
export const require = createRequire(url), __dirname = dirname;`,
  );
  const { metafile } = await build({
    ...node,
    entryPoints: { extension: 'src/entry.ts' },
    outdir: folder,
    chunkNames: 'module-[hash]',
    format: 'esm',
    splitting: true,
    outExtension: {},
    supported: {},
    external: ['vscode'],
    plugins: [leftOut],
    inject: [`${folder}/names.mjs`],
    define: { ...node.define, 'import.meta.url': 'undefined', 'import.meta.dirname': 'undefined' },
    logLevel: 'warning',
    metafile: true,
  });
  writeFileSync(`${folder}/metafile.json`, JSON.stringify(metafile));
}

const modules = process.argv.indexOf('--modules');
if (modules > 0) {
  await buildModules(process.argv[modules + 1]);
  process.exit();
}

mkdirSync('dist', { recursive: true });
await buildWasm();
// Code that runs from the sources only needs these files from dist/.
const isForSources = process.argv.includes('--simd');
if (!isForSources || !existsSync('dist/presets.json')) writePresets('dist');
if (!isForSources || !existsSync('dist/ibcTraces.bin')) writeIbcTable('dist');
if (isForSources) process.exit();
writeFileSync('dist/draftProposal.schema.json', JSON.stringify(draftSchema()));
writeFileSync('dist/draftMetadata.schema.json', JSON.stringify(draftMetadataSchema));
if (watch) for (const options of builds) await (await context(options)).watch();
else {
  const metafiles = [];
  for (const options of builds) metafiles.push((await build({ ...options, metafile: true })).metafile);
  const packages = bundledPackages('.', metafiles);
  writeNotices('dist', packages);
  const epoch = process.env.SOURCE_DATE_EPOCH && Number(process.env.SOURCE_DATE_EPOCH);
  mkdirSync('dist/bom', { recursive: true });
  writeFileSync('dist/bom/chain-inspector.cdx.json', billOfMaterials('.', packages, epoch || undefined));
}
