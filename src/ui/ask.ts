import * as vscode from 'vscode';
import { escapeForUi } from '../chain/text.ts';
import { setContext } from './contextKeys.ts';

/** The longest sentence of the extension. Texts from outside in it are cut earlier. */
const longest = 1000;

/** The longest text that may be typed into a setting, in characters. */
const longestSetting = 300;

/** A line of a choice. Its texts may come from outside. Its icon may not. */
export interface PickItem extends vscode.QuickPickItem {
  readonly icon?: string | undefined;
}

type PickTexts = Readonly<Partial<Record<'title' | 'placeHolder', string | undefined>>>;

function toShown<Item extends PickItem>(item: Item): Item {
  const { icon, label, description = '', detail = '' } = item;
  return {
    ...item,
    label: `${icon ? `$(${icon}) ` : ''}${escapeForUi(label, longest)}`,
    description: escapeForUi(description, longest),
    detail: escapeForUi(detail, longest),
  };
}

function escapeTexts({ title = '', placeHolder = '' }: PickTexts): PickTexts {
  return { title: escapeForUi(title, longest), placeHolder: escapeForUi(placeHolder, longest) };
}

/** Asks for one of several items. Undefined if the user cancels. Descriptions are searched too. */
export async function pickOne<Item extends PickItem>(
  items: readonly Item[],
  texts: PickTexts,
): Promise<Item | undefined> {
  return vscode.window.showQuickPick(items.map(toShown), { ...escapeTexts(texts), matchOnDescription: true });
}

/** Asks for some of several items. Undefined if the user cancels. */
export async function pickMany<Item extends PickItem>(
  items: readonly Item[],
  texts: PickTexts,
): Promise<Item[] | undefined> {
  return vscode.window.showQuickPick(items.map(toShown), { ...escapeTexts(texts), canPickMany: true });
}

/** Items under a heading. Empty if there are no items. */
export function underHeading<Item extends PickItem>(
  heading: string,
  items: readonly Item[],
): readonly (Item | PickItem)[] {
  return items.length === 0 ? [] : [{ label: heading, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** Whether an item contains a text, in upper or lower case. */
export function itemHasText({ label, description = '' }: PickItem, text: string): boolean {
  return `${label} ${description}`.toLowerCase().includes(text.toLowerCase());
}

/** The key binding of Escape calls it while a box with a step before it is open. */
const goBack = 'chainInspector._goBack';

/** The effects of Escape instead of closing the open box. The last one counts. */
const waysBack: (() => void)[] = [];
let registered: vscode.Disposable | undefined;

async function addWayBack(go: () => void): Promise<void> {
  waysBack.push(go);
  registered ??= vscode.commands.registerCommand(goBack, () => waysBack.at(-1)?.());
  await setContext('hasStepBefore', true);
}

async function removeWayBack(go: () => void): Promise<void> {
  const at = waysBack.lastIndexOf(go);
  if (at >= 0) waysBack.splice(at, 1);
  if (waysBack.length > 0) return;
  await setContext('hasStepBefore', false);
  if (waysBack.length > 0) return;
  registered?.dispose();
  registered = undefined;
}

/**
 * Asks a second question once the first is answered. Escape in the second asks the first again; undefined when the user leaves
 * otherwise, or leaves the first.
 */
export async function askInSteps<First, Second>(
  first: () => Promise<First | undefined>,
  second: (answer: First) => Promise<Second | undefined>,
): Promise<Second | undefined> {
  for (;;) {
    const answer = await first();
    if (answer === undefined) return undefined;
    let isBack = false;
    const go = (): void => {
      isBack = true;
      void vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    };
    await addWayBack(go);
    const next = await second(answer).finally(() => removeWayBack(go));
    if (next !== undefined || !isBack) return next;
  }
}

/** A question for a text. `fault` says why a text is invalid, and is undefined for a valid text. */
type TextQuestion = Omit<vscode.InputBoxOptions, 'validateInput'> & {
  readonly fault?: (text: string) => string | undefined;
};

/** Says that a text is too long for a setting. Undefined if it is not. */
export function lengthFault({ length }: string): string | undefined {
  return length > longestSetting ? vscode.l10n.t('At most {0} characters', longestSetting) : undefined;
}

/** Asks for a text. Undefined if the user cancels. A secret may be of any length, since it enters no setting. */
export async function askText(question: TextQuestion): Promise<string | undefined> {
  const { title = '', prompt = '', fault, ...others } = question;
  return vscode.window.showInputBox({
    ...others,
    title: escapeForUi(title, longest),
    prompt: escapeForUi(prompt, longest),
    validateInput: (text) =>
      escapeForUi((others.password ? undefined : lengthFault(text)) ?? fault?.(text) ?? '', longest),
  });
}

/** Asks for a text, and calls `onChange` while it is typed. Resolves with whether it was accepted. */
export async function askLive(title: string, value: string, onChange: (text: string) => void): Promise<boolean> {
  const input = vscode.window.createInputBox();
  input.title = escapeForUi(title, longest);
  input.value = value;
  const answer = Promise.withResolvers<true | undefined>();
  const listeners = [input.onDidChangeValue(onChange), input.onDidAccept(() => answer.resolve(true))];
  return (await answerOf(input, answer, listeners)) ?? false;
}

/**
 * Replaces the items of a box. With a title, the box also gets the button Back, which leads to the items for the text.
 */
export type ShowItems<Item> = (items: readonly Item[], title?: string) => void;

/** The question of `pickTyped`. */
export interface TypedQuestion<Item> extends PickTexts {
  readonly value?: string;
  readonly find: (typed: string) => readonly Item[];
  /** Finds more items while the text stays and the box is open. `show` replaces the items. Never rejects. */
  readonly search?: (typed: string, signal: AbortSignal, show: ShowItems<Item>) => Promise<void>;
  readonly isChoice: (item: Item) => boolean;
  /**
   * Does the work of an accepted item while the box stays open and busy. Escape, which leads back to the items that
   * were found, and typing abort the signal. Resolves with whether the box closes. If not, the box has the items that were shown last. Without `accept`, the box closes
   * at once.
   */
  readonly accept?: (taken: Taken<Item>, signal: AbortSignal, show: ShowItems<Item>) => Promise<boolean>;
  /** The answer of the button Back and of Escape, if another question came before. The box then stays open without focus. */
  readonly back?: Item;
}

interface Taken<Item> {
  readonly item: Item;
  readonly isButton: boolean;
  readonly typed: string;
}

/**
 * Asks for an item among those that are found for the typed text. Undefined if the user cancels. Rejects as `accept`
 * does.
 */
export async function pickTyped<Item extends PickItem>(
  question: TypedQuestion<Item>,
): Promise<Taken<Item> | undefined> {
  return new TypedBox(question).ask();
}

class TypedBox<Item extends PickItem> {
  readonly #question: TypedQuestion<Item>;
  readonly #pick = vscode.window.createQuickPick<Item>();
  readonly #end = Promise.withResolvers<Taken<Item> | undefined>();
  /** Aborts the work for the text, or for the accepted item. */
  #work = new AbortController();
  /** Enter was pressed before any item was there. The first item that is found will be accepted. */
  #isAccepted = false;
  #isTaken = false;
  /** The item that is active until the user moves. VS Code sorts by labels, and would activate its own first item. */
  #first: Item | undefined;
  /** The item that the user moved to. It stays active while items are added. */
  #chosen: Item | undefined;

  constructor(question: TypedQuestion<Item>) {
    this.#question = question;
    this.#pick.placeholder = escapeTexts(question).placeHolder;
    this.#pick.value = question.value ?? '';
  }

  ask(): Promise<Taken<Item> | undefined> {
    const pick = this.#pick;
    this.#start();
    const listeners = [
      pick.onDidChangeValue(() => this.#start()),
      pick.onDidChangeActive(([item]) => {
        this.#chosen = item === this.#first ? undefined : item;
      }),
      pick.onDidTriggerButton(this.#goBack),
      pick.onDidTriggerItemButton(({ item }) => this.#take(item, true)),
      pick.onDidAccept(() => this.#accept()),
    ];
    return answerOf(pick, this.#end, listeners).finally(() => {
      this.#work.abort();
      void removeWayBack(this.#goBack);
    });
  }

  readonly #goBack = (): void => {
    const { back } = this.#question;
    if (back && !this.#isTaken) this.#take(back, true);
    else this.#start();
  };

  #start(): void {
    const { find, search } = this.#question;
    const signal = this.#restart('find');
    const typed = this.#pick.value.trim();
    this.#show(find(typed));
    if (search) this.#during(signal, search(typed, signal, this.#showUntil(signal)));
  }

  #restart(work: 'find' | 'take'): AbortSignal {
    const pick = this.#pick;
    const { back } = this.#question;
    this.#work.abort();
    this.#work = new AbortController();
    this.#isAccepted = false;
    this.#isTaken = work === 'take';
    pick.busy = false;
    pick.ignoreFocusOut = this.#isTaken || back !== undefined;
    pick.buttons = pick.ignoreFocusOut ? [vscode.QuickInputButtons.Back] : [];
    void (pick.ignoreFocusOut ? this.#allowBack() : removeWayBack(this.#goBack));
    this.#chosen = undefined;
    return this.#work.signal;
  }

  async #allowBack(): Promise<void> {
    if (!waysBack.includes(this.#goBack)) await addWayBack(this.#goBack);
  }

  #during(signal: AbortSignal, work: Promise<unknown>): void {
    this.#pick.busy = true;
    const ended = (): void => {
      if (!signal.aborted) this.#pick.busy = false;
    };
    work.then(ended, (error: unknown) => (signal.aborted ? undefined : this.#end.reject(error)));
  }

  #showUntil(signal: AbortSignal): ShowItems<Item> {
    return (items, title): void => (signal.aborted ? undefined : this.#show(items, title));
  }

  #show(items: readonly Item[], title = this.#question.title): void {
    const pick = this.#pick;
    pick.title = escapeTexts({ title }).title;
    pick.keepScrollPosition = this.#chosen !== undefined;
    pick.items = items.map((item) => toShown({ ...item, alwaysShow: true }));
    this.#chosen = pick.items.find((item) => isSame(item, this.#chosen));
    this.#first = pick.items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
    const active = this.#chosen ?? this.#first;
    if (active) pick.activeItems = [active];
    const choice = this.#isAccepted ? pick.items.find(this.#question.isChoice) : undefined;
    if (choice) this.#take(choice, false);
  }

  #accept(): void {
    const item = this.#chosen ?? this.#first;
    if (item && this.#question.isChoice(item)) this.#take(item, false);
    else this.#isAccepted = !this.#isTaken && item === this.#first;
  }

  #take(item: Item, isButton: boolean): void {
    const { accept } = this.#question;
    const taken = { item, isButton, typed: this.#pick.value };
    if (!accept) {
      this.#end.resolve(taken);
      return;
    }
    const signal = this.#restart('take');
    const close = (isDone: boolean): void => (isDone && !signal.aborted ? this.#end.resolve(taken) : undefined);
    this.#during(signal, accept(taken, signal, this.#showUntil(signal)).then(close));
  }
}

function isSame(one: PickItem, other: PickItem | undefined): boolean {
  return one.label === other?.label && one.description === other.description;
}

/** Shows a box and waits for its answer. Undefined if the user cancels. The box and its listeners are disposed. */
async function answerOf<T>(
  input: Pick<vscode.QuickInput, 'show' | 'dispose' | 'onDidHide'>,
  answer: PromiseWithResolvers<T | undefined>,
  listeners: readonly vscode.Disposable[],
): Promise<T | undefined> {
  const onHide = input.onDidHide(() => answer.resolve(undefined));
  input.show();
  try {
    return await answer.promise;
  } finally {
    for (const listener of [...listeners, onHide]) listener.dispose();
    input.dispose();
  }
}

/** A signal that is aborted when the editor cancels. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const ended = new AbortController();
  token.onCancellationRequested(() => ended.abort());
  return ended.signal;
}

/** Runs `work` under a notification with Cancel, which aborts the signal. `percent` moves the bar. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, show: (message: string, percent?: number) => void) => Promise<T>,
): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: escapeForUi(title, longest),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    let before = 0;
    return work(signalOf(token), (message, percent = before) => {
      progress.report({ message: escapeForUi(message, longest), increment: percent - before });
      before = percent;
    });
  });
}
