// Runs in the editor beside the extension under test, so that tests can change settings and call commands and know when
// that is done. (A settings file that is written from outside is not seen reliably by an editor in a browser.)
const { connect } = require('node:net');
const { createInterface } = require('node:readline');
const vscode = require('vscode');

const actions = {
  settings: async (changes) => {
    for (const [name, value] of Object.entries(changes)) {
      // null stands for "back to the default": JSON has no undefined.
      await vscode.workspace.getConfiguration().update(name, value ?? undefined, vscode.ConfigurationTarget.Global);
    }
  },
  // `{ $uri: 'file:///…' }` stands for a Uri, which JSON cannot hold.
  execute: (command, ...args) =>
    vscode.commands.executeCommand(command, ...args.map((arg) => (arg?.$uri ? vscode.Uri.parse(arg.$uri) : arg))),
};

exports.activate = (context) => {
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
