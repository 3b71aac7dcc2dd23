// The seam between the parts of the search page: one state that never changes in place, and the few ways to make a new
// one.
import type {Answer, Condition, Game, Hit, Mistake, NextMove} from '../api';
import type {Context} from '../app';
import type {Editor} from './model';

// State is one search: what undo goes back to.
export interface State {
  readonly game: Game;
  readonly ed: Editor;
  readonly conditions: readonly Condition[];
  readonly text: string; // the query
}

// View is how it is looked at. It is in the URL beside the query.
export const orders = ['', 'store', 'occurrences', 'date', 'rating', 'likeness'] as const; // '' is the usual one

export interface View {
  sort: (typeof orders)[number];
  reverse: boolean;
  variations: boolean;
  tab: string;
  by: string;
  flip: boolean;
}

// Found is what the search has told so far.
export interface Found {
  readonly games: number;
  readonly hits: number;
  readonly rows: readonly Hit[];
  readonly answer: Answer | null; // once all is counted
  readonly stale: boolean; // of the query before this one
}

export interface Desk {
  readonly ctx: Context;
  readonly games: readonly Game[];
  readonly state: State;
  readonly view: View;
  readonly found: Found | null;
  readonly mistake: Mistake | null;
  readonly reading: boolean; // the board and the conditions are not yet those of the text
  // edit changes the board. An edit that goes 'on' with the one before it, as a stroke does, is undone together with
  // it; a 'step' is a place to come back to.
  edit(change: Partial<Editor>, how?: 'new' | 'on' | 'step'): void;
  restrict(list: readonly Condition[]): void; // other conditions
  ask(text: string, goesOn?: boolean): void; // another query text
  choose(spec: string): void; // another game
  look(change: Partial<View>): void;
  back(): void; // undo
  again(): void; // redo
  readonly can: {readonly back: boolean; readonly again: boolean};
  play(move: NextMove): void; // a continuation onto the board
  mark(move: NextMove | null): void; // shows a continuation on the board
  link(q: string, game?: string): string; // the address of a search
  params(): {q: string; game: string; variations?: boolean};
}
