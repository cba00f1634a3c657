import type { ActionView, ProposalView, ShowMessage } from '../../src/ui/panel/protocol.ts';
import { element, foreign } from './element.ts';
import type { PageContext } from './pageContext.ts';
import type { Patch } from './patch.ts';
import { shortcutOf, shortcutText } from './shortcut.ts';

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
