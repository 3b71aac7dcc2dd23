// The board of the search: a palette to draw with, tools, and the chips that say where and when the shape may stand.
// i18n: search.anchor.*
import type {NextMove} from '../api';
import type {BoardState, Cell, Region} from '../core';
import {
  cellKind,
  cellText,
  describeCell,
  parseRegion,
  pieceCell,
  pointAt,
  pointName,
  pointOf,
  readRow,
  sameRegion,
  textBoard,
  wholeBoard,
} from '../core';
import {Board} from '../board';
import {type Child, fmt, h, on} from '../dom';
import {kindName, titled} from '../i18n';
import {icon} from '../icons';
import {type Key, standard} from '../keys';
import {cellIcon} from '../minis';
import {refill} from '../records/row';
import {button, chip, iconButton, select, slider} from '../ui';
import type {Desk} from './desk';
import {
  type Anchor,
  type Editor,
  anchorOf,
  blankOf,
  cellOf,
  cutOut,
  cycle,
  fresh,
  isAuto,
  autoRegion,
  paint,
  palette,
  piecesOf,
  possible,
  put,
  rowsText,
  single,
} from './model';
import {fromOfMove, pointOfMove, warmth} from './moves';
import {weights} from './weights';

export type Tool = 'region' | 'play' | number; // a number is a place in the palette

export interface EditorView {
  readonly node: HTMLElement;
  readonly keys: Key[];
  show(): void; // after any change of state, view or answer
  mark(move: NextMove | null): void;
  tryMove(point: number, side: number): void; // plays it by the rules
  close(): void;
}

export function editor(desk: Desk): EditorView {
  const {ctx} = desk,
    {t, lang, prefs} = ctx;
  let tool: Tool = 'region',
    last: Cell = 2,
    hovered: number | null = null,
    marked: NextMove | null = null,
    heatOn = true,
    asText = false,
    selected: number | undefined;
  let game = desk.state.game;

  const base = (): BoardState => {
    const {ed} = desk.state,
      g = game.geometry,
      cells = new Map<number, Cell>();
    for (const [p, c] of ed.cells) if (!single(c)) cells.set(p, c);
    const v = prefs.view(new URL(location.href)),
      whole = sameRegion(ed.region, wholeBoard(g.size));
    const shown = heatOn ? warmth(desk) : undefined;
    const s: BoardState = {
      geometry: g,
      glyphs: game.glyphs,
      pieces: piecesOf(g, ed),
      cells,
      region: whole && tool !== 'region' ? null : ed.region,
      coordinates: v.coordinates,
      set: v.pieces,
      dim: true,
      ...(desk.view.flip && {flip: true}),
      ...(shown && {heat: shown}),
      ...(selected !== undefined && {selected}),
    };
    if (!marked) return s;
    const to = pointOfMove(desk, marked),
      from = fromOfMove(desk, marked);
    if (game.moving) return from < 0 ? {...s, marks: new Map([[to, 'circle']])} : {...s, arrows: [{from, to}]};
    const rest = new Map(s.heat);
    rest.delete(to);
    return {...s, heat: rest, ghost: {at: to, piece: sidePiece(marked.move.side)}};
  };

  const cellNow = (): Cell => (typeof tool === 'number' ? palette(game)[tool]! : last);
  const stroke = (points: readonly number[], cell: Cell, goesOn: boolean) =>
    desk.edit(parts(paint(game, desk.state.ed, points, cell)), goesOn ? 'on' : 'new');
  const board = new Board(base(), {
    t,
    lang,
    announce: text => ctx.announce(text),
    keys: 'cursor',
    wheel: false,
    twoTap: prefs.get('twoTap'),
    animate: prefs.get('animation'),
    facts: () => ({turn: titled(game.sides[desk.state.ed.side]?.titles, lang)}),
    ghost: p => {
      const {ed} = desk.state;
      if (cellOf(game.geometry, ed, p) !== blankOf(game.geometry, ed)) return 0;
      if (tool === 'play') return game.moving ? 0 : sidePiece(mover());
      const c = cellNow();
      return typeof tool === 'number' && single(c) ? Math.log2(c) : 0;
    },
    onHover: p => {
      hovered = p;
    },
    onPoint: (p, c) => press(p, c.button, c.shift),
    onPaint: (p, c) => {
      if (c.button === 2) return press(p, 2, false);
      if (c.shift) {
        if (c.first) press(p, 0, true);
        return;
      }
      // A stroke that begins on what it would put there takes it away: a second click is the way back.
      if (c.first) erasing = cellOf(game.geometry, desk.state.ed, p) === cellNow();
      stroke([p], erasing ? blankOf(game.geometry, desk.state.ed) : cellNow(), !c.first);
    },
    onPick: p => {
      selected = p ?? undefined;
      show();
    },
    onDrag: (from, to) => {
      selected = undefined;
      shift(from, to);
    },
    onRegion: (r, done) => region(r, done),
    onKey: (e, at) => {
      const i = /^[1-9]$/.test(e.key) ? +e.key - 1 : -1;
      if (i >= 0 && i < palette(game).length) {
        pick(i);
        stroke([at], palette(game)[i]!, false);
        return true;
      }
      if (e.key === 'Delete' || e.key === 'Backspace') {
        press(at, 2, false);
        return true;
      }
      return false;
    },
  });
  let erasing = false,
    dragging = false;

  const sidePiece = (side: number) => game.geometry.pieces.findIndex(l => l.owner === side) + 1;

  function press(p: number, buttonNo: number, shifted: boolean): void {
    const {ed} = desk.state,
      g = game.geometry,
      now = cellOf(g, ed, p);
    if (buttonNo === 2) return stroke([p], blankOf(g, ed), false);
    if (shifted) return stroke([p], cycle(g, now), false);
    if (tool === 'play') return void tryMove(pointName(g, p), p);
    if (tool === 'region' && g.pieces.length === 2)
      return stroke([p], now === 2 ? 4 : now === 4 ? blankOf(g, ed) : 2, false); // black, white, empty
    stroke([p], now === cellNow() ? blankOf(g, ed) : cellNow(), false);
  }

  function region(r: Region | null, done: boolean): void {
    const {ed} = desk.state;
    if (!r && !ed.region && hovered !== null) return press(hovered, 0, false); // a click on a board without a region
    desk.edit({region: r, anchor: '', byHand: !!r}, dragging ? 'on' : 'new');
    dragging = !done;
  }

  // shift moves a piece as an editor does, without asking the rules.
  function shift(from: number, to: number): void {
    const {ed} = desk.state,
      cells = new Map(ed.cells),
      c = cells.get(from);
    if (c === undefined) return;
    cells.delete(from);
    if (ed.anyBlank) cells.set(from, 1);
    cells.set(to, c);
    const owner = game.geometry.pieces[Math.log2(c) - 1]?.owner ?? 0;
    desk.edit(
      {...parts(follow({...ed, cells, lawful: false})), side: 1 - owner, turn: ed.turn < 0 ? -1 : 1 - owner},
      'step',
    );
  }

  // follow lets the region grow with the position where nobody drew one.
  const follow = (ed: Editor): Editor =>
    isAuto(game, desk.state.ed) || !ed.region ? {...ed, region: autoRegion(game, ed)} : ed;

  // mover is whose move it is, as far as that can be known: by the query, by what was played next in most games, by the
  // board.
  function mover(): number {
    const {ed} = desk.state,
      a = desk.found?.stale ? null : desk.found?.answer;
    if (ed.turn >= 0 || !a?.moves.length) return ed.turn >= 0 ? ed.turn : ed.side;
    return a.moves.reduce((n, m) => n + (m.move.side ? m.direct : -m.direct), 0) > 0 ? 1 : 0;
  }

  // tryMove plays by the rules of the game, which the server knows: captures and turned discs.
  async function tryMove(text: string, at = -1, side = mover()): Promise<void> {
    const {ed, game: of} = desk.state,
      g = of.geometry;
    try {
      const p = await ctx.call('GET /position', {
        query: {game: of.spec, line: `${rowsText(g, piecesOf(g, ed))} ${of.sides[side]!.name}`, play: text},
      });
      if (desk.state.ed !== ed) return;
      place(p.pieces, p.turn);
    } catch (err) {
      // A shape in a corner need not be a position that the rules allow.
      if (at >= 0 && !of.geometry.cells && !of.moving && cellOf(g, ed, at) === blankOf(g, ed))
        desk.edit(
          {
            ...parts(follow(paint(of, ed, [at], pieceCell(sidePiece(side))))),
            side: 1 - side,
            turn: ed.turn < 0 ? -1 : 1 - side,
          },
          'step',
        );
      else ctx.fail(err);
    }
  }

  // place puts other pieces on the board; sets of states stay where no piece comes.
  function place(pieces: readonly number[], side: number): void {
    const {ed} = desk.state,
      cells = put(pieces);
    for (const [p, c] of ed.cells)
      if (!cells.has(p)) {
        if (!single(c)) cells.set(p, c);
        else if (ed.anyBlank) cells.set(p, 1);
      }
    desk.edit({...parts(follow({...ed, cells, lawful: true})), side, turn: ed.turn < 0 ? -1 : side}, 'step');
  }

  function pick(to: Tool): void {
    tool = to;
    if (typeof to === 'number') last = palette(game)[to]!;
    selected = undefined;
    board.configure({mode: to === 'region' ? 'region' : to === 'play' ? (game.moving ? 'move' : 'point') : 'paint'});
    show();
  }

  // The typed way: a point, a region as in C3:J9, a piece and a point, or a move.
  const typed = h('input.typed', {
    type: 'text',
    'aria-label': t('search.type'),
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  on<KeyboardEvent>(typed, 'keydown', e => {
    if (e.key !== 'Enter' || e.isComposing || !typed.value.trim()) return;
    e.preventDefault();
    const g = game.geometry,
      text = typed.value.trim(),
      r = text.includes(':') ? parseRegion(g, text) : null;
    const [, sign, name] = /^(\S+?)\s*[ =]\s*(\S+)$/.exec(text) ?? [],
      cell = palette(game).find(c => c === readRow(g, sign ?? '')?.[0]);
    typed.value = '';
    if (r) return desk.edit({region: r, anchor: '', byHand: true});
    if (cell !== undefined && name && pointOf(g, name) >= 0) return stroke([pointOf(g, name)], cell, false);
    const p = pointOf(g, text);
    if (p >= 0 && typeof tool === 'number') return stroke([p], cellNow(), false);
    void tryMove(text, p);
  });

  const clear = () => {
    if (desk.state.ed.region || desk.state.ed.cells.size)
      desk.edit({...fresh(game), cells: new Map(), lawful: false, anyBlank: game.moving, side: 0});
  };
  const unregion = () => {
    if (selected !== undefined) {
      selected = undefined;
      show();
    } else if (desk.state.ed.region) desk.edit({region: null, anchor: '', byHand: false});
  };
  const toStart = () => desk.edit({...fresh(game)});
  const toggleHeat = () => {
    heatOn = !heatOn;
    ctx.announce(t(heatOn ? 'search.heatOn' : 'search.heatOff'));
    show();
  };
  const toggleText = () => {
    asText = !asText;
    show();
    if (asText) text.focus();
  };

  const text = h('pre.text-board', {tabindex: 0, hidden: true, 'aria-label': t('search.textBoard')});
  const tools = h('div.palette', {
    role: 'toolbar',
    'aria-label': t('search.palette'),
    onkeydown: (e: KeyboardEvent) => {
      const all = [...tools.querySelectorAll<HTMLElement>('button')],
        step = ({ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1} as Record<string, number>)[e.key];
      if (!step) return;
      e.preventDefault(); // one stop for Tab, arrows inside
      const to = all[(all.indexOf(document.activeElement as HTMLElement) + step + all.length) % all.length]!;
      to.click();
      tools.querySelectorAll<HTMLElement>('button')[all.indexOf(to)]?.focus();
    },
  });
  const bar = h('div.row.options');
  const likeness = slider(t('search.likeness'), {min: 50, max: 100, value: 100, unit: '%'}, like, like);
  let sliding = false;
  function like(v: number): void {
    const min = v >= 100 ? 0 : v / 100;
    if (min === desk.state.ed.min) return;
    desk.edit({min}, sliding ? 'on' : 'new');
    sliding = true;
  }
  on(likeness.node, 'change', () => {
    sliding = false;
  });
  const drawer = weights(desk);
  const likeRow = h('div.likeness', likeness.node, h('span.muted.small', {'aria-hidden': 'true'}), drawer.node);
  const top = h('div.row.between.desk-head');
  const node = h(
    'section.search-stage',
    {'aria-label': t('search.board')},
    top,
    h('div.board-and-palette', board.node, tools),
    text,
    h('div.under', bar, likeRow),
  );

  function head(): Child {
    const {size} = game.geometry,
      name = (x: number, y: number) =>
        pointName(game.geometry, pointAt(size, Math.round((size.w - 1) * x), Math.round((size.h - 1) * y)));
    typed.placeholder = t('search.typeHint', {point: name(0.83, 0.17), region: `${name(0.6, 0.4)}:${name(1, 0)}`});
    const games = desk.games,
      f = fmt(lang);
    const list = games
      .filter(x => x.records || x.usual || x.spec === game.spec)
      .map(x => ({value: x.spec, label: `${kindName(x, lang)} (${f.number(x.records)})`}));
    return [
      select(t('search.game'), list, game.spec, v => desk.choose(v)),
      typed,
      h(
        'div.row.tight',
        iconButton(t('search.undo'), 'undo', () => desk.back(), {disabled: !desk.can.back}),
        iconButton(t('search.redo'), 'redo', () => desk.again(), {disabled: !desk.can.again}),
        iconButton(t('search.start'), 'board', toStart),
        iconButton(t('search.clear'), 'remove', clear),
        iconButton(t('search.flip'), 'flip', () => desk.look({flip: !desk.view.flip}), {
          'aria-pressed': desk.view.flip,
        }),
        iconButton(t('search.heat'), 'chart', toggleHeat, {'aria-pressed': heatOn}),
        iconButton(t('search.textBoard'), 'text', toggleText, {'aria-pressed': asText}),
      ),
    ];
  }

  function paletteNode(): Child {
    const g = game.geometry,
      set = prefs.view(new URL(location.href)).pieces;
    const tile = (to: Tool, label: string, sign: Child, key: string) =>
      h(
        'button.tile',
        {
          'aria-pressed': tool === to,
          tabindex: tool === to ? 0 : -1,
          'aria-label': label,
          title: key ? `${label} (${key})` : label,
          'aria-keyshortcuts': key || null,
          onclick: () => pick(to),
        },
        sign,
        key && h('kbd', {'aria-hidden': 'true'}, key),
      );
    return [
      tile('region', t('search.region'), icon('region'), 'R'),
      tile('play', t('search.play'), icon('play'), 'M'),
      palette(game).map((c, i) => [
        g.pieces.length > 2 && i > 0 && side(c) !== side(palette(game)[i - 1]!) && h('i.gap'),
        tile(
          i,
          cellKind(g, c) === 'empty' ? t('search.mustBeEmpty') : describeCell(g, c, t, lang),
          cellIcon(g, game.glyphs, c, set),
          i < 9 ? String(i + 1) : '',
        ),
      ]),
    ];
  }
  const side = (c: Cell): number => (single(c) ? game.geometry.pieces[Math.log2(c) - 1]!.owner : 2);

  function options(): Child {
    const {ed} = desk.state,
      g = game.geometry;
    const variations = chip(t, t('search.variations'), {
      pressed: desk.view.variations,
      run: () => desk.look({variations: !desk.view.variations}),
    });
    if (!ed.region)
      return [
        h(
          'p.muted.hint',
          t(
            tool === 'play'
              ? 'search.hintPlay'
              : matchMedia('(pointer: coarse)').matches
                ? 'search.hintTouch'
                : 'search.hint',
          ),
        ),
      ];
    const where = possible(g, ed.region),
      number = (label: string, value: number, placeholder: string, take: (v: number) => void) =>
        h('input', {
          type: 'number',
          min: 0,
          max: 9999,
          inputmode: 'numeric',
          'aria-label': label,
          placeholder,
          value: value > 0 ? value : '',
          onchange: (e: Event) => take((e.target as HTMLInputElement).valueAsNumber),
        });
    return [
      select(
        t('search.anchor'),
        where.map(a => ({value: a, label: t(`search.anchor.${a}`)})),
        anchorOf(g, ed),
        a => desk.edit({anchor: a as Anchor}),
      ),
      chip(t, t('search.mirror'), {pressed: ed.mirror, run: () => desk.edit({mirror: !ed.mirror})}),
      chip(t, t('search.swap'), {pressed: ed.swap, run: () => desk.edit({swap: !ed.swap})}),
      select(
        t('search.turn'),
        [
          {value: '-1', label: t('search.turnAny')},
          ...game.sides.map((s, i) => ({
            value: String(i),
            label: t('search.turnOf', {side: titled(s.titles, lang, s.name)}),
          })),
        ],
        String(ed.turn),
        v => desk.edit({turn: +v, ...(+v >= 0 && {side: +v})}),
      ),
      h(
        'span.plies',
        h('span', t('search.plies')),
        number(t('search.pliesFrom'), ed.from, '0', v => desk.edit({from: v || 0})),
        '–',
        number(t('search.pliesTo'), ed.to, '∞', v => desk.edit({to: Number.isNaN(v) ? -1 : v})),
      ),
      variations,
      game.tools.includes('shapes') &&
        button(
          t('shapes.namePattern'),
          () => ctx.go(cutOut(g, desk.state.ed, desk.state.ed.region!, desk.state.ed.turn === 1)),
          {icon: 'tag', kind: 'quiet'},
        ),
      game.moving &&
        chip(t, t('search.anyBlank'), {
          pressed: ed.anyBlank,
          run: () => desk.edit({anyBlank: !ed.anyBlank, cells: new Map([...ed.cells].filter(([, c]) => c !== 1))}),
        }),
      ed.next && chip(t, t('search.next', {moves: ed.next}), {remove: () => desk.edit({next: ''})}),
    ];
  }

  let paletteFor = '',
    drawnFor = '';
  function show(): void {
    if (game !== desk.state.game) {
      game = desk.state.game;
      selected = undefined;
      pick(game.moving || game.geometry.cells ? 'play' : 'region');
      return;
    }
    const s = base(),
      {ed} = desk.state;
    board.set(s);
    text.hidden = !asText;
    if (asText)
      text.textContent = textBoard({
        ...s,
        coordinates: true,
        labels: new Map([...s.cells!].map(([p, c]) => [p, cellText(game.geometry, c)])),
      });
    likeness.set(ed.min ? Math.round(ed.min * 100) : 100);
    likeRow.hidden = !ed.region;
    (likeRow.children[1] as HTMLElement).textContent = t(ed.min ? 'search.alike' : 'search.exact');
    drawer.show();
    // Only what differs is made anew, so that the focus stays where it is.
    const key = JSON.stringify([game.spec, tool, prefs.get('pieces')]);
    if (key !== paletteFor) {
      paletteFor = key;
      refill(tools, paletteNode());
    }
    const now = JSON.stringify([
      game.spec,
      tool === 'play',
      ed.region,
      ed.anchor,
      ed.mirror,
      ed.swap,
      ed.turn,
      ed.from,
      ed.to,
      ed.anyBlank,
      ed.next,
      desk.view.variations,
      desk.view.flip,
      heatOn,
      asText,
      desk.can,
    ]);
    if (now !== drawnFor) {
      drawnFor = now;
      refill(bar, options());
      refill(top, head());
    }
  }

  pick(game.moving || game.geometry.cells ? 'play' : 'region');
  const keys: Key[] = [
    standard(t, 'region', () => pick('region')),
    {keys: 'm', label: t('search.play'), run: () => pick('play')},
    standard(t, 'symbols', e => {
      if (palette(game)[+e.key - 1] !== undefined) pick(+e.key - 1);
    }),
    {
      keys: ['7', '8', '9'],
      label: '',
      hidden: true,
      run: e => {
        if (palette(game)[+e.key - 1] !== undefined) pick(+e.key - 1);
      },
    },
    standard(t, 'undo', () => desk.back()),
    standard(t, 'redo', () => desk.again()),
    standard(t, 'flip', () => desk.look({flip: !desk.view.flip})),
    standard(t, 'cursor', () => board.focus()),
    standard(t, 'textBoard', toggleText),
    {keys: 'h', label: t('search.heat'), run: toggleHeat},
    standard(t, 'remove', clear),
    {keys: 'Escape', label: t('search.unregion'), run: unregion},
  ];
  return {
    node,
    keys,
    show,
    tryMove: (p, side) => void tryMove(pointName(game.geometry, p), p, side),
    mark(m) {
      marked = m;
      board.set(base());
    },
    close: () => board.close(),
  };
}

// parts is what an edit of pieces changes.
const parts = ({cells, region, lawful, anyBlank}: Editor): Partial<Editor> => ({cells, region, lawful, anyBlank});
