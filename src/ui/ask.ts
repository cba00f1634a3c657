import * as vscode from 'vscode';
import { escapeForUi } from '../chain/text.ts';

/** Sentences of ours may be longer than the texts from outside in them. */
const longest = 1000;

/** Characters of a text that is typed into a setting. */
const longestSetting = 300;

/** A line of a choice. Its texts may come from outside; the icon is ours. */
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

/** Asks for one of several; undefined when the user leaves. Descriptions are searched, too. */
export async function pickOne<Item extends PickItem>(
  items: readonly Item[],
  texts: PickTexts,
): Promise<Item | undefined> {
  return vscode.window.showQuickPick(items.map(toShown), { ...escapeTexts(texts), matchOnDescription: true });
}

/** Asks for some of several; undefined when the user leaves. */
export async function pickMany<Item extends PickItem>(
  items: readonly Item[],
  texts: PickTexts,
): Promise<Item[] | undefined> {
  return vscode.window.showQuickPick(items.map(toShown), { ...escapeTexts(texts), canPickMany: true });
}

/** Items under a heading; nothing where there are none. */
export function section<Item extends PickItem>(heading: string, items: readonly Item[]): readonly (Item | PickItem)[] {
  return items.length === 0 ? [] : [{ label: heading, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** Whether an item holds a text, upper and lower case being the same. */
export function itemHasText({ label, description = '' }: PickItem, text: string): boolean {
  return `${label} ${description}`.toLowerCase().includes(text.toLowerCase());
}

/** What is asked for as text. `fault`: why a text cannot be taken; undefined where it can. */
type TextQuestion = Omit<vscode.InputBoxOptions, 'validateInput'> & {
  readonly fault?: (text: string) => string | undefined;
};

/** Why a text is too long for a setting; undefined where it is not. */
export function lengthFault({ length }: string): string | undefined {
  return length > longestSetting ? vscode.l10n.t('At most {0} characters', longestSetting) : undefined;
}

/** Asks for a text; undefined when the user leaves. A secret may be of any length: it enters no setting. */
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

/** Asks for a text that has its effect while it is typed; resolves with whether it was accepted. */
export async function askLive(title: string, value: string, onChange: (text: string) => void): Promise<boolean> {
  const input = vscode.window.createInputBox();
  input.title = escapeForUi(title, longest);
  input.value = value;
  const answer = Promise.withResolvers<true | undefined>();
  const listeners = [input.onDidChangeValue(onChange), input.onDidAccept(() => answer.resolve(true))];
  return (await answerOf(input, answer, listeners)) ?? false;
}

/** Replaces what a box offers. With a title of its own it has the button Back, which leads to what is found for the text. */
export type ShowItems<Item> = (items: readonly Item[], title?: string) => void;

/** What `pickTyped` asks. */
export interface TypedQuestion<Item> extends PickTexts {
  readonly value?: string;
  readonly find: (typed: string) => readonly Item[];
  /** Looks for more, as long as the text stays and the box is open; `show` replaces what is offered. Never rejects. */
  readonly search?: (typed: string, signal: AbortSignal, show: ShowItems<Item>) => Promise<void>;
  readonly isChoice: (item: Item) => boolean;
  /**
   * What taking an item does, in the box, which stays open and busy meanwhile; Escape and typing fire the signal. Resolves
   * with whether the box closes then; else it offers what was shown last. Without this the box closes at once.
   */
  readonly accept?: (taken: Taken<Item>, signal: AbortSignal, show: ShowItems<Item>) => Promise<boolean>;
  /** What the button Back gives, where another question comes before; the box then stays when the focus goes elsewhere. */
  readonly back?: Item;
}

interface Taken<Item> {
  readonly item: Item;
  readonly isButton: boolean;
  readonly typed: string;
}

/** Asks for one of the items that are found for what is typed; undefined when the user leaves. Rejects as `accept` does. */
export async function pickTyped<Item extends PickItem>(
  question: TypedQuestion<Item>,
): Promise<Taken<Item> | undefined> {
  return new TypedBox(question).ask();
}

class TypedBox<Item extends PickItem> {
  readonly #question: TypedQuestion<Item>;
  readonly #pick = vscode.window.createQuickPick<Item>();
  readonly #end = Promise.withResolvers<Taken<Item> | undefined>();
  /** Ends what goes on for the text, or for the item that was taken. */
  #work = new AbortController();
  /** Enter was pressed before there was anything to take: the first choice that is found is taken. */
  #isAccepted = false;
  #isTaken = false;
  /** The item that is active unless the user moves. The editor sorts by labels, and would make its own first one active. */
  #first: Item | undefined;
  /** The item that the user moved to, kept while items are added. */
  #chosen: Item | undefined;

  constructor(question: TypedQuestion<Item>) {
    this.#question = question;
    this.#pick.placeholder = escapeTexts(question).placeHolder;
    this.#pick.value = question.value ?? '';
  }

  ask(): Promise<Taken<Item> | undefined> {
    const pick = this.#pick;
    const { back } = this.#question;
    this.#start();
    const listeners = [
      pick.onDidChangeValue(() => this.#start()),
      pick.onDidChangeActive(([item]) => {
        this.#chosen = item === this.#first ? undefined : item;
      }),
      pick.onDidTriggerButton(() => (back && !this.#isTaken ? this.#take(back, true) : this.#start())),
      pick.onDidTriggerItemButton(({ item }) => this.#take(item, true)),
      pick.onDidAccept(() => this.#accept()),
    ];
    return answerOf(pick, this.#end, listeners).finally(() => this.#work.abort());
  }

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
    this.#chosen = undefined;
    return this.#work.signal;
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

/** Shows a box and waits for its answer; undefined when the user leaves. The box and its listeners end with that. */
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

/** Runs `work` under a notification with Cancel, which fires the signal; `percent` moves the bar to there. */
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
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    let before = 0;
    return work(abort.signal, (message, percent = before) => {
      progress.report({ message: escapeForUi(message, longest), increment: percent - before });
      before = percent;
    });
  });
}
