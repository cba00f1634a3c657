// Builds dist/: the extension (small, loaded at activation) and its lazy parts, each a CommonJS bundle of its own,
// because esbuild splits ES modules only, and an ES module extension costs 5 ms more at activation (measured).
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { context } from 'esbuild';
import { draftSchema, metadataSchema } from './src/draft/draftHelp.ts';
import { writeIbcTable } from './src/registry/buildIbcTable.ts';
import { writePresets } from './src/registry/buildPresets.ts';
import { buildWasm } from './src/service/wasm/build.mjs';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

/**
 * `await import('./x/lazy.ts')` in the sources becomes `require('./name.cjs')`: the file names of the lazy parts. Those of the command
 * line (`commandLine…`) are no part of the extension.
 */
export const lazyParts = {
  address: 'src/chain/address.ts',
  agentTools: 'src/ui/agents/agentTools.ts',
  app: 'src/extension.ts',
  commands: 'src/ui/commands/commandTable.ts',
  client: 'src/api/open.ts',
  codeLinks: 'src/ui/codeLinks/codeLinks.ts',
  commandLineAsk: 'src/cli/askCommands.ts',
  commandLineCheck: 'src/cli/checkCommand.ts',
  commandLineDenom: 'src/cli/denomCommand.ts',
  commandLineMain: 'src/cli/commandLine.ts',
  commandLineMcp: 'src/cli/mcpCommand.ts',
  commandLineState: 'src/cli/stateCommands.ts',
  denom: 'src/ui/panel/denomPanel.ts',
  split: 'src/session/readSplit.ts',
  draftChecks: 'src/draft/checkDraft.ts',
  draftWords: 'src/draft/draftWords.ts',
  endpointRows: 'src/ui/endpoints/endpointRows.ts',
  drafts: 'src/ui/drafts/draftEditor.ts',
  openPanels: 'src/ui/panel/openPanels.ts',
  panels: 'src/ui/panel/proposalPanel.ts',
  messageFields: 'src/chain/content/messageFields.ts',
  proposalDocument: 'src/ui/proposalDocument.ts',
  protobuf: 'src/chain/content/protobuf.ts',
  nodeReads: 'src/chain/nodeReads.ts',
  stored: 'src/session/stored.ts',
  registry: 'src/session/registry.ts',
  sessions: 'src/openSessions.ts',
  source: 'src/openSource.ts',
  tables: 'src/service/tableFolder.ts',
  rowDetails: 'src/ui/trees/rowDetails.ts',
  service: 'src/service/service.ts',
  stateFiles: 'src/ui/endpoints/stateFiles.ts',
  exportRows: 'src/session/export.ts',
  tools: 'src/tools/toolTable.ts',
  transport: 'src/api/transport.ts',
  watch: 'src/ui/watch/watchView.ts',
};

/** Parts that others need at once, too: these load them instead of having copies of them. */
export const sharedParts = ['address', 'draftChecks', 'draftWords', 'messageFields', 'protobuf'];

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

/** Parts that are never used: of undici HTTP/2, with Node's module for it; of MCP the check of what users answer. */
const unusedParts = {
  name: 'unused-parts',
  setup(build) {
    build.onResolve({ filter: /\/(client-h2\.js|_shims)$/ }, (args) => ({
      path: args.path,
      namespace: 'left-out',
    }));
    build.onLoad({ filter: /_shims$/, namespace: 'left-out' }, () => ({
      contents: `export { default as process } from 'node:process'; export const DefaultJsonSchemaValidator = undefined;`,
    }));
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
  plugins: [lazyImports, unusedParts],
  // The name by which undici's own bundles leave the experimental parser out.
  define: { esbuildDetection: 'true' },
};

const pageFiles = ['page.ts', 'page.css'].map((file) => ({ in: `media/proposal/${file}`, out: 'proposal' }));

const builds = [
  { ...node, entryPoints: { extension: 'src/entry.ts' } },
  // It says which Node is needed, so that any Node has to understand it.
  { ...node, entryPoints: { commandLine: 'src/cli/chainInspector.ts' }, target: 'node12' },
  // `vscode` exists in the extension host only; a stray import of it elsewhere fails the build.
  { ...node, entryPoints: lazyParts, external: ['vscode'], logOverride: { 'empty-import-meta': 'silent' } },
  { ...node, entryPoints: { readerWorker: 'src/service/readerWorker.ts' } },
  { ...common, entryPoints: pageFiles, outdir: 'dist', format: 'iife', target: 'es2022' },
];

mkdirSync('dist', { recursive: true });
await buildWasm();
// What runs from the sources takes these alone from dist/.
const isForSources = process.argv.includes('--simd');
if (!isForSources || !existsSync('dist/presets.json')) writePresets('dist');
if (!isForSources || !existsSync('dist/ibcPaths.bin')) writeIbcTable('dist');
if (isForSources) process.exit();
writeFileSync('dist/draftProposal.schema.json', JSON.stringify(draftSchema()));
writeFileSync('dist/draftMetadata.schema.json', JSON.stringify(metadataSchema));
for (const options of builds) {
  const build = await context(options);
  if (watch) await build.watch();
  else {
    await build.rebuild();
    await build.dispose();
  }
}
