/** Work that several callers wait for is done once. */
export interface Flights<T> {
  /**
   * Joins the flight of this key, or starts one. A caller whose signal fires leaves with an `AbortError`; when the last
   * one has left, the signal that `start` was given fires.
   */
  join(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  has(key: string): boolean;
  /** Ends all; callers get an `AbortError`. */
  abort(): void;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly control: AbortController;
  passengers: number;
}

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>();

  function launch(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const control = new AbortController();
    const result = start(control.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    const flight: Flight<T> = { result, control, passengers: 0 };
    flights.set(key, flight);
    return flight;
  }

  function leave(key: string, flight: Flight<T>) {
    flight.passengers--;
    if (flight.passengers > 0) return;
    if (flights.get(key) === flight) flights.delete(key);
    flight.control.abort(cancelled());
  }

  return {
    has: (key) => flights.has(key),
    join(key, signal, start) {
      if (signal?.aborted) return Promise.reject(cancelled());
      const flight = flights.get(key) ?? launch(key, start);
      flight.passengers++;
      if (!signal) return flight.result;
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          leave(key, flight);
          reject(cancelled());
        };
        signal.addEventListener('abort', onAbort, { once: true });
        flight.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
      });
    },
    abort() {
      for (const flight of flights.values()) flight.control.abort(cancelled());
      flights.clear();
    },
  };
}

/** What every cancelled call rejects with, whatever reason the caller's signal carries. */
export function cancelled(): DOMException {
  return new DOMException('The request was cancelled', 'AbortError');
}
