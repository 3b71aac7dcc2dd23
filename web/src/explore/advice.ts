// What is laid over the board of the explorer: what the base of shapes says of the position, and what has a name here.
// Both scripts come when they are wanted.
import type {Game} from '../api';
import type {Context} from '../app';
import {both} from '../core';
import {fill, h} from '../dom';
import type {Overlay as Names} from '../names/overlay';
import type {Overlay} from '../shapes/overlay';
import type {Walk} from './model';
import type {State} from './state';

export class Advice {
  readonly hintPane = h('div', {hidden: true});
  readonly namePane = h('div.explore-names-here', {'aria-busy': 'true'});
  #hints: Overlay | null = null;
  #hintsOf: Game | null = null;
  #names: Names | null = null;

  constructor(
    private readonly ctx: Context,
    private readonly walk: Walk,
    private readonly go: (change: Partial<State>) => void,
    private readonly draw: () => void,
  ) {}

  // call brings what has a name here; changed is for when what is laid over the board is another.
  async call(changed: () => void): Promise<void> {
    const {overlay} = await import('../names/overlay').finally(() => {
      this.namePane.ariaBusy = null;
    });
    fill(this.namePane, (this.#names = overlay(this.ctx, changed, true)).node);
    this.draw();
  }

  get on(): boolean {
    const {game, hints} = this.walk.state;
    return game.tools.includes('shapes') && hints['hints'] === '1';
  }
  toggle(): void {
    this.go({hints: {...this.walk.state.hints, hints: this.on ? '' : '1'}});
  }

  // show asks about the position on the board.
  show(): void {
    const {state, spot} = this.walk;
    if (spot) this.#names?.show(state.game, spot.line);
    void this.#advise().catch((err: unknown) => this.ctx.fail(err));
  }

  async #advise(): Promise<void> {
    this.hintPane.hidden = !this.on;
    if (!this.on) return;
    const {overlay, wishOf} = await import('../shapes/overlay'),
      {game} = this.walk.state;
    if (!this.walk.spot || !this.on) return;
    if (!this.#hints || this.#hintsOf !== game) {
      this.#hints = overlay(this.ctx, game, this.draw, c =>
        this.go({
          hints: Object.fromEntries(Object.entries({...this.walk.state.hints, ...c}).map(([k, v]) => [k, v ?? ''])),
        }),
      );
      this.#hintsOf = game;
      fill(this.hintPane, this.#hints.node);
    }
    this.#hints.show({...wishOf(new URLSearchParams(this.walk.state.hints)), line: this.walk.spot.line});
  }

  // laid is what hints and names draw, those above the pieces together.
  laid() {
    const hints = this.on && this.#hints && this.#hintsOf === this.walk.state.game ? this.#hints.laid() : {};
    return {...hints, over: both(hints.over, this.#names?.laid().over)};
  }
}
