/** Lets at most so many in at once; the others wait in order. */
export interface Gate {
  /** Resolves to the function that gives the place back; rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function createGate(width: number): Gate {
  let free = width;
  const waiting = new Set<() => void>();

  function leave() {
    const [next] = waiting;
    if (!next) free++;
    else {
      waiting.delete(next);
      next();
    }
  }

  /** Each place is given back once, however often it is asked. */
  function place() {
    let held = true;
    return () => {
      if (held) leave();
      held = false;
    };
  }

  return {
    enter(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        if (free > 0) {
          free--;
          resolve(place());
          return;
        }
        const onAbort = () => {
          waiting.delete(onTurn);
          reject(signal.reason);
        };
        const onTurn = () => {
          signal.removeEventListener('abort', onAbort);
          resolve(place());
        };
        waiting.add(onTurn);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
