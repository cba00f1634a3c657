import type { Comparison, Section } from '../../session/compare/comparison.ts';
import type { Difference, SectionName } from './comparisonWords.ts';

/** What differs in a section; nothing where it was not compared. */
export function differencesOf(section: SectionName, comparison: Comparison): readonly Difference[] {
  return listed<Difference>(comparison[section]);
}

/** The same for a section whose differences are known to be of one kind. */
export function listed<D>(section: Section<D>): readonly D[] {
  return section.kind === 'compared' ? section.differences : [];
}
