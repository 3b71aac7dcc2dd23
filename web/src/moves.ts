// Moves as pages ask for them: by the points that somebody points at, and by the piece where points alone do not tell.
import type {Game, Move, Position} from './api';
import type {Context} from './app';
import {pieceName, pointName} from './core';
import {h, on} from './dom';
import {cellIcon} from './minis';
import {dialog, stepped} from './ui';

export const sameMove = (a: Move, b: Move): boolean => a.from === b.from && a.to === b.to && a.piece === b.piece;

// moveNumber is which move of a line one is, as players count: passes that nobody chose are none.
export const moveNumber = (moves: readonly Move[], ply: number): number =>
  ply - moves.slice(0, ply).filter(m => m.forced).length;

// written is a move as the server reads it from anywhere: by the names of its points. One that names a piece, or whose
// point has no name, is written as it is.
export function written(game: Game, m: Move): string {
  const name = (p: number) => pointName(game.geometry, p);
  if (m.to < 0 || m.piece || !name(m.to)) return m.text;
  return m.from < 0 ? name(m.to) : `${name(m.from)}-${name(m.to)}`;
}

// ends are the points by which a move may be pointed at.
const ends = (m: Move): number[] => (m.also === undefined ? [m.to] : [m.to, m.also]);

// targets are the points by which the moves from a point may be pointed at.
export const targets = (legal: readonly Move[], from: number): number[] =>
  legal.flatMap(m => (m.from === from ? ends(m) : []));

// pointed is the move between two points of a position, from -1 for one that puts a piece down, as the server reads it.
// Where several are possible it is asked which; null is nobody's answer. Where none is, the server tells why.
export async function pointed(
  ctx: Context,
  game: Game,
  {legal, turn}: Position,
  from: number,
  to: number,
): Promise<string | null> {
  const ways = legal.filter(m => m.from === from && ends(m).includes(to)),
    m = ways.length > 1 ? await which(ctx, game, ways) : ways[0];
  if (m === null) return null;
  return written(game, m ?? {from, to, text: pointName(game.geometry, to), side: turn});
}

// which asks for one of several moves between the same points: what is put down, or what the piece becomes.
async function which({t, lang, prefs}: Context, game: Game, ways: readonly Move[]): Promise<Move | null> {
  const {geometry: g, glyphs} = game;
  const choices = ways.map((m, i) =>
    h(
      'button.btn',
      {onclick: () => box.close(String(i))},
      m.piece && cellIcon(g, glyphs, 1 << m.piece, prefs.get('pieces')),
      h('span', (m.piece && pieceName(g, m.piece, lang)) || m.text),
    ),
  );
  const list = h('div.row.which', choices),
    box = dialog(t, {
      title: t(ways[0]!.from < 0 ? 'board.which' : ways[0]!.piece || ways[1]!.piece ? 'board.becomes' : 'board.way'),
      body: list,
    });
  on<KeyboardEvent>(list, 'keydown', e => {
    const i = stepped(e, choices.indexOf(document.activeElement as HTMLButtonElement), choices.length);
    if (i !== null) choices[i]!.focus();
  });
  choices[0]!.focus();
  const answer = await box.done;
  return answer ? ways[Number(answer)]! : null;
}

// MoveBox is where moves are written by hand.
export interface MoveBox {
  node: HTMLFormElement;
  input: HTMLInputElement;
}

// moveBox hands on each move that is written. The box is empty from then on, so that the next move can be written while
// the answer is on its way; a move that is refused comes back, unless something else has been written by then.
export function moveBox({t}: Context, play: (move: string) => Promise<boolean>): MoveBox {
  const input = h('input.code', {
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
  });
  const send = async () => {
    const move = input.value.trim();
    input.value = '';
    if (!move || (await play(move)) || input.value) return;
    input.value = move;
    if (document.activeElement === input) input.select();
  };
  const node = h(
    'form.explore-type',
    {
      onsubmit: (e: Event) => {
        e.preventDefault();
        void send();
      },
    },
    input,
    h('button.btn', {type: 'submit'}, t('explore.playIt')),
  );
  return {node, input};
}
