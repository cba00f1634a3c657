import * as vscode from 'vscode';
import { plain } from './plain.ts';

/** Sentences of ours may be longer than the texts from outside in them. */
const longest = 1000;

/** A line of a choice. Its texts may come from outside; the icon is ours. */
export interface PickItem extends vscode.QuickPickItem {
  readonly icon?: string | undefined;
}

type PickTexts = Readonly<Partial<Record<'title' | 'placeHolder', string | undefined>>>;

function toShown<Item extends PickItem>(item: Item): Item {
  const { icon, label, description = '', detail = '' } = item;
  return {
    ...item,
    label: `${icon ? `$(${icon}) ` : ''}${plain(label, longest)}`,
    description: plain(description, longest),
    detail: plain(detail, longest),
  };
}

function plainTexts({ title = '', placeHolder = '' }: PickTexts) {
  return { title: plain(title, longest), placeHolder: plain(placeHolder, longest) };
}

/** Asks for one of several; undefined when the user leaves. Descriptions are searched, too. */
export async function pickOne<Item extends PickItem>(items: readonly Item[], texts: PickTexts) {
  return vscode.window.showQuickPick(items.map(toShown), { ...plainTexts(texts), matchOnDescription: true });
}

/** Asks for some of several; undefined when the user leaves. */
export async function pickMany<Item extends PickItem>(items: readonly Item[], texts: PickTexts) {
  return vscode.window.showQuickPick(items.map(toShown), { ...plainTexts(texts), canPickMany: true });
}

/** Items under a heading; nothing where there are none. */
export function section<Item extends PickItem>(heading: string, items: readonly Item[]): readonly (Item | PickItem)[] {
  return items.length === 0 ? [] : [{ label: heading, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** Whether an item holds a text, upper and lower case being the same. */
export function holdsText({ label, description = '' }: PickItem, text: string): boolean {
  return `${label} ${description}`.toLowerCase().includes(text.toLowerCase());
}

/** What is asked for as text. `fault`: why a text cannot be taken; undefined where it can. */
type TextQuestion = Omit<vscode.InputBoxOptions, 'validateInput'> & {
  readonly fault?: (text: string) => string | undefined;
};

/** Asks for a text; undefined when the user leaves. */
export async function askText(question: TextQuestion): Promise<string | undefined> {
  const { title = '', prompt = '', fault, ...others } = question;
  return vscode.window.showInputBox({
    ...others,
    title: plain(title, longest),
    prompt: plain(prompt, longest),
    validateInput: (text) => plain(fault?.(text) ?? '', longest),
  });
}

/** Asks for a text that has its effect while it is typed; resolves with whether it was accepted. */
export async function askLive(title: string, value: string, onChange: (text: string) => void): Promise<boolean> {
  const input = vscode.window.createInputBox();
  input.title = plain(title, longest);
  input.value = value;
  const accepted = await answerOf<true>(input, (resolve) => [
    input.onDidChangeValue(onChange),
    input.onDidAccept(() => resolve(true)),
  ]);
  return accepted ?? false;
}

interface TypedQuestion<Item> extends PickTexts {
  readonly value?: string;
  readonly find: (typed: string) => readonly Item[];
  /** Looks for more, as long as the text stays and the box is open; `show` replaces what is offered. Never rejects. */
  readonly search?: (typed: string, signal: AbortSignal, show: (items: readonly Item[]) => void) => Promise<void>;
  readonly isChoice: (item: Item) => boolean;
  /** What the button Back gives, where another question comes before; the box then stays when the focus goes elsewhere. */
  readonly back?: Item;
}

interface Taken<Item> {
  readonly item: Item;
  readonly isButton: boolean;
  readonly typed: string;
}

/** Asks for one of the items that are found for what is typed; undefined when the user leaves. */
export async function pickTyped<Item extends PickItem>(question: TypedQuestion<Item>) {
  const { value = '', find, search, isChoice, back, ...texts } = question;
  const pick = vscode.window.createQuickPick<Item>();
  const { title, placeHolder } = plainTexts(texts);
  pick.title = title;
  pick.placeholder = placeHolder;
  pick.value = value;
  pick.ignoreFocusOut = back !== undefined;
  pick.buttons = back ? [vscode.QuickInputButtons.Back] : [];
  let searching = new AbortController();
  /** Enter was pressed before there was anything to take: the first choice that is found is taken. */
  let isAccepted = false;
  /** The item that the user moved to, kept while items are added; the editor itself activates the first one. */
  let chosen: string | undefined;
  let itemsAreNew = true;
  const answer = answerOf<Taken<Item>>(pick, (resolve) => {
    const take = (item: Item, isButton: boolean) => resolve({ item, isButton, typed: pick.value });
    const show = (items: readonly Item[]) => {
      itemsAreNew = true;
      pick.keepScrollPosition = chosen !== undefined;
      pick.items = items.map((item) => toShown({ ...item, alwaysShow: true }));
      const again = pick.items.find(({ label }) => label === chosen);
      if (again) pick.activeItems = [again];
      const first = pick.items.find(isChoice);
      if (isAccepted && first) take(first, false);
    };
    const start = () => {
      searching.abort();
      searching = new AbortController();
      isAccepted = false;
      chosen = undefined;
      const { signal } = searching;
      const typed = pick.value.trim();
      show(find(typed));
      if (!search) return;
      pick.busy = true;
      void search(typed, signal, (items) => (signal.aborted ? undefined : show(items))).then(() => {
        if (!signal.aborted) pick.busy = false;
      });
    };
    start();
    return [
      pick.onDidChangeValue(start),
      pick.onDidChangeActive(([item]) => {
        // The first change after new items is made by the editor, not by the user.
        if (!itemsAreNew) chosen = item?.label;
        itemsAreNew = false;
      }),
      pick.onDidTriggerButton(() => back && take(back, true)),
      pick.onDidTriggerItemButton(({ item }) => take(item, true)),
      pick.onDidAccept(() => {
        const [item] = pick.activeItems;
        if (item && isChoice(item)) take(item, false);
        else isAccepted = true;
      }),
    ];
  });
  return answer.finally(() => searching.abort());
}

async function answerOf<T>(
  input: Pick<vscode.QuickInput, 'show' | 'dispose' | 'onDidHide'>,
  listen: (resolve: (answer: T) => void) => readonly vscode.Disposable[],
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const listeners = [...listen(resolve), input.onDidHide(() => resolve(undefined))];
  input.show();
  try {
    return await promise;
  } finally {
    for (const listener of listeners) listener.dispose();
    input.dispose();
  }
}

/** Runs `work` under a notification with Cancel, which fires the signal; `percent` moves the bar to there. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, show: (message: string, percent?: number) => void) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title: plain(title, longest), cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    let before = 0;
    return work(abort.signal, (message, percent = before) => {
      progress.report({ message: plain(message, longest), increment: percent - before });
      before = percent;
    });
  });
}
