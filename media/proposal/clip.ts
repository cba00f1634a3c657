import { element } from './element.ts';

/**
 * Shows the beginning of a long part and a button for the rest. What is clipped stays in the page, so find reaches it;
 * find, the keyboard or a selection getting there unfolds it.
 */
export function toClipped(content: HTMLElement, buttonText: string): HTMLElement {
  const button = element('button', { type: 'button', class: 'more' }, buttonText);
  const frame = element('div', { class: 'clip closed' }, content);
  const whole = element('div', { class: 'clipped' }, frame, button);
  const open = () => {
    if (!frame.classList.contains('closed')) return;
    frame.classList.remove('closed');
    frame.scrollTop = 0;
    if (document.activeElement === button) focusStart(content);
    button.remove();
  };
  button.addEventListener('click', open);
  // The editor's find scrolls a clipped place into view, and so does the focus of a link in it.
  frame.addEventListener('scroll', open);
  frame.addEventListener('focusin', (event) => {
    if (event.target instanceof Element && isBelow(event.target, frame)) open();
  });
  frame.addEventListener('unfold', open);
  return whole;
}

function isBelow(place: Element, frame: Element): boolean {
  return place.getBoundingClientRect().bottom > frame.getBoundingClientRect().bottom;
}

function focusStart(content: HTMLElement): void {
  content.tabIndex = -1;
  content.focus({ preventScroll: true });
}
