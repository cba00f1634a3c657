#!/usr/bin/env node
// Takes the place of the editor's executable for `runTests` of @vscode/test-electron: it understands the two arguments
// that matter, runs the editor from the npm package in a browser without a window, prints what the tests print, and
// exits with their code. Which editor: HOST_TESTS_EDITOR (`oldest` or `newest`).
import { startEditor } from './editor.ts';

/** The value of `--name=value`. */
function argument(name: string): string {
  const start = `--${name}=`;
  const found = process.argv.find((argument) => argument.startsWith(start));
  if (found === undefined) throw new Error(`${start}… is missing.`);
  return found.slice(start.length);
}

/**
 * What the editor says of itself: that its native modules are not built (see editorInstall.ts), that it connects, and
 * that there is no gallery of extensions.
 */
function isNoise(line: string): boolean {
  const words = /bindings file|watchdog|connection token|Creating a socket|open-vsx|\[Service Worker\]|ChatSession/i;
  return words.test(line) || /^(\[\w+[:\]-]|Updating additional|Loading development)/.test(line);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const editor = await startEditor({
  version: process.env.HOST_TESTS_EDITOR === 'oldest' ? 'oldest' : 'newest',
  extensionPath: argument('extensionDevelopmentPath'),
  testsPath: argument('extensionTestsPath'),
  alone: true,
  onLog: (line) => {
    if (!isNoise(line)) console.log(line);
  },
});
const minutes = 5;
const timer = setTimeout(() => {
  console.error(`The host tests did not end within ${minutes} minutes.`);
  process.exit(1);
}, minutes * 60_000);
const code = await editor.exited;
clearTimeout(timer);
await editor.dispose();
process.exit(code);
