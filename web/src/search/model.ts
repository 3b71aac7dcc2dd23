// What the board editor of the search holds, and how it is written as a query and read back. Nothing here touches the
// document. The query text is the one truth: everything in an Editor can be had from the text, the place where a
// floating region lies (`at`) and the pieces around it (`out`), which are in the URL.
import {
  type Cell,
  type Geometry,
  type Region,
  anyCell,
  area,
  cellPieces,
  cellText,
  inRegion,
  pieceCell,
  pointAt,
  pointName,
  pointsIn,
  readRow,
  sameRegion,
  wholeBoard,
} from '../core';
import type {Condition, Diagram, Game} from '../api';
import type {Translate} from '../i18n';

export const anchors = ['corner', 'side', 'floating', 'centre', 'fixed', 'whole'] as const;
export type Anchor = (typeof anchors)[number];

export interface Editor {
  readonly cells: ReadonlyMap<number, Cell>; // what was put on points, inside of the region or not
  readonly region: Region | null;
  readonly byHand: boolean; // the region was drawn: it does not follow the stones
  readonly lawful: boolean; // the rules made the position, so that they can read it
  readonly anyBlank: boolean; // points without an entry do not matter; otherwise they are empty
  readonly anchor: Anchor | ''; // '' is what the edges say
  readonly mirror: boolean;
  readonly swap: boolean;
  readonly turn: number; // the side to move, -1 for either
  readonly from: number;
  readonly to: number; // -1 without a bound
  readonly min: number; // the least likeness; 0 for an exact search
  readonly next: string;
  readonly extra: readonly string[]; // weights of likeness, as options
  readonly side: number; // who plays next on the editor's board, for moves that are tried out
}

// fresh is the editor before anything was asked: the start of the game, and no region.
export function fresh(game: Game): Editor {
  return {
    cells: put(game.start),
    region: null,
    byHand: false,
    lawful: true,
    anyBlank: false,
    anchor: '',
    mirror: true,
    swap: true,
    turn: -1,
    from: 0,
    to: -1,
    min: 0,
    next: '',
    extra: [],
    side: 0,
  };
}

// put makes cells of a position.
export function put(pieces: readonly number[]): Map<number, Cell> {
  const cells = new Map<number, Cell>();
  pieces.forEach((p, i) => {
    if (p) cells.set(i, pieceCell(p));
  });
  return cells;
}

export const blankOf = (g: Geometry, ed: Editor): Cell => (ed.anyBlank ? anyCell(g) : 1);
export const cellOf = (g: Geometry, ed: Editor, p: number): Cell => ed.cells.get(p) ?? blankOf(g, ed);

// piecesOf are the points that hold just one piece, as a position has them.
export function piecesOf(g: Geometry, ed: Editor): number[] {
  const out: number[] = new Array(area(g.size)).fill(0);
  for (const [p, c] of ed.cells) if (single(c)) out[p] = cellPieces(c)[0]!;
  return out;
}

export const single = (c: Cell): boolean => !(c & 1) && (c & (c - 1)) === 0;

// paint puts a cell on points. What is put outside of the region counts too, so that the region grows to it.
export function paint(game: Game, ed: Editor, points: readonly number[], cell: Cell): Editor {
  const g = game.geometry,
    cells = new Map(ed.cells),
    blank = blankOf(g, ed),
    follows = isAuto(game, ed);
  for (const p of points)
    if (cell === blank) cells.delete(p);
    else cells.set(p, cell);
  const next = {...ed, cells, lawful: false},
    region = follows ? autoRegion(game, next) : ed.region;
  return {...next, region: cell === blank || !region ? region : points.reduce((r, p) => hull(g, r, p), region)};
}

function hull(g: Geometry, r: Region, p: number): Region {
  const x = p % g.size.w,
    y = Math.floor(p / g.size.w);
  return {
    left: Math.min(r.left, x),
    top: Math.min(r.top, y),
    right: Math.max(r.right, x),
    bottom: Math.max(r.bottom, y),
  };
}

// isAuto tells that nobody drew a region: it follows what stands on the board.
export const isAuto = (game: Game, ed: Editor): boolean =>
  !ed.region || (!ed.byHand && sameRegion(ed.region, autoRegion(game, ed)));

const margin = 2,
  near = 4;

// autoRegion is what a search is about where no region was drawn: the stones and a little room around them, up to the
// edges that are near; in games whose position is one whole, the whole board.
export function autoRegion(game: Game, ed: Editor): Region | null {
  const {size, cells: squares} = game.geometry,
    all = wholeBoard(size);
  if (!ed.cells.size) return null;
  if (game.moving || squares) return all;
  let r: Region | null = null;
  const stones = [...ed.cells].filter(([, c]) => single(c)); // sets of states only where there is nothing else
  for (const [p] of stones.length ? stones : ed.cells)
    r = hull(game.geometry, r ?? {left: size.w, top: size.h, right: -1, bottom: -1}, p);
  if (!r) return null;
  const low = (v: number) => (v <= near ? 0 : v - margin),
    high = (v: number, n: number) => (v >= n - 1 - near ? n - 1 : v + margin);
  return {left: low(r.left), top: low(r.top), right: high(r.right, size.w), bottom: high(r.bottom, size.h)};
}

// edges of the board that a region touches: top, right, bottom, left.
export function edgesOf(g: Geometry, r: Region): [boolean, boolean, boolean, boolean] {
  return [r.top === 0, r.right === g.size.w - 1, r.bottom === g.size.h - 1, r.left === 0];
}

// possible lists the anchors that a region can have, the likeliest first. Stones are the same wherever they lie; pieces
// that move have their places.
export function possible(g: Geometry, r: Region): Anchor[] {
  const list = touching(g, r);
  return g.pieces.length > 2 && list.includes('fixed') ? ['fixed', ...list.filter(a => a !== 'fixed')] : list;
}

function touching(g: Geometry, r: Region): Anchor[] {
  const [top, right, bottom, left] = edgesOf(g, r);
  if (top && right && bottom && left) return ['whole'];
  if ((top || bottom) && (left || right)) return ['corner', 'side', 'floating', 'fixed'];
  return top || right || bottom || left ? ['side', 'floating', 'fixed'] : ['floating', 'centre', 'fixed'];
}

export const anchorOf = (g: Geometry, ed: Editor): Anchor => {
  const list = possible(g, ed.region!);
  return ed.anchor && list.includes(ed.anchor) ? ed.anchor : list[0]!;
};

// boardText writes the editor as a condition of the query language, '' without a region.
export function boardText(game: Game, ed: Editor): string {
  const g = game.geometry,
    r = ed.region;
  if (!r) return '';
  const anchor = anchorOf(g, ed);
  let [top, right, bottom, left] =
    anchor === 'floating' || anchor === 'centre' || anchor === 'fixed' ? [false, false, false, false] : edgesOf(g, r);
  // of a corner that may slide along the side
  if (anchor === 'side' && (top || bottom) && (left || right)) left = right = false;
  // A whole position is shorter as a position text, and means the same; but pieces that move must stand where they can.
  const position =
    anchor === 'whole' &&
    !ed.min &&
    !ed.anyBlank &&
    (ed.lawful || !game.moving) &&
    [...ed.cells.values()].every(single);
  const rows: string[] = [];
  for (let y = r.top; y <= r.bottom; y++) {
    let row = left ? '|' : '';
    for (let x = r.left; x <= r.right; x++) row += cellText(g, cellOf(g, ed, pointAt(g.size, x, y)));
    rows.push(row + (right ? '|' : ''));
  }
  const border = (left ? '+' : '') + '-'.repeat(r.right - r.left + 1) + (right ? '+' : '');
  if (top) rows.unshift(border);
  if (bottom) rows.push(border);
  const o: string[] = [];
  if (ed.min) o.push(`min:${short(ed.min)}`);
  if (anchor === 'centre') o.push('centre');
  if (anchor === 'fixed') o.push('at:' + pointName(g, pointAt(g.size, r.left, r.top)));
  if (!ed.mirror) o.push('no-mirror');
  if (!ed.swap) o.push('no-swap');
  if (ed.turn >= 0) o.push('turn:' + game.sides[ed.turn]!.name);
  if (ed.from > 0 || ed.to >= 0) o.push(`plies:${ed.from || ''}..${ed.to >= 0 ? ed.to : ''}`);
  if (ed.next && !ed.min) o.push(`next:${quoted(ed.next)}`);
  if (ed.min) o.push(...ed.extra);
  const word = ed.min ? 'fuzzy' : position ? 'position' : 'board',
    drawn = position ? rowsText(g, piecesOf(g, ed)) : rows.join('/');
  return `${word}:"${drawn}"${o.length ? `{${o.join(' ')}}` : ''}`;
}

const short = (x: number) => String(Math.round(x * 100) / 100).replace(/^0\./, '.');

// quoted writes a value so that the language reads it as one text.
export const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;

// plainValue writes a value with quotes only where they are needed.
export const plainValue = (text: string): string =>
  /^[\p{L}\p{N}_.+\-/:]+$/u.test(text) && !/^(and|or|not|then|all|none|[且或非])$/i.test(text) ? text : quoted(text);

// condition makes one of a field. A range is written as it is.
export function condition(field: string, op: Condition['op'], value: string): Condition {
  const text =
    field === 'text'
      ? plainValue(value)
      : field + op + (/^[\d.\-dkp]*\.\.[\d.\-dkp]*$/.test(value) ? value : plainValue(value));
  return {text, negated: false, field, op, value, any: []};
}

// compose is the whole query: the board, then the conditions.
export function compose(game: Game, ed: Editor, conditions: readonly Condition[]): string {
  return [boardText(game, ed), ...conditions.map(conditionText)].filter(Boolean).join(' ');
}

// conditionName puts a condition into the reader's words; fields are the names of the fields.
export function conditionName(t: Translate, fields: ReadonlyMap<string, string>, c: Condition): string {
  const not = c.negated ? t('search.not') + ' ' : '';
  if (c.any.length > 1) {
    const list = c.any.map(x => conditionName(t, fields, x)).join(` ${t('search.or')} `);
    return not ? `${not}(${list})` : list;
  }
  return c.field && c.value
    ? not + (c.field === 'text' ? '' : (fields.get(c.field) ?? c.field) + (c.op === ':' ? ': ' : ` ${c.op} `)) + c.value
    : conditionText(c);
}

// conditionText writes a condition so that it stays one among others.
export function conditionText(c: Condition): string {
  if (c.any.length > 1) return `${c.negated ? 'not ' : ''}(${c.any.map(conditionText).join(' or ')})`;
  return c.text;
}

// restore reads the editor back from what the server tells of the board of a query.
export function restore(game: Game, d: Diagram | undefined, at: string, out: string): Editor {
  const base = fresh(game),
    g = game.geometry,
    {w, h} = g.size;
  if (!d) {
    const cells = out ? put(readRows(g, out)) : base.cells;
    // on an empty board only what is put there counts
    return {...base, cells, anyBlank: game.moving && !cells.size, side: toPlay(game, cells)};
  }
  const read = d.cells.map(c => readRow(g, c)?.[0] ?? anyCell(g)),
    any = anyCell(g);
  const count = (c: Cell) => read.filter(x => x === c).length;
  const anyBlank = game.moving && count(any) > count(1),
    blank = anyBlank ? any : 1;
  const columns = Math.min(d.columns, w),
    rows = Math.min(d.rows, h);
  const [wishX, wishY] = at ? at.split(',').map(Number) : [];
  const place = (known: number, low: boolean, high: boolean, wish: number | undefined, n: number, total: number) => {
    if (known >= 0) return known;
    if (low) return 0;
    if (high) return total - n;
    return Number.isInteger(wish) ? Math.max(0, Math.min(wish!, total - n)) : Math.floor((total - n) / 2);
  };
  const edge = (name: string) => d.edges.includes(name);
  const left = place(d.column, edge('left'), edge('right'), wishX, columns, w),
    top = place(d.row, edge('top'), edge('bottom'), wishY, rows, h);
  const region = {left, top, right: left + columns - 1, bottom: top + rows - 1};
  const cells = new Map<number, Cell>();
  if (out)
    put(readRows(g, out)).forEach((c, p) => {
      if (!inRegion(g.size, region, p)) cells.set(p, c);
    });
  read.forEach((c, i) => {
    const x = left + (i % d.columns),
      y = top + Math.floor(i / d.columns);
    if (c !== blank && x < w && y < h) cells.set(pointAt(g.size, x, y), c);
  });
  const known =
    /^(corner|side|cent(re|er)|floating|fixed|(no-)?(mirror|swap)|(at|region|turn|plies|ply|next|min):.*)$/i;
  const ed: Editor = {
    ...base,
    cells,
    region,
    lawful: d.word === 'position',
    anyBlank,
    mirror: d.mirror,
    swap: d.swap,
    turn: d.turn,
    from: d.from,
    to: d.to,
    min: d.min,
    next: d.next,
    extra: d.options.filter(o => !known.test(o)),
    side: d.turn >= 0 ? d.turn : toPlay(game, cells),
  };
  return d.anchor === possible(g, region)[0] ? ed : {...ed, anchor: d.anchor as Anchor};
}

// toPlay guesses whose move it is from what stands there.
export function toPlay(game: Game, cells: ReadonlyMap<number, Cell>): number {
  if (game.moving) return 0;
  let lead = 0,
    all = 0;
  for (const c of cells.values())
    if (single(c)) {
      all++;
      lead += game.geometry.pieces[cellPieces(c)[0]! - 1]!.owner ? -1 : 1;
    }
  return game.geometry.cells ? all % 2 : lead > 0 ? 1 : 0;
}

// rowsText writes pieces as the rows of a position text.
export function rowsText(g: Geometry, pieces: readonly number[]): string {
  const rows: string[] = [];
  for (let y = 0; y < g.size.h; y++) {
    rows.push(
      pieces
        .slice(y * g.size.w, (y + 1) * g.size.w)
        .map(p => (p ? g.pieces[p - 1]!.letters[0]! : '.'))
        .join('')
        .replace(/\.+/g, s => String(s.length)),
    );
  }
  return rows.join('/');
}

// readRows reads the pieces of a position text.
export function readRows(g: Geometry, text: string): number[] {
  const out: number[] = [];
  for (const m of text.split(' ')[0]!.matchAll(/\d+|[^/]/g)) {
    if (/\d/.test(m[0])) for (let n = Math.min(+m[0], area(g.size)); n > 0; n--) out.push(0);
    else out.push(g.pieces.findIndex(l => l.letters.includes(m[0])) + 1);
  }
  return out.slice(0, area(g.size));
}

// around is the pieces outside of the region, as the URL keeps them; '' where there are none.
export function around(game: Game, ed: Editor): string {
  const g = game.geometry,
    pieces = piecesOf(g, ed),
    r = ed.region;
  if (!r) return pieces.every((p, i) => p === (game.start[i] ?? 0)) ? '' : rowsText(g, pieces);
  for (const p of pointsIn(g.size, r)) pieces[p] = 0;
  return pieces.some(Boolean) ? rowsText(g, pieces) : '';
}

// cycle is what shift-click makes of a point: any, first or empty, second or empty, and what it was.
export function cycle(g: Geometry, c: Cell): Cell {
  const side = (s: number) => g.pieces.reduce((set, l, i) => (l.owner === s ? set | (2 << i) : set), 1);
  const ring = [anyCell(g), side(0), side(1), 1],
    i = ring.indexOf(c);
  return ring[(i + 1) % ring.length]!;
}

// symbols of the palette with keys 1 to 6 where there is one piece a side; otherwise pieces of both sides and the sets.
export function palette(game: Game): Cell[] {
  const g = game.geometry,
    any = anyCell(g);
  if (g.pieces.length === 2) return [2, 4, 1, any, 3, 5];
  const side = (s: number) => g.pieces.reduce((set, l, i) => (l.owner === s ? set | (2 << i) : set), 0);
  return [...g.pieces.map((_, i) => 2 << i), 1, any, side(0), side(1), side(0) | 1, side(1) | 1];
}

// placed is what an address says about a board beside the query: where its region lies, unless the query tells it, and
// the pieces around it.
export const placed = (game: Game, ed: Editor): {at: string | null; out: string} => ({
  at:
    ed.region && /floating|side|centre/.test(anchorOf(game.geometry, ed)) ? `${ed.region.left},${ed.region.top}` : null,
  out: around(game, ed),
});

// cutOut is the address of the editor of shapes with a region in it: beside the board it is the edge. Own is the first
// side, or with swap the second.
export function cutOut(g: Geometry, ed: Editor, r: Region, swap: boolean): string {
  const wide = r.right - r.left > 16 || r.bottom - r.top > 16,
    [top, right, bottom, left] = wide ? [] : edgesOf(g, r),
    signs = swap ? '?.X&O@+*' : '?.O@X&+*',
    rows: string[] = [];
  for (let y = r.top; y <= r.bottom; y++) {
    let row = left ? '#' : '';
    for (let x = r.left; x <= r.right; x++) row += signs[cellOf(g, ed, pointAt(g.size, x, y))]!.replace('+', '{OX}');
    rows.push(row + (right ? '#' : ''));
  }
  const edge = '#'.repeat(r.right - r.left + 1 + (left ? 1 : 0) + (right ? 1 : 0));
  return (
    '/shapes/new?' +
    new URLSearchParams({d: [...(top ? [edge] : []), ...rows, ...(bottom ? [edge] : [])].join('/')}).toString()
  );
}
