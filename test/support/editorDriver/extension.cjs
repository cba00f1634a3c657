// Runs in the editor beside the extension under test, so that tests can change settings and call commands and know when
// that is done. (A settings file that is written from outside is not seen reliably by an editor in a browser.)
const { connect } = require('node:net');
const { createInterface } = require('node:readline');
const vscode = require('vscode');

// Never run unless a text became a link: hostile texts name it.
let canaryRuns = 0;
// The longest time that the extension host was busy without a pause, in milliseconds. Where the machine is busy with others
// the clock goes on and the processor time of this process does not.
let longestStall = 0;

function watchStalls() {
  let clock = performance.now();
  let cpu = process.cpuUsage();
  setInterval(() => {
    const used = process.cpuUsage(cpu);
    const stall = Math.min(performance.now() - clock, (used.user + used.system) / 1000);
    longestStall = Math.max(longestStall, stall);
    clock = performance.now();
    cpu = process.cpuUsage();
  }, 20).unref();
}

const actions = {
  settings: async (changes) => {
    for (const [name, value] of Object.entries(changes)) {
      // null stands for "back to the default": JSON has no undefined.
      await vscode.workspace.getConfiguration().update(name, value ?? undefined, vscode.ConfigurationTarget.Global);
    }
  },
  // The longest stall, and how often the canary ran, since the last call.
  harm: () => {
    const harm = { longestStall: Math.round(longestStall), canaryRuns };
    longestStall = 0;
    canaryRuns = 0;
    return harm;
  },
  // `{ $uri: 'file:///…' }` stands for a Uri, which JSON cannot hold.
  execute: (command, ...args) =>
    vscode.commands.executeCommand(command, ...args.map((arg) => (arg?.$uri ? vscode.Uri.parse(arg.$uri) : arg))),
};

exports.activate = (context) => {
  watchStalls();
  context.subscriptions.push(
    vscode.commands.registerCommand('editorDriver.canary', () => canaryRuns++),
    vscode.commands.registerCommand('editorDriver.isFocused', () => vscode.window.state.focused),
  );
  const socket = connect(Number(process.env.EDITOR_DRIVER_PORT), '127.0.0.1');
  socket.on('error', () => {});
  context.subscriptions.push({ dispose: () => socket.destroy() });
  createInterface({ input: socket }).on('line', async (line) => {
    const { id, action, args } = JSON.parse(line);
    const answer = await Promise.resolve(actions[action](...args)).then(
      (result) => ({ id, result: JSON.stringify(result) }),
      (error) => ({ id, error: String(error) }),
    );
    socket.write(`${JSON.stringify(answer)}\n`);
  });
};
