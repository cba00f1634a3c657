import type { PageMessage, ProposalView, Section, ShowMessage } from '../../src/ui/panel/protocol.ts';
import { toBlockNode, toCellNodes } from './blockNodes.ts';
import { type MarkdownParser, PageClock, type PageContext, startMarkdownParser } from './pageContext.ts';
import { element, findInFolds, foreign, Patch, unfoldAll } from './patch.ts';

/** The page of a proposal: asks for everything once it is ready, and shows what it is sent. */
class Page {
  readonly #editor = acquireVsCodeApi();
  readonly #patch = new Patch();
  readonly #header = new Header(this.#patch);
  readonly #main = element('main');
  readonly #footer = element('footer');
  #shownKey = '';
  #clock: PageClock | undefined;
  #parser: MarkdownParser | undefined;

  start(): void {
    document.body.replaceChildren(this.#header.element, this.#main, this.#footer);
    window.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (isShowMessage(event.data)) this.#show(event.data);
      else console.warn('Unknown message', event.data);
    });
    window.addEventListener('keydown', press, { capture: true });
    window.addEventListener('scroll', () => this.#storeScroll(), { passive: true });
    setInterval(() => this.#clock?.tick(), 1_000);
    findInFolds();
    this.#send({ type: 'ready' });
    // While the answer is on its way.
    setTimeout(() => this.#startParser(), 0);
  }

  #startParser(): MarkdownParser {
    this.#parser ??= startMarkdownParser();
    return this.#parser;
  }

  #show(message: ShowMessage): void {
    const key = `${message.restore.sourceId} ${message.restore.proposalId}`;
    const isNew = key !== this.#shownKey;
    const scroll = readScroll(this.#editor.getState(), key);
    if (isNew) this.#main.replaceChildren();
    this.#shownKey = key;
    document.documentElement.lang = message.words.language;
    const context = this.#context(message);
    if (message.state.kind === 'loaded') context.clock.set(message.state.view.clock);
    this.#header.show(message.state, context);
    this.#showState(message.state, context);
    if (isNew) window.scrollTo(0, scroll);
    this.#editor.setState({ restore: message.restore, key, scroll: window.scrollY });
    if (isNew) requestAnimationFrame(() => setTimeout(() => this.#send({ type: 'painted' }), 0));
  }

  #showState(state: ShowMessage['state'], context: PageContext): void {
    switch (state.kind) {
      case 'loading':
        this.#main.replaceChildren(element('p', { class: 'loading', role: 'status' }, state.text));
        this.#footer.replaceChildren();
        break;
      case 'failed': {
        const retry = element('button', { type: 'button', class: 'primary' }, state.retry);
        retry.addEventListener('click', () => context.retry());
        this.#main.replaceChildren(element('p', { class: 'notice bad', role: 'alert' }, state.text), retry);
        this.#footer.replaceChildren();
        break;
      }
      case 'loaded': {
        const { view } = state;
        for (const child of [...this.#main.children]) if (child.tagName !== 'SECTION') child.remove();
        this.#showSections(view.sections, context);
        const about = view.about.map((text) => element('bdi', {}, text));
        this.#footer.replaceChildren(...about, view.read ? context.clock.toNode(view.read) : '');
        break;
      }
      default:
        state satisfies never;
    }
  }

  #showSections(sections: readonly Section[], context: PageContext): void {
    const shells = sections.map(({ id, title, note }) => ({ id, title, note }));
    this.#patch.list(
      this.#main,
      shells,
      (shell) => shell.id,
      (shell) => toShell(shell, context),
    );
    for (const section of sections) {
      const blocks = this.#main.querySelector(`section[data-key="${section.id}"] > .blocks`);
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
    this.#clock ??= new PageClock(message.words);
    return {
      words: message.words,
      clock: this.#clock,
      parser: this.#startParser(),
      openLink: (url, text) => this.#send({ type: 'openLink', url, text }),
      retry: () => this.#send({ type: 'retry' }),
      act: (action) => this.#send({ type: 'act', action }),
    };
  }

  #storeScroll(): void {
    const state = this.#editor.getState();
    if (isRecord(state)) this.#editor.setState({ ...state, scroll: window.scrollY });
  }

  #send(message: PageMessage): void {
    this.#editor.postMessage(message);
  }
}

/** Keys that are the page's own; those of commands are key bindings of the editor. */
function press(event: KeyboardEvent): void {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') unfoldAll();
  // The editor has commands on these; a browser would leave the page.
  if (event.altKey && event.key.startsWith('Arrow')) event.preventDefault();
  const fold = isPlain && /^[a-z]$/.test(event.key) && document.querySelector(`[data-shortcut="${event.key}"]`);
  if (!(fold instanceof HTMLDetailsElement)) return;
  const summary = fold.querySelector('summary');
  summary?.click();
  summary?.focus();
}

function toShell({ id, title, note }: Pick<Section, 'id' | 'title' | 'note'>, context: PageContext): HTMLElement {
  const heading = element('h2', { id: `title-${id}` }, title);
  const line = element('div', { class: 'title' }, heading, note && element('small', {}, toCellNodes(note, context)));
  return element('section', { 'aria-labelledby': heading.id }, line, element('div', { class: 'blocks' }));
}

function readScroll(state: unknown, key: string): number {
  return isRecord(state) && state.key === key && typeof state.scroll === 'number' ? state.scroll : 0;
}

function isShowMessage(value: unknown): value is ShowMessage {
  return isRecord(value) && value.type === 'show';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The top of the page: status, title and the answer at first glance. Updated in place. */
class Header {
  readonly element = element('header');
  readonly #over = element('p', { class: 'over' });
  readonly #title = element('h1', { tabindex: '-1' });
  readonly #notices = element('div');
  readonly #glance = element('div', { class: 'glance' });
  readonly #patch: Patch;

  constructor(patch: Patch) {
    this.#patch = patch;
    this.element.append(this.#over, this.#title, this.#notices, this.#glance);
  }

  show(state: ShowMessage['state'], context: PageContext): void {
    const view = state.kind === 'loaded' ? state.view : undefined;
    const id = state.kind === 'loaded' ? state.view.id : state.id;
    const title = state.kind === 'loaded' ? state.view.title : state.kind === 'failed' ? state.title : '';
    const over = view
      ? [
          { text: view.status.label, look: `pill ${view.status.tone}` },
          ...view.badges.map((badge) => ({ ...badge, look: 'badge' })),
        ]
      : [];
    this.#patch.list(
      this.#over,
      over,
      (_, at) => String(at),
      (part) => foreign('span', part.text, { class: part.look, title: 'hint' in part ? part.hint : undefined }),
    );
    this.#patch.list(
      this.#title,
      [{ text: `${id} `, name: 'id' }, ...(title ? [{ text: title, name: 'name' }] : [])],
      (part) => part.name,
      (part) => foreign('span', part.text, { class: part.name }),
    );
    this.#patch.list(
      this.#notices,
      view?.notices ?? [],
      (_, at) => String(at),
      (notice) => foreign('p', notice.text, { class: `notice ${notice.tone}`, role: 'status' }),
    );
    const glance = view ? [view.glance] : [];
    this.#patch.list(
      this.#glance,
      glance,
      () => 'glance',
      (shown) => toGlance(shown, context),
    );
    document.title = `${id} ${title}`;
  }
}

function toGlance({ time, verdict, bar, mine }: ProposalView['glance'], context: PageContext): HTMLElement {
  // No line ends between a number and its unit.
  const text = verdict?.text.replaceAll(/(?<=\d) (?=%)/g, '\u00a0') ?? '';
  const sentence =
    verdict && element('p', { class: `verdict ${verdict.tone}` }, element('b', {}, verdict.lead), ` ${text}`);
  return element(
    'div',
    {},
    element('div', { class: 'answer' }, time && element('p', { class: 'ends' }, context.clock.toNode(time)), sentence),
    mine !== undefined && foreign('p', mine, { class: 'mine' }),
    bar && toBlockNode(bar, context),
  );
}

new Page().start();
