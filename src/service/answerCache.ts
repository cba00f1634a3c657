const mostBytes = 16 * 1024 * 1024;

/** Bodies that were answered before, by URL; a state does not change, so they stay right. The oldest go first. */
export class AnswerCache {
  readonly #bodies = new Map<string, Buffer>();
  #bytes = 0;

  get(url: string): Buffer | undefined {
    return this.#bodies.get(url);
  }

  add(url: string, body: Buffer): void {
    if (this.#bodies.has(url) || body.length > mostBytes / 8) return;
    this.#bodies.set(url, body);
    this.#bytes += body.length + url.length;
    for (const [oldest, old] of this.#bodies) {
      if (this.#bytes <= mostBytes) return;
      this.#bodies.delete(oldest);
      this.#bytes -= old.length + oldest.length;
    }
  }
}
