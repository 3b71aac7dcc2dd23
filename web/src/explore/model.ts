// What the explorer knows and decides, without a document: where in a line it stands, what was answered about it, what
// to ask next, and where its links lead.
import type {BookEntry, Explored, Hit, Position} from '../api';
import {ordered} from '../kinds';
import {sameMove} from '../moves';
import {labLink, searchLink} from '../router';
import {type State, narrowed, switches, write} from './state';

export class Walk {
  end: Position | null = null; // of the line
  spot: Position | null = null; // what stands on the board
  answer: Explored | null = null; // about the spot; null while it is asked for
  book: BookEntry | null = null;

  constructor(public state: State) {}

  // take goes over to another state, and tells whether that asks for anything but drawing. Where it does not, the state
  // is still the same object: what is being asked for is still wanted.
  take(s: State): 'draw' | 'ask' {
    const old = this.state,
      {tab, flip, heat, overlay, hints} = old;
    if (write({...s, tab, flip, heat, overlay, hints}) === write(old)) {
      Object.assign(old, s);
      return 'draw';
    }
    this.state = s;
    if (s.game !== old.game) this.end = this.spot = null;
    return 'ask';
  }

  // arrive is told the positions of the state. What is known is of another one, if it is not the one before.
  arrive(end: Position, spot: Position): void {
    if (spot !== this.spot) this.answer = this.book = null;
    this.end = end;
    this.spot = spot;
  }

  get ply(): number {
    return Math.min(this.state.ply ?? Infinity, this.end?.ply ?? 0);
  }

  // toward is the change of state that leads to a ply of the line, or to the nearest; null where that is shown.
  toward(ply: number): Pick<State, 'ply'> | null {
    const n = this.end?.ply ?? 0,
      at = Math.max(0, Math.min(n, ply));
    return at === this.ply ? null : {ply: at === n ? null : at};
  }

  // goesOn tells whether a move that was played here is the next one of the line.
  goesOn(p: Position): boolean {
    const made = p.moves.at(-1),
      next = this.end?.moves[this.spot?.ply ?? 0];
    return !!made && !!next && sameMove(made, next);
  }

  // question is what to ask about the spot.
  question(notation: string | undefined) {
    const s = this.state;
    return {
      game: s.game.spec,
      line: this.spot?.line ?? '',
      notation,
      within: narrowed(s),
      games: s.of,
      boards: true,
      openings: true,
      limit: 20,
      ...Object.fromEntries(switches.filter(x => s[x]).map(x => [x, true])),
      ...ordered(s.sort),
    };
  }

  // legal is what can be played, where that is few enough to be a help. Points with figures show it already.
  legal(): number[] | undefined {
    const {game, heat} = this.state,
      told = heat ? (this.answer?.moves.map(m => m.move.to) ?? []) : [];
    if (!game.geometry.cells || game.moving) return undefined;
    return this.spot?.legal.flatMap(m => (m.to < 0 || told.includes(m.to) ? [] : [m.to]));
  }

  get last(): {from?: number; to: number} | undefined {
    const m = this.spot?.moves.at(-1);
    return m && m.to >= 0 ? {to: m.to, ...(m.from >= 0 && {from: m.from})} : undefined;
  }

  get isNarrowed(): boolean {
    return !!(this.state.collection || this.state.within || this.state.exact);
  }

  // query is the question as the search writes it, without the game.
  get query(): string {
    return (this.answer?.query ?? '').replace(/^game:\S+ and /, '');
  }

  get searchLink(): string {
    return searchLink(this.query || `position:"${this.spot?.line || 'start'}"`, this.state.game.spec);
  }
  get playLink(): string {
    return this.#link('/play', this.spot?.line ? {m: this.spot.line} : {});
  }
  get judgeLink(): string {
    return this.#link('/judge', {m: this.spot?.text ?? ''});
  }
  get labLink(): string {
    return labLink({g: this.state.game.spec, m: this.spot?.line ?? ''});
  }
  get recordsLink(): string {
    return this.#link('/records', {q: this.query});
  }
  recordLink(x: Hit): string {
    return `${this.#link(`/records/${x.record.id}`, {q: this.query})}#${x.ply}`;
  }
  #link(path: string, more: Record<string, string>): string {
    return `${path}?${new URLSearchParams({g: this.state.game.spec, ...more}).toString()}`;
  }
}
