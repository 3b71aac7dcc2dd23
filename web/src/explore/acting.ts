// What hands do in the explorer: moves and steps, each from where the one before led.
import type {Move, Position} from '../api';
import type {Context} from '../app';
import {pointed, targets, written} from '../moves';
import {Queue} from '../queue';
import {Sound} from '../sound';
import type {Asking} from './asking';
import type {Walk} from './model';
import type {State} from './state';

type Wanted = (here: Position) => string | null | Promise<string | null>;

// Stage is where it happens.
export interface Stage {
  arrived(): Promise<void>; // once the board shows the state
  follow(change: Partial<State>, how: 'push' | 'replace'): Promise<void>; // goes there, until the board shows it
  choose(clear?: boolean): void; // another piece is to move, or none; clear: what was pointed at is gone, too
}

export class Acts {
  picked: number | null = null; // the piece that is to move
  #clicked = ''; // the last move by pointer
  #queue = new Queue();
  #sound = new Sound();

  constructor(
    private readonly ctx: Context,
    private readonly walk: Walk,
    private readonly ask: Asking,
    private readonly stage: Stage,
  ) {}

  get busy(): boolean {
    return this.#queue.busy;
  }
  clear(): void {
    this.#queue.clear();
  }

  // drops are the moves that put a piece down on a point.
  drops(p: number): readonly Move[] {
    return this.walk.spot?.legal.filter(m => m.from < 0 && m.to === p) ?? [];
  }

  // canPick tells whether a piece may be picked up. While a move is on its way nobody knows what the next one may be:
  // the server tells.
  canPick(p: number): boolean {
    return this.busy ? !!this.walk.spot?.pieces[p] : !!this.walk.spot?.legal.some(m => m.from === p);
  }

  // choice is the piece that is to move and where it may go, or what may be played.
  choice() {
    const at = this.picked;
    if (at === null) return {selected: undefined, legal: this.walk.legal()};
    return {selected: at, legal: this.busy || !this.walk.spot ? undefined : targets(this.walk.spot.legal, at)};
  }

  pick(p: number | null): void {
    this.picked = p;
    this.stage.choose();
  }

  // play asks for a move behind those that wait, and tells whether it could be played. What it is may depend on the
  // position that they lead to; one of a list is played in the position that the list is of.
  async play(move: Wanted, of: Position | null = null): Promise<boolean> {
    this.picked = null;
    this.stage.choose(true);
    const ok = await this.#queue.run(signal => this.#answer(move, of, signal));
    this.settle();
    return !!ok;
  }

  // click plays what the pointer says. A second click of a double one says nothing more.
  click(from: number, to: number): void {
    const what = `${from} ${to}`;
    if (this.busy && what === this.#clicked) return;
    this.#clicked = what;
    void this.play(here => pointed(this.ctx, this.walk.state.game, here, from, to));
  }
  listed(m: Move): void {
    void this.play(() => written(this.walk.state.game, m), this.walk.spot);
  }
  pass(): void {
    const m = this.walk.spot?.legal.find(x => x.to < 0);
    if (m) void this.play(() => m.text);
  }

  // settle puts a piece back that was picked up while a move was on its way and cannot go now.
  settle(): void {
    if (this.picked === null || this.busy) return;
    if (!this.walk.spot?.legal.some(m => m.from === this.picked)) this.picked = null;
    this.stage.choose();
  }

  walkTo(ply: number): void {
    this.#along(() => ply);
  }
  step(d: number): void {
    this.#along(() => this.walk.ply + d);
  }
  #along(ply: () => number): void {
    void this.#queue.run(() => {
      const to = this.walk.toward(ply());
      if (to) void this.stage.follow(to, 'replace');
    });
  }

  async #answer(move: Wanted, of: Position | null, signal: AbortSignal): Promise<boolean> {
    const {ctx, walk, ask, stage} = this;
    for (let a: unknown = null; a !== stage.arrived(); await a) a = stage.arrived();
    const here = of ?? walk.spot;
    if (signal.aborted || !here || !walk.end) return false;
    try {
      const text = await move(here);
      if (signal.aborted || text === null) return false;
      const p = await ask.position(here.line, 0, text);
      if (signal.aborted) return false;
      this.#sound.click(ctx.prefs.get('sound'), p.pieces.filter(Boolean).length < here.pieces.filter(Boolean).length);
      const to = here === walk.spot && walk.goesOn(p) && walk.toward(p.ply);
      if (!to) ask.know(p);
      await stage.follow(to || {line: p.line, ply: null}, to ? 'replace' : 'push');
      return true;
    } catch (err) {
      this.clear(); // those behind it were made for the board that it would have led to
      ctx.fail(err);
      return false;
    }
  }
}
