import * as vscode from 'vscode';
import type { ActiveSession } from '../activeSession.ts';
import { type Command, commandsOf } from '../commands/command.ts';
import type { Selection } from '../commands/commandArguments.ts';
import type { GoTo } from '../goTo/goTo.ts';
import type { LazyWatchList } from './lazyWatchList.ts';
import { watchCommandIds } from './watchScreen.ts';

/** The commands of the watch list. It is loaded when the first command runs. */
export function watchListCommands(
  active: ActiveSession,
  watchList: LazyWatchList,
  goTo: GoTo,
  selection: Selection,
): readonly Command[] {
  const failure = vscode.l10n.t('Could not change the Watch List');
  return [
    ...commandsOf(failure, {
      watchById: () =>
        active.sessions.use(active.session.source, async (session) => {
          const goals = await goTo.askToWatch(session);
          await (await watchList.load()).commands.addRows(goals);
        }),
    }),
    ...watchCommandIds.flatMap((id) =>
      commandsOf(failure, {
        [id]: async (first, second) => (await watchList.load()).commands.run(id, first, second, selection),
      }),
    ),
  ];
}
