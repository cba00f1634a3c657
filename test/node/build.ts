import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startFolder } from '../support/folders.ts';
import { foreground } from '../support/processes.ts';

/** The versions of the Cosmos SDK that nodes are built of, oldest first. */
export const versions = ['0.45.16', '0.46.16', '0.50.15', '0.53.8'] as const;
export type Version = (typeof versions)[number];

/**
 * Versions, and two applications that serve one comparison each: the one that ibc-go tests itself with, and the one of CosmWasm, which has
 * all modules of the SDK, ibc-go and wasmd.
 */
export const nodeNames = [...versions, 'ibc-8.7.0', 'wasmd-0.61.14'] as const;
export type NodeName = (typeof nodeNames)[number];

/** Whether it is the application of ibc-go. */
export function isIbc(name: NodeName): name is 'ibc-8.7.0' {
  return name === 'ibc-8.7.0';
}

/** Whether it is the application of CosmWasm. */
export function isWasm(name: NodeName): name is 'wasmd-0.61.14' {
  return name === 'wasmd-0.61.14';
}

/** The version of the SDK that a node is built of. */
export function sdkOf(name: NodeName): Version {
  if (isWasm(name)) return '0.53.8';
  return isIbc(name) ? '0.50.15' : name;
}

/** The inputs of the script of proposals and of the questions. */
export interface Features {
  /** gov v1: proposals are messages. */
  readonly govV1: boolean;
  /** Proposals with title, summary and proposer; every module has a MsgUpdateParams (SDK 0.47). */
  readonly titles: boolean;
  /** Expedited proposals, cancelling, and an application made by `app.go` (SDK 0.50). */
  readonly expedited: boolean;
}

export function featuresOf(version: Version): Features {
  const minor = Number(version.split('.')[1]);
  return { govV1: minor >= 46, titles: minor >= 47, expedited: minor >= 50 };
}

/** How a node is built: the replacements of the SDK are taken over. */
interface Recipe {
  readonly go: string;
  readonly requires: readonly string[];
  readonly source: () => string;
  /** The arguments of `go build`, if it builds another package. */
  readonly target?: readonly string[];
}

/** The SDK's own test application, as it is, or that of another module. */
function simapp(executeArguments: string, from = 'github.com/cosmos/cosmos-sdk/simapp', root = 'root, _'): string {
  return `package main

import (
	"os"

	servercmd "github.com/cosmos/cosmos-sdk/server/cmd"
	"${from}"
	"${from}/simd/cmd"
)

func main() {
	${root} := cmd.NewRootCmd()
	if err := servercmd.Execute(${executeArguments}); err != nil {
		os.Exit(1)
	}
}
`;
}

const app = () => readFileSync(join(import.meta.dirname, 'app.go'), 'utf8');
// The sonic that these SDKs name does not compile with Go 1.26.
const sonic = 'github.com/bytedance/sonic v1.15.5';
const ibcGo = 'github.com/cosmos/ibc-go/v8';
const wasmd = 'github.com/CosmWasm/wasmd';
const recipes: Readonly<Record<NodeName, Recipe>> = {
  '0.45.16': { go: '1.19', requires: [], source: () => simapp('root, simapp.DefaultNodeHome') },
  '0.46.16': { go: '1.19', requires: [], source: () => simapp('root, "", simapp.DefaultNodeHome') },
  '0.50.15': {
    go: '1.23.2',
    requires: ['cosmossdk.io/client/v2 v2.0.0-beta.8', 'cosmossdk.io/x/upgrade v0.1.4', sonic],
    source: app,
  },
  '0.53.8': {
    go: '1.23.2',
    requires: ['cosmossdk.io/client/v2 v2.0.0-beta.11', 'cosmossdk.io/x/upgrade v0.2.0', sonic],
    source: app,
  },
  'ibc-8.7.0': {
    go: '1.23.2',
    requires: [`${ibcGo} v8.7.0`, 'cosmossdk.io/client/v2 v2.0.0-beta.8', sonic],
    source: () => simapp('root, "", simapp.DefaultNodeHome', `${ibcGo}/testing/simapp`, 'root'),
  },
  'wasmd-0.61.14': {
    go: '1.24.1',
    requires: [`${wasmd} v0.61.14`, sonic],
    source: () => `package main\n\nimport _ "${wasmd}/app"\n\nfunc main() {}\n`,
    target: [`-ldflags=-X ${wasmd}/app.Bech32Prefix=cosmos`, `${wasmd}/cmd/wasmd`],
  },
};

/** The folder with the files of the wasmd that nodes are built of, among them contracts for its own tests. */
export function wasmdFolder(): string {
  const { stdout } = spawnSync('go', ['mod', 'download', '-json', `${wasmd}@v0.61.14`], { encoding: 'utf8' });
  return /"Dir": "(.*)"/.exec(stdout)?.[1] ?? '';
}

/** The output of `go version`. Undefined without Go. */
export function goVersion(): string | undefined {
  const { status, stdout } = spawnSync('go', ['version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Builds a node and gives the path of its binary, which is kept in the user's cache folder: a second call takes no time.
 * One package at a time and at low priority, as a build takes minutes. Rejects when Go fails; what it says is shown.
 */
export function buildNode(name: NodeName, stop: AbortSignal): Promise<string> {
  return buildProgram(`simd-${name}`, sdkOf(name), recipes[name], stop);
}

/** The ibc-go whose modules judge parameters beside those of an SDK. */
const ibcOf = { '0.50.15': 'v8.7.0', '0.53.8': 'v10.7.0' } as const;

/**
 * Builds the program that tells which parameters the modules of an SDK and of ibc-go take (`paramBounds.go`), of SDK 0.46 which legacy
 * changes (`legacyBounds.go`); as `buildNode`.
 */
export function buildBounds(version: '0.46.16' | '0.50.15' | '0.53.8', stop: AbortSignal): Promise<string> {
  const sourceOf = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');
  if (version === '0.46.16') {
    const source = (): string => sourceOf('legacyBounds.go');
    return buildProgram(`bounds-${version}`, version, { go: '1.19', requires: [], source }, stop);
  }
  const ibc = ibcOf[version];
  const [major = ''] = ibc.split('.');
  const source = (): string => sourceOf('paramBounds.go').replaceAll('/IBC/', `/${major}/`);
  const requires = [sonic, `github.com/cosmos/ibc-go/${major} ${ibc}`];
  return buildProgram(`bounds-${version}`, version, { go: '1.23.2', requires, source }, stop);
}

async function buildProgram(name: string, version: Version, recipe: Recipe, stop: AbortSignal): Promise<string> {
  const { go, requires, source, target = ['.'] } = recipe;
  const main = source();
  const digest = createHash('sha256')
    .update(`${main}${requires.join()}${recipe.target?.join() ?? ''}`)
    .digest('hex')
    .slice(0, 12);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'chain-inspector', 'nodes');
  const binary = join(cache, `${name}-${digest}`);
  if (existsSync(binary)) return binary;
  mkdirSync(cache, { recursive: true });

  const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod -p=1' };
  const folder = startFolder('go');
  try {
    const download = ['mod', 'download', '-json', `github.com/cosmos/cosmos-sdk@v${version}`];
    const { stdout, stderr } = spawnSync('go', download, { cwd: folder.path, encoding: 'utf8', env });
    const sdk = /"Dir": "(.*)"/.exec(stdout)?.[1];
    if (sdk === undefined) throw new Error(`Go cannot download Cosmos SDK ${version}: ${stderr || stdout}`);
    // Replacements count in the main module only, so those of the SDK are taken over.
    const replacements = /^replace \([\s\S]*?^\)/m.exec(readFileSync(join(sdk, 'go.mod'), 'utf8'))?.[0] ?? '';
    const required = [`github.com/cosmos/cosmos-sdk v${version}`, ...requires]
      .map((line) => `require ${line}\n`)
      .join('');
    writeFileSync(join(folder.path, 'go.mod'), `module node\n\ngo ${go}\n\n${required}\n${replacements}\n`);
    writeFileSync(join(folder.path, 'main.go'), main);
    const made = `${binary}.${process.pid}`;
    const code = await foreground('nice', ['go', 'build', '-o', made, ...target], stop, { cwd: folder.path, env });
    stop.throwIfAborted();
    if (code !== 0) throw new Error(`Go could not build ${name} (exit code ${code}).`);
    renameSync(made, binary);
    return binary;
  } finally {
    folder.dispose();
  }
}
