import type { PageAction, PageMessage, ShowDenom, ShowProposal } from '../../src/page/pageMessages.ts';
import type { PageView, Section } from '../../src/page/pageView.ts';
import { toBlockNode, toCellNodes } from './blockNodes.ts';
import { type MarkdownParser, PageClock, type PageContext, startMarkdownParser } from './pageContext.ts';
import { element, findInFolds, Patch, setChildren, unfoldAll, untrusted } from './patch.ts';

/** The page of a proposal, a denom or a draft: asks for everything once it is ready, and shows what it is sent. */
class Page {
  readonly #editor = acquireVsCodeApi();
  readonly #patch = new Patch();
  readonly #over = element('p', { class: 'over' });
  readonly #title = element('h1', { tabindex: '-1' });
  readonly #notices = element('div');
  readonly #overview = element('div', { class: 'overview' });
  readonly #main = element('main');
  readonly #footer = element('footer');
  #shownKey = '';
  #clock: PageClock | undefined;
  #parser: MarkdownParser | undefined;

  start(): void {
    const header = element('header', {}, this.#over, this.#title, this.#notices, this.#overview);
    document.body.replaceChildren(header, this.#main, this.#footer);
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

  #show({ restore, words, view }: ShowProposal | ShowDenom): void {
    const key = `${restore.sourceId} ${'denom' in restore ? restore.denom : restore.proposalId}`;
    const isNew = key !== this.#shownKey;
    const scroll = readScroll(this.#editor.getState(), key);
    if (isNew) this.#main.replaceChildren();
    this.#shownKey = key;
    document.documentElement.lang = words.language;
    document.title = `${view.id} ${view.title}`.trim();
    this.#clock ??= new PageClock(words);
    this.#clock.set(view.clock);
    const context: PageContext = {
      words,
      clock: this.#clock,
      parser: this.#startParser(),
      openLink: (url, text) => this.#send({ type: 'openLink', url, text }),
      act: (action) => this.#send({ type: 'act', action }),
    };
    this.#showHeader(view, context);
    this.#showSections(view.sections, context);
    const about = view.about.map((text) => element('bdi', {}, text));
    this.#footer.replaceChildren(...about, view.read ? context.clock.toNode(view.read) : '');
    if (isNew) window.scrollTo(0, scroll);
    this.#editor.setState({ restore, key, scroll: window.scrollY });
    if (isNew) requestAnimationFrame(() => setTimeout(() => this.#send({ type: 'painted' }), 0));
  }

  /** Status, title and overview. */
  #showHeader(
    { id, title, subtitle, status, badges, notices, overview }: PageView<PageAction>,
    context: PageContext,
  ): void {
    const over = [
      ...(status ? [untrusted('span', status.label, { class: `pill ${status.look}` })] : []),
      ...badges.map(({ text, hint }) => untrusted('span', text, { class: 'badge', title: hint })),
    ];
    const name = title === '' ? [] : [untrusted('span', title, { class: 'name' })];
    const lines = notices.map(({ text, tone }) => {
      const role = tone === 'bad' ? 'alert' : 'status';
      return untrusted('p', text, { class: `notice ${tone}`, role });
    });
    setChildren(this.#over, over);
    const quiet = (text: string) => (text === '' ? [] : [untrusted('span', text, { class: 'id' })]);
    setChildren(this.#title, [...quiet(id && `${id} `), ...name, ...quiet(subtitle ? ` ${subtitle}` : '')]);
    setChildren(this.#notices, lines);
    this.#patch.list(
      this.#overview,
      [overview],
      () => 'overview',
      (shown) => toOverview(shown, context),
    );
  }

  #showSections(sections: readonly Section<PageAction>[], context: PageContext): void {
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

  #storeScroll(): void {
    const state = this.#editor.getState();
    if (isRecord(state)) this.#editor.setState({ ...state, scroll: window.scrollY });
  }

  #send(message: PageMessage<PageAction>): void {
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

function isShowMessage(value: unknown): value is ShowProposal | ShowDenom {
  return isRecord(value) && value.type === 'show';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function toOverview(
  { amount, time, verdict, bar, myVotes }: PageView<PageAction>['overview'],
  context: PageContext,
): HTMLElement {
  // No line ends between a number and its unit.
  const text = verdict?.text.replaceAll(/(?<=\d) (?=%)/g, '\u00a0') ?? '';
  const sentence =
    verdict &&
    element('p', { class: `verdict ${verdict.tone}`, title: verdict.hint }, element('b', {}, verdict.lead), ` ${text}`);
  return element(
    'div',
    {},
    amount && element('div', { class: 'ends' }, toCellNodes(amount, context)),
    element('div', { class: 'answer' }, time && element('p', { class: 'ends' }, context.clock.toNode(time)), sentence),
    myVotes && untrusted('p', myVotes.text, { class: `my-votes ${myVotes.tone}` }),
    bar && toBlockNode(bar, context),
  );
}

new Page().start();
