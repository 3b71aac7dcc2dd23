// What the explorer asks the server for. Answers are kept for a while, so that a step back costs nothing.
import type {BookEntry, Explored, Position} from '../api';
import type {Context} from '../app';
import {latest} from '../client';
import {notationOf} from '../kinds';
import type {Walk} from './model';

const size = 60; // positions and answers that are kept

class Kept<T> {
  #map = new Map<string, Promise<T>>();

  // of returns what is kept for a question, or asks.
  of(question: unknown, ask: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question),
      p = this.#map.get(key) ?? ask();
    if (!this.#map.has(key)) {
      this.#map.set(key, p);
      p.catch(() => this.#map.delete(key));
      if (this.#map.size > size) this.#map.delete(this.#map.keys().next().value!);
    }
    return p;
  }

  clear(): void {
    this.#map.clear();
  }
}

export interface Asking {
  position(line: string, back?: number, move?: string): Promise<Position>;
  know(p: Position): void; // the position of its line, which came with another answer
  answer(): Promise<Explored | undefined>; // about the spot; undefined where another question came after
  book(): Promise<BookEntry | undefined>;
  forget(): void; // what the book said
}

export function asking(ctx: Context, walk: Walk): Asking {
  const positions = new Kept<Position>(),
    answers = new Kept<Explored>(),
    entries = new Kept<BookEntry>();
  const notation = () => notationOf(ctx, walk.state.game);
  const question = (line: string, back = 0, move = '') => ({
    game: walk.state.game.spec,
    line,
    notation: notation(),
    ...(back && {back}),
    ...(move && {play: move}),
  });
  return {
    position(line, back, move) {
      const query = question(line, back, move);
      return positions.of(query, () => ctx.call('GET /position', {query}));
    },
    know: p => void positions.of(question(p.line), () => Promise.resolve(p)),
    answer: latest(ctx.signal, signal => {
      const query = walk.question(notation());
      return answers.of(query, () => ctx.call('GET /explore', {query}, signal));
    }),
    book: latest(ctx.signal, signal => {
      const query = {
        game: walk.state.game.spec,
        line: walk.spot?.line ?? '',
        notation: notation(),
        threshold: walk.state.threshold,
        games: walk.state.of,
        within: walk.question(undefined).within,
      };
      return entries.of(query, () => ctx.call('GET /book', {query}, signal));
    }),
    forget: () => entries.clear(),
  };
}
