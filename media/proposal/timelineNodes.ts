import type { TimelineStep } from '../../src/ui/panel/block.ts';
import { element } from './element.ts';
import type { PageContext } from './pageContext.ts';

/** The steps of a proposal in order; done, to come and unknown are told apart by shape and by word. */
export function toTimelineNode(steps: readonly TimelineStep[], context: PageContext): HTMLElement {
  return element('ol', { class: 'timeline' }, ...steps.map((step) => toStep(step, context)));
}

function toStep(step: TimelineStep, context: PageContext): HTMLElement {
  const made = element(
    'li',
    { class: step.state },
    element('b', {}, step.label),
    element('span', { class: 'state' }, step.stateLabel),
  );
  if (step.at !== undefined) made.append(context.times.toNode(step.at));
  if (step.countdown) made.append(element('span', { class: 'countdown', role: 'timer', 'data-until': step.at }));
  if (step.note !== undefined) made.append(element('span', { class: 'note' }, step.note));
  return made;
}
