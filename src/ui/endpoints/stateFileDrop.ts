import * as vscode from 'vscode';

/** Opens state files that are dropped onto a view. The last one is shown. */
export const stateFileDrop: vscode.TreeDragAndDropController<unknown> = {
  dragMimeTypes: [],
  dropMimeTypes: ['text/uri-list', 'files'],
  handleDrop: async (_target, transfer) => {
    await vscode.commands.executeCommand('chainInspector._dropStateFiles', transfer);
  },
};
