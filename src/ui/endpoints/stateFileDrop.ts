import * as vscode from 'vscode';

/** Opens the state files that are dropped onto a view; the last one is shown. */
export const stateFileDrop: vscode.TreeDragAndDropController<unknown> = {
  dragMimeTypes: [],
  dropMimeTypes: ['text/uri-list', 'files'],
  handleDrop: async (_target, transfer) => {
    await vscode.commands.executeCommand('chainInspector._dropStateFiles', transfer);
  },
};
