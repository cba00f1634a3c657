import { prose } from './sampleContents.ts';

const chapters: readonly [string, string, string][] = [
  [
    'Membership',
    'anyone who holds or stakes the coin of this chain',
    'A member may leave at any time and owes nobody a reason.',
  ],
  [
    'Forum',
    'the place where every proposal is discussed before it is sent',
    'A draft stays open for at least seven days, and longer when its author asks.',
  ],
  ['Editors', 'three people elected for six months', 'Editors tidy titles and tags; they never remove an argument.'],
  [
    'Treasury',
    'the community pool and everything that was paid out of it',
    'Money follows milestones, and a milestone is something that others can check.',
  ],
  [
    'Validators',
    'the operators of the active set',
    'An operator says in public which software it runs and how it can be reached at night.',
  ],
  [
    'Upgrades',
    'every change of the software that needs a halt',
    'A release candidate runs on the test network for two weeks before a height is named.',
  ],
  [
    'Emergencies',
    'a bug that puts funds at risk',
    'Those who know of it tell the security contacts first and the world afterwards.',
  ],
  [
    'Contracts',
    'code that a vote has stored on the chain',
    'Its source is public, its build can be repeated, and its admin is named.',
  ],
  ['Bridges', 'every way on which coins enter or leave', 'A bridge has limits per day, and somebody who may close it.'],
  ['Conduct', 'how we talk with each other', 'Argue about the proposal, not about the person who wrote it.'],
  [
    'Records',
    'minutes, reports and results',
    'They are kept for as long as the chain runs, in a form that a program can read.',
  ],
  ['Amendments', 'changes to this charter', 'An amendment quotes the old sentence, the new sentence and the reason.'],
];
const duties = [
  'It is read in good faith: where a sentence can be understood in two ways, the one that gives members more say is meant.',
  'Whoever acts for the community under this chapter reports once a quarter, in plain words and with numbers.',
  'A decision under this chapter can be undone by a later vote, unless money has already left the chain because of it.',
  'Two members who are not related to the matter may ask for a review; the review is public and takes at most ten days.',
  'Nothing here takes a right away that the protocol itself gives, and nothing here can promise what the protocol cannot do.',
  'Costs are named before they arise. A cost that nobody named is carried by the one who caused it.',
  'Deadlines end at midnight UTC of the day that is named; a deadline that falls on a halt moves to the first day after it.',
];

/** A text of about twenty thousand characters: chapters, clauses, a table of contents. */
export function sampleCharter(): string {
  const contents = chapters.map(([name], index) => `${index + 1}. ${name}`).join('\n');
  return prose(
    '# Charter of the Lantern community',
    'This charter says what we promise each other. It binds nobody by force; it is the measure by which we ask to be judged.',
    '## Contents',
    contents,
    ...chapters.map(([name, scope, core], index) => chapter(index + 1, name, scope, core)),
    '---',
    'Signed by a vote of the stakers. Comments: [forum](https://forum.example.org/charter).',
  );
}

function chapter(number: number, name: string, scope: string, core: string): string {
  const clauses = duties.map((duty, index) => `**${number}.${index + 2}** ${duty} ${inside(name, index)}`);
  return prose(`## ${number}. ${name}`, `**${number}.1** This chapter is about ${scope}. ${core}`, ...clauses);
}

const inside = (name: string, index: number) =>
  index % 2 === 0
    ? `For the chapter "${name}" this holds from the day on which the vote ends.`
    : `Questions about "${name}" are answered in the forum, under the tag \`${name.toLowerCase()}\`, and the answer is added here by amendment.`;
