// What the book knows of a position: results, an engine's values and exact ones side by side, and how far to trust
// them. Games are those of the filter, records or those played here; values are the same whatever it says.
// i18n: book.legend.*, book.overlay.*
import type {BookEntry, BookMove, BookValues, Game, Move} from '../api';
import type {Context} from '../app';
import {type Child, fill, fmt, h, on} from '../dom';
import {titled} from '../i18n';
import {icon} from '../icons';
import {refill} from '../records/row';
import {button, column, dataTable, dialog, field, rowHead, segmented, skeleton, slider} from '../ui';
import {type Overlay, type Unit, overlays, worth} from '../value';
import {librarianBox} from './librarian';
import type {State} from './state';

export interface BookPanel {
  node: HTMLElement;
  show(game: Game, entry: BookEntry | null, state: Pick<State, 'overlay' | 'threshold'>, waits: boolean): void;
}

export interface BookActs {
  play(m: Move): void;
  hover(m: Move | null): void;
  overlay(what: Overlay): void;
  threshold(n: number): void;
  edited(entry: BookEntry): void;
  learnt(): void; // values may be others
}

const first = 12;

export function bookPanel(ctx: Context, acts: BookActs): BookPanel {
  const {t, lang} = ctx,
    f = fmt(lang);
  let game: Game,
    entry: BookEntry | null = null,
    all = false,
    shownFor = '',
    waiting = false, // it is being asked
    least = 20;
  const facts = h('div'),
    moves = h('div.book-moves');
  const limit = slider(
    t('book.threshold'),
    {min: 1, max: 100, value: 20},
    () => {
      /* when it is let go */
    },
    v => {
      if (Math.round(v) !== least) acts.threshold(Math.round(v));
    },
  );
  const figures = segmented<Overlay>(
    t('book.overlay'),
    overlays.map(value => ({value, label: t(`book.overlay.${value}`)})),
    'games',
    v => acts.overlay(v),
  );
  const librarian = librarianBox(ctx, () => acts.learnt());
  const node = h(
    'div.stack.book',
    facts,
    moves,
    librarian.node,
    h('div.book-tools', limit.node, h('div.field', h('span.label', t('book.overlay')), figures.node)),
    h(
      'details.small.muted.explore-legend',
      h('summary', t('explore.legend')),
      h(
        'dl',
        (['r', 'e', 'x', 'loss', 'grade', 'lines', 'below', 'apart'] as const).map(k => [
          h('dt', t(`book.${k}`)),
          h('dd', t(`book.legend.${k}`)),
        ]),
      ),
    ),
  );
  // i18n: book.*

  const abbr = (k: 'r' | 'e' | 'x' | 'loss') => h('abbr', {title: t(`book.legend.${k}`)}, t(`book.${k}`));
  const letter = (k: 'r' | 'e' | 'x') =>
    h('abbr', {title: t(`book.legend.${k}`), 'aria-label': t(`book.${k}`)}, t(`book.overlay.${k}`));
  const side = (i: number) => titled(game.sides[i]?.titles, lang);

  // engine is E with what is known of it, or what a person has set in its place.
  function engine(unit: Unit, v: BookValues): Child {
    if (v.human !== undefined)
      return h(
        'span',
        {title: v.note || t('book.human')},
        h('b', worth(lang, unit, v.human)),
        ' ',
        icon('edit'),
        h('span.hidden', t('book.human')),
      );
    if (v.e === undefined) return '–';
    const bounds = v.eLow !== undefined && v.eHigh !== undefined && v.eLow < v.eHigh;
    return [
      h('b', worth(lang, unit, v.e)),
      ' ',
      h(
        'small.muted',
        bounds ? `${worth(lang, unit, v.eLow)}…${worth(lang, unit, v.eHigh)}` : t('book.level', {n: v.eLevel}),
        v.by && ` ${v.by}`,
      ),
    ];
  }

  const apart = (v: BookValues) =>
    v.apart && h('span.book-apart', {title: t('book.legend.apart')}, '≠', h('span.hidden', t('book.apart')));

  // solved tells whether any move has an exact value: without one its column says nothing.
  const solved = (b: BookEntry) => b.moves.some(m => m.values.x !== undefined);

  function row(b: BookEntry, m: BookMove): HTMLElement {
    const {values: v, loss} = m,
      named = m.names ? titled(m.names, lang, m.opening) : m.opening;
    const tr = h(
      'tr',
      {
        onclick: () => acts.play(m.move),
        class: m.games < b.threshold && v.e === undefined && v.x === undefined && v.human === undefined ? 'few' : null,
      },
      rowHead(
        h('button.move', {'aria-label': t('explore.play', {move: m.move.text})}, m.move.text),
        named && h('small.muted.cut', named),
      ),
      h('td.num', h('b', f.number(m.games)), h('small', f.rate(m.share))),
      h('td.num', worth(lang, b.unit, v.r), ' ', apart(v)),
      h('td.num', engine(b.unit, v)),
      solved(b) && h('td.num', v.x === undefined ? '–' : h('b', worth(lang, b.unit, v.x))),
      h('td.num.loss', loss === undefined ? '' : loss > 0 ? worth(lang, b.unit, -loss) : '✓'),
    );
    on<PointerEvent>(tr, 'pointerenter', e => {
      if (e.pointerType === 'mouse') acts.hover(m.move);
    });
    on(tr, 'pointerleave', () => acts.hover(null));
    on(tr, 'focusin', () => acts.hover(m.move));
    return tr;
  }

  async function edit(b: BookEntry): Promise<void> {
    const {human, note} = b.values;
    const value = h('input', {type: 'number', step: 0.5, value: human ?? '', autofocus: true}),
      words = h('textarea', {rows: 2, maxlength: 2000, value: note});
    const done = await dialog(t, {
      title: t('book.edit'),
      yes: t('book.editYes'),
      body: [
        h('p.muted', t('book.editText', {side: side(b.position.turn)})),
        field(t('book.value'), value, t('book.valueHint')),
        field(t('book.note'), words),
      ],
    }).done;
    if (done !== 'yes') return;
    try {
      acts.edited(
        await ctx.call('POST /book/values', {
          body: {
            game: game.spec,
            line: b.position.line,
            ...(Number.isNaN(value.valueAsNumber) ? {} : {value: value.valueAsNumber, note: words.value.trim()}),
          },
        }),
      );
      ctx.toast(t('book.edited'), 'success');
    } catch (err) {
      ctx.fail(err);
    }
  }

  function draw(): void {
    const b = entry;
    if (!b) return void fill(facts, waiting ? skeleton(3) : h('p.muted', t('book.none')));
    const fact = (k: 'r' | 'e' | 'x', v: Child) => h('div', abbr(k), h('span', v));
    const v = b.values,
      list = all ? b.moves : b.moves.slice(0, first);
    refill(
      facts,
      !b.known &&
        h('p.muted', t(b.apart.games > 0 ? (b.of === 'here' ? 'book.noneHere' : 'book.noRecords') : 'book.unknown')),
      b.known &&
        h(
          'div.book-facts',
          fact('r', [worth(lang, b.unit, v.r), ' ', apart(v)]),
          fact('e', engine(b.unit, v)),
          fact('x', worth(lang, b.unit, v.x)),
          h('div', h('abbr', {title: t('book.legend.grade')}, t('book.grade')), h('span', h('b', b.grade || '–'))),
          h('div', h('abbr', {title: t('book.legend.below')}, t('book.below')), h('span', f.number(b.below))),
          h(
            'div',
            h('abbr', {title: t('book.legend.lines')}, t('book.lines')),
            h(
              'span',
              !b.lines.some(n => n > 0)
                ? '–'
                : b.lines.map((n, i) =>
                    h(
                      'span.book-lines',
                      h('i.side-mark', {'data-side': game.sides[i]?.name, role: 'img', 'aria-label': side(i)}),
                      ' ',
                      f.compact(n),
                      ' ',
                    ),
                  ),
            ),
          ),
        ),
      h(
        'div.row',
        h('small.muted', t('book.for', {side: side(b.position.turn)})),
        button(t('book.edit'), () => void edit(b), {icon: 'edit', kind: 'quiet'}),
      ),
      v.note && h('p.small', v.note),
    );
    refill(
      moves,
      list.length > 0 &&
        dataTable(
          t('book.moves'),
          [
            t('explore.move'),
            column(t('book.games'), 'num'),
            column(letter('r'), 'num'),
            column(letter('e'), 'num'),
            ...(solved(b) ? [column(letter('x'), 'num')] : []),
            column(abbr('loss'), 'num'),
          ],
          h(
            'tbody',
            list.map(m => row(b, m)),
          ),
        ),
      b.moves.length > list.length &&
        button(
          t('explore.all', {n: b.moves.length}),
          () => {
            all = true;
            draw();
          },
          {kind: 'quiet', icon: 'down'},
        ),
    );
  }

  return {
    node,
    show(g, b, {overlay, threshold}, waits) {
      const key = g.spec + (b?.position.line ?? ''),
        same = b === entry && g === game && facts.firstChild && (b || waits === waiting);
      if (key !== shownFor) all = false;
      shownFor = key;
      game = g;
      librarian.show(g);
      entry = b;
      waiting = waits;
      least = threshold;
      limit.set(threshold);
      figures.set(overlay);
      node.classList.toggle('stale', waits);
      if (!same) draw(); // a button that is being pressed must not be exchanged
    },
  };
}
