#!/usr/bin/env node
// The build writes this file for old versions of Node, too. Everything else is loaded once the version is known.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) void import('./commandLine.ts').then(({ main }) => main());
else {
  process.stderr.write(`chain-inspector requires Node 22.19 or later. This is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
}
