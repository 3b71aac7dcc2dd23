// What can be laid over the board of a record of Go: hints of shapes, life and death. Each comes when it is wanted.
import '../common';
import type {Game} from '../api';
import type {Context} from '../app';
import {type BoardState, both, pointName} from '../core';
import {fill, h} from '../dom';
import type {Overlay as Life} from '../judge/overlay';
import {rowsText} from '../search/model';
import type {Overlay as Hints} from '../shapes/overlay';
import type {Line} from './model';

export interface Layers {
  readonly node: HTMLElement;
  show(q: URLSearchParams, id: number, line: Line, current: number): Promise<void>;
  laid(): Partial<BoardState>;
}

export function layers(ctx: Context, game: Game, draw: () => void, change: (c: Record<string, string | null>) => void): Layers {
  let hints: Hints | null = null, life: Life | null = null, q = new URLSearchParams();
  const hintPane = h('div', {hidden: true}), lifePane = h('div', {hidden: true}), wants = (name: string) => q.get(name) === '1';
  return {
    node: h('div.stack', lifePane, hintPane),
    laid() {
      const a = wants('life') ? life?.laid() : undefined, b = wants('hints') ? hints?.laid() : undefined;
      return {under: both(a?.under, b?.under), over: both(a?.over, b?.over), ...(b?.heat && {heat: b.heat})};
    },
    async show(to, id, line, current) {
      q = to;
      lifePane.hidden = !wants('life');
      hintPane.hidden = !wants('hints');
      if (wants('life')) {
        const {overlay, wishOf} = await import('../judge/overlay');
        if (!life) fill(lifePane, (life = overlay(ctx, game, draw, change)).node);
        if (q === to) life.show({...wishOf(to), id, node: current});
      }
      if (!wants('hints')) return;
      const {overlay, wishOf} = await import('../shapes/overlay');
      if (!hints) fill(hintPane, (hints = overlay(ctx, game, draw, change)).node);
      if (q !== to) return;
      const n = line.node(current), played = current > 0 && n.move !== '' && n.to >= 0, from = played ? line.parent(current) : current; // the last move matters to what is likely
      hints.show({...wishOf(to),
        line: `${rowsText(game.geometry, line.pieces(from))} ${game.sides[played ? n.side : n.turn]!.name}${played ? ` moves ${pointName(game.geometry, n.to)}` : ''}`});
    },
  };
}
