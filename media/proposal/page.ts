import type { ActionView, PageMessage, ProposalView, Section, ShowMessage } from '../../src/ui/panel/protocol.ts';
import { toBlockNode } from './blockNodes.ts';
import './page.css';
import { type MarkdownParser, type PageContext, startMarkdownParser, TimeNodes } from './pageContext.ts';
import { Countdown, element, findInFolds, foreign, Patch, unfoldAll } from './patch.ts';

/** The page of a proposal: asks for everything once it is there, and shows what it is told. */
class Page {
  readonly #editor = acquireVsCodeApi();
  readonly #patch = new Patch();
  readonly #header = new Header(this.#patch);
  readonly #main = element('main');
  readonly #footer = element('footer');
  readonly #countdown = new Countdown();
  #shownKey = '';
  #actions: readonly ActionView[] = [];
  #times: TimeNodes | undefined;
  #parser: MarkdownParser | undefined;

  start(): void {
    document.body.replaceChildren(this.#header.element, this.#main, this.#footer);
    window.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (isShowMessage(event.data)) this.#show(event.data);
      else console.warn('Unknown message', event.data);
    });
    // Before the editor's own listener, which would pass the key on to its key bindings too.
    window.addEventListener('keydown', (event) => this.#press(event), { capture: true });
    window.addEventListener('scroll', () => this.#keep(), { passive: true });
    setInterval(() => this.#countdown.tick(), 1_000);
    findInFolds();
    this.#send({ type: 'ready' });
    // While the answer is on its way.
    setTimeout(() => this.#readyParser(), 0);
  }

  #press(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') unfoldAll();
    const pressed = this.#actions.find(({ key }) => key !== undefined && isShortcut(event, key));
    if (!pressed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (pressed.enabled) this.#send({ type: 'action', action: pressed.action });
  }

  #readyParser(): MarkdownParser {
    this.#parser ??= startMarkdownParser();
    return this.#parser;
  }

  #show(message: ShowMessage): void {
    const key = `${message.restore.sourceId} ${message.restore.proposalId}`;
    const fresh = key !== this.#shownKey;
    const kept = readKept(this.#editor.getState(), key);
    if (fresh) this.#main.replaceChildren();
    this.#shownKey = key;
    this.#actions = message.actions;
    document.documentElement.lang = message.words.language;
    const context = this.#context(message);
    this.#header.show(message, context);
    this.#showState(message, context);
    if (fresh) window.scrollTo(0, kept);
    this.#editor.setState({ restore: message.restore, key, scroll: window.scrollY });
    if (fresh) requestAnimationFrame(() => setTimeout(() => this.#send({ type: 'painted' }), 0));
  }

  #showState(message: ShowMessage, context: PageContext): void {
    const state = message.state;
    switch (state.kind) {
      case 'loading':
        this.#main.replaceChildren(element('p', { class: 'loading', role: 'status' }, state.text));
        this.#footer.replaceChildren();
        break;
      case 'failed': {
        const retry = element('button', { type: 'button', class: 'primary' }, state.retry);
        retry.addEventListener('click', () => context.act('refresh'));
        this.#main.replaceChildren(element('p', { class: 'notice bad', role: 'alert' }, state.text), retry);
        this.#footer.replaceChildren();
        break;
      }
      case 'loaded': {
        const { view } = state;
        for (const child of [...this.#main.children]) if (child.tagName !== 'SECTION') child.remove();
        this.#showSections(view.sections, context);
        const read = element('span', {}, `${view.readAt.label} `, context.times.toNode(view.readAt.at));
        this.#footer.replaceChildren(...view.about.map((text) => element('bdi', {}, text)), read);
        this.#countdown.set(view.clock, message.words);
        break;
      }
      default:
        state satisfies never;
    }
  }

  #showSections(sections: readonly Section[], context: PageContext): void {
    const shells = sections.map(({ id, title }) => ({ id, title }));
    this.#patch.list(this.#main, shells, (shell) => shell.id, toShell);
    for (const section of sections) {
      const blocks = this.#main.querySelector(`section[data-key="${section.id}"] > div`);
      if (!blocks) continue;
      this.#patch.list(
        blocks,
        section.blocks,
        (block, at) => `${block.kind} ${at}`,
        (block) => toBlockNode(block, context),
      );
    }
  }

  #context(message: ShowMessage): PageContext {
    this.#times ??= new TimeNodes(message.words);
    return {
      words: message.words,
      times: this.#times,
      parser: this.#readyParser(),
      openLink: (url, text) => this.#send({ type: 'openLink', url, text }),
      act: (action) => this.#send({ type: 'action', action }),
    };
  }

  #keep(): void {
    const state = this.#editor.getState();
    if (isRecord(state)) this.#editor.setState({ ...state, scroll: window.scrollY });
  }

  #send(message: PageMessage): void {
    this.#editor.postMessage(message);
  }
}

function toShell(shell: Pick<Section, 'id' | 'title'>): HTMLElement {
  const heading = element('h2', { id: `title-${shell.id}` }, shell.title);
  return element('section', { 'aria-labelledby': heading.id, class: shell.id }, heading, element('div'));
}

function readKept(state: unknown, key: string): number {
  return isRecord(state) && state.key === key && typeof state.scroll === 'number' ? state.scroll : 0;
}

function isShowMessage(value: unknown): value is ShowMessage {
  return isRecord(value) && value.type === 'show';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const isMac = /mac/i.test(navigator.platform);

/** A shortcut as `aria-keyshortcuts` writes it on this machine. */
export function shortcutOf(key: string): string {
  return isMac ? key.replace('Control', 'Meta') : key;
}

/** A shortcut as people read it: `Ctrl+R`, `⌘R`, `Alt+↑`. */
export function shortcutText(key: string): string {
  const arrows = key.replace('ArrowLeft', '←').replace('ArrowUp', '↑').replace('ArrowDown', '↓');
  return isMac ? arrows.replace('Control+', '⌘').replace('Alt+', '⌥') : arrows.replace('Control', 'Ctrl');
}

/** Whether a key press is this shortcut, with no other modifier. */
export function isShortcut(event: KeyboardEvent, key: string): boolean {
  const parts = shortcutOf(key).split('+');
  return (
    event.key.toLowerCase() === parts.at(-1)?.toLowerCase() &&
    event.ctrlKey === parts.includes('Control') &&
    event.altKey === parts.includes('Alt') &&
    event.metaKey === parts.includes('Meta') &&
    !event.shiftKey
  );
}

/** The top of the page: status, title and what can be done. Updated in place, so that a pressed button keeps the focus. */
export class Header {
  readonly element = element('header');
  readonly #over = element('p', { class: 'over' });
  readonly #title = element('h1', { tabindex: '-1' });
  readonly #actions = element('div', { class: 'actions', role: 'group' });
  readonly #notices = element('div');
  readonly #patch: Patch;

  constructor(patch: Patch) {
    this.#patch = patch;
    this.element.append(this.#over, this.#title, this.#actions, this.#notices);
  }

  show(message: ShowMessage, context: PageContext): void {
    const state = message.state;
    const id = state.kind === 'loaded' ? state.view.id : state.id;
    const title = state.kind === 'loaded' ? state.view.title : state.kind === 'failed' ? state.title : '';
    const over = state.kind === 'loaded' ? overParts(state.view) : [];
    const notices = state.kind === 'loaded' ? state.view.notices : [];
    this.#actions.setAttribute('aria-label', message.words.actions);
    this.#patch.list(this.#over, over, (_, at) => String(at), toOverPart);
    this.#patch.list(
      this.#title,
      [{ text: `${id} `, name: 'id' }, ...(title ? [{ text: title, name: 'name' }] : [])],
      (part) => part.name,
      (part) => foreign('span', part.text, { class: part.name }),
    );
    this.#patch.list(
      this.#notices,
      notices,
      (_, at) => String(at),
      (notice) => foreign('p', notice.text, { class: `notice ${notice.tone}`, role: 'status' }),
    );
    for (const view of message.actions) this.#showAction(view, context);
    document.title = `${id} ${title}`;
  }

  #showAction(view: ActionView, context: PageContext): void {
    const known = this.#actions.querySelector<HTMLButtonElement>(`button[data-action="${view.action}"]`);
    const button = known ?? element('button', { type: 'button', 'data-action': view.action });
    if (!known) {
      button.addEventListener('click', () => {
        if (button.getAttribute('aria-disabled') !== 'true') context.act(view.action);
      });
      this.#actions.append(button);
    }
    if (button.textContent !== view.label) button.textContent = view.label;
    button.title = view.key === undefined ? view.hint : `${view.hint} (${shortcutText(view.key)})`;
    if (view.key !== undefined) button.setAttribute('aria-keyshortcuts', shortcutOf(view.key));
    // Not `disabled`: a button that goes dead under the finger must not lose the focus.
    button.setAttribute('aria-disabled', String(!view.enabled));
    if (view.pressed !== undefined) button.setAttribute('aria-pressed', String(view.pressed));
  }
}

interface OverPart {
  readonly text: string;
  readonly look: string;
}

function overParts(view: ProposalView): readonly OverPart[] {
  return [
    { text: view.status.label, look: `pill ${view.status.tone}` },
    ...view.badges.map((text) => ({ text, look: 'badge' })),
  ];
}

function toOverPart(part: OverPart): HTMLElement {
  return foreign('span', part.text, { class: part.look });
}

new Page().start();
