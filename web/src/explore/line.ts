// The line that led here, and the position as a text: to read, to copy, to write another.
import type {Game, Position} from '../api';
import type {Context} from '../app';
import {latest} from '../client';
import {debounce, fill, h, id} from '../dom';
import {titled} from '../i18n';
import {moveBox, moveNumber} from '../moves';
import {refill} from '../records/row';
import {button, copyButton, explain, field} from '../ui';

export interface Line {
  node: HTMLElement;
  show(game: Game, whole: Position, ply: number): void;
}

// line lists the moves in a strip; those beyond the board are pale and stay until another move is played.
export function line(ctx: Context, go: (ply: number) => void): Line {
  const {t} = ctx,
    node = h('ol.explore-line', {'aria-label': t('explore.line')});
  return {
    node,
    show(game, whole, ply) {
      const item = (i: number, text: string, number: string) =>
        h(
          'li',
          {class: i > ply ? 'later' : null},
          number && h('span.muted.small', number),
          h('button', {'aria-current': i === ply ? 'step' : null, onclick: () => go(i)}, text),
        );
      const placed = whole.moves.length ? whole.line.includes(' moves ') : whole.line !== '';
      refill(
        node,
        item(0, t(placed ? 'explore.startPosition' : 'explore.start'), ''),
        whole.moves.map((m, i) => {
          const n = moveNumber(whole.moves, i + 1);
          return item(i + 1, m.text, m.forced ? '' : game.moving ? (n % 2 ? `${(n + 1) / 2}.` : '') : String(n));
        }),
      );
      const now = node.querySelector<HTMLElement>('[aria-current]');
      if (now) node.scrollTo({left: now.offsetLeft - node.clientWidth / 2, top: now.offsetTop - node.clientHeight / 2});
    },
  };
}

export interface PositionPanel {
  node: HTMLElement;
  show(game: Game, here: Position): void;
}

// positionPanel has a box for moves and one for any position. What is written is checked while it is written.
export function positionPanel(
  ctx: Context,
  go: (line: string) => void,
  play: (move: string) => Promise<boolean>,
): PositionPanel {
  const {t, lang} = ctx;
  let game: Game, here: Position;
  const typing = moveBox(ctx, play);
  const says = h('p', {id: id('says'), class: 'small explore-says', role: 'status'});
  const text = h('textarea.code', {rows: 2, spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': says.id});
  const use = button(t('explore.use'), () => take(), {kind: 'primary', props: {disabled: true}});
  const ask = latest(ctx.signal, (signal, spec: string, line: string) =>
    ctx.call('GET /position', {query: {game: spec, line}}, signal),
  );
  let read: Position | null = null;
  const state = (p: Position | null, words: string) => {
    read = p;
    use.disabled = !p;
    text.setAttribute('aria-invalid', String(!p && words !== ''));
    fill(says, words);
  };
  const check = async () => {
    const wanted = text.value.trim().replace(/\s+/g, ' ');
    if (wanted === here.text) return state(null, '');
    try {
      const p = await ask(game.spec, wanted);
      if (p)
        state(
          p,
          t('explore.valid', {n: p.pieces.filter(Boolean).length, side: titled(game.sides[p.turn]?.titles, lang)}),
        );
    } catch (err) {
      const e = explain(t, err);
      state(null, e.text || e.title);
    }
  };
  const soon = debounce(() => void check(), 150);
  text.addEventListener('input', soon);
  const take = () => {
    if (read) go(read.line);
  };
  text.addEventListener('keydown', e => {
    if (e.key !== 'Enter' || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    soon.cancel();
    void check().then(take);
  });
  const turn = button(
    t('explore.otherSide'),
    () => {
      const words = text.value.trim().split(/\s+/),
        now = words.join(' ') === here.text ? here : read,
        other = now && game.sides[1 - now.turn];
      if (!other) return void check();
      words[game.geometry.pieces.length ? 1 : 0] = other.name; // a game without pieces has no rows in front of it
      text.value = words.join(' ');
      void check().then(take);
    },
    {icon: 'flip'},
  );
  typing.input.id = id('field');
  return {
    node: h(
      'div.stack',
      h('div.field', h('label', {for: typing.input.id}, t('explore.type')), typing.node),
      field(t('explore.text'), text, t('explore.textHint')),
      says,
      h('div.row', use, turn),
      h(
        'div.row',
        copyButton(t, t('explore.copyLine'), () => here.moves.map(m => m.text).join(' ') || here.line),
        copyButton(t, t('explore.copyText'), () => here.text),
        copyButton(t, t('explore.copyLink'), () => location.href),
      ),
    ),
    show(g, p) {
      const another = here !== p;
      game = g;
      here = p;
      typing.input.placeholder = p.legal[0]?.text ?? '';
      if (another) {
        // what somebody writes stays until the board is another one
        text.value = p.text;
        state(null, '');
      }
    },
  };
}
