import type { Moment } from '../../src/ui/panel/block.ts';
import type { PageWords, ProposalView } from '../../src/ui/panel/protocol.ts';

/** The source's clock as it was told, running on by the page's own. */
export class Countdown {
  #words: PageWords | undefined;
  #now = 0;
  #runs = false;
  #toldAt = 0;

  /** Takes over the clock of a view and writes every countdown on the page. */
  set(clock: ProposalView['clock'], words: PageWords): void {
    this.#words = words;
    this.#now = Date.parse(clock.now);
    this.#runs = clock.runs;
    this.#toldAt = performance.now();
    this.tick();
  }

  /** Writes the texts that changed, and nothing else on the page. */
  tick(): void {
    const words = this.#words;
    if (!words) return;
    const now = this.#now + (this.#runs ? performance.now() - this.#toldAt : 0);
    for (const place of document.querySelectorAll<HTMLElement>('[data-until]')) {
      const text = remaining(place.dataset.until ?? '', now, words);
      if (place.textContent !== text) place.textContent = text;
    }
  }
}

/** `in 2 days 7 h 4 min`; seconds in the last hour only. */
function remaining(until: Moment, now: number, words: PageWords): string {
  const seconds = Math.floor((Date.parse(until) - now) / 1000);
  if (seconds <= 0) return words.timeUp;
  const units: [string, number][] = [
    [words.days, Math.floor(seconds / 86_400)],
    [words.hours, Math.floor(seconds / 3_600) % 24],
    [words.minutes, Math.floor(seconds / 60) % 60],
    [words.seconds, seconds < 3_600 ? seconds % 60 : 0],
  ];
  const parts = units.filter(([, count]) => count > 0).map(([word, count]) => word.replace('{0}', String(count)));
  return words.inTime.replace('{0}', () => parts.join(' '));
}
