// What somebody does while an answer is on its way waits for it, in order: a second move is made where the first one
// led, and neither is lost.

export class Queue {
  #round = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0; // acts of this round that have not ended

  get busy(): boolean {
    return this.#waiting > 0;
  }

  // run does something once all that was asked for before it has ended, at once if there is nothing. It comes to
  // undefined where clear was called first; an act that has begun sees by its signal that it is not wanted any more.
  run<T>(act: (signal: AbortSignal) => Promise<T> | T): Promise<T | undefined> {
    const {signal} = this.#round,
      begin = () => (signal.aborted ? undefined : act(signal));
    const done = this.#waiting++ ? this.#last.then(begin) : new Promise<T | undefined>(go => go(begin()));
    const end = () => {
      if (!signal.aborted) this.#waiting--;
    };
    this.#last = done.then(end, end);
    return done;
  }

  // clear forgets what waits: somebody has gone elsewhere.
  clear(): void {
    this.#round.abort();
    this.#round = new AbortController();
    this.#last = Promise.resolve();
    this.#waiting = 0;
  }
}
