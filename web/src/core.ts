// The board without a browser: what a board is, the names of its points, the
// states that a pattern allows on a point, and boards as text.
// Nothing here touches the document, and nothing knows the rules of a game: a
// new game is a new Geometry from the server.
//
// A point is its dense number, row by row from the top left. Everything that
// goes into a BoardState is taken as immutable: to change a list or a map, make
// a new one, since boards compare by identity to find out what to draw anew.
import type {Geometry, Look, Names, Size, Spot} from './api';
import type {Translate} from './i18n';
import type {Shape} from './scene';

export type {Geometry, Look, Size, Spot};

// Region is a rectangle of points; all four sides belong to it.
export interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type Mark = 'circle' | 'square' | 'triangle' | 'cross';
export type PieceSet = 'traditional' | 'simplified' | 'symbols';
export interface Heat {
  value: number;
  text?: string | undefined;
  title?: string | undefined;
}

// Cell is a set of states that a pattern allows on a point: bit 0 is the empty
// point, bit p is piece p.
export type Cell = number;

// Decor draws shapes of a page's own on a board; at tells where a point lies. It must depend on nothing but itself.
export type Decor = (at: (point: number) => Spot) => readonly Shape[];

// both draws one thing above the other.
export const both =
  (...list: (Decor | undefined)[]): Decor =>
  at =>
    list.flatMap(d => [...(d?.(at) ?? [])]);

export interface BoardState {
  geometry: Geometry;
  glyphs: Readonly<Record<string, string>>;
  pieces: ArrayLike<number>; // 0 empty, else geometry.pieces[n-1]
  texts?: readonly string[] | undefined; // what is written on points of games without pieces on them
  flip?: boolean | undefined;
  coordinates?: boolean | undefined;
  set?: PieceSet | undefined;
  last?: {from?: number | undefined; to: number} | undefined;
  ghost?: {at: number; piece: number} | undefined;
  selected?: number | undefined;
  cursor?: number | undefined;
  legal?: readonly number[] | undefined;
  hints?: readonly number[] | undefined;
  labels?: ReadonlyMap<number, string> | undefined;
  marks?: ReadonlyMap<number, Mark> | undefined;
  heat?: ReadonlyMap<number, Heat> | undefined;
  arrows?: readonly {from: number; to: number; colour?: string | undefined}[] | undefined;
  region?: Region | null | undefined;
  handles?: boolean | undefined; // draws the eight handles of the region
  crop?: Region | undefined; // shows this part alone
  cells?: ReadonlyMap<number, Cell> | undefined; // points without an entry are what pieces says
  dim?: boolean | undefined; // dims what lies outside the region
  under?: Decor | undefined; // what a page draws by itself: on the lines, below the pieces
  over?: Decor | undefined; // and above all signs
}

// Points and regions.

export const area = (s: Size): number => s.w * s.h;
export const column = (s: Size, p: number): number => p % s.w;
export const row = (s: Size, p: number): number => Math.floor(p / s.w);
export const pointAt = (s: Size, x: number, y: number): number => y * s.w + x;
export const onBoard = (s: Size, x: number, y: number): boolean => x >= 0 && y >= 0 && x < s.w && y < s.h;

// spotOf returns where a point lies, in steps; rows may be shifted against each other. extent returns the least and the
// greatest place of the points of a region.
export function spotOf(g: Geometry, p: number): Spot {
  const y = row(g.size, p);
  return {x: column(g.size, p) + (g.shifts[y] ?? 0), y: y * g.pitch};
}

export function extent(g: Geometry, r: Region): {lo: Spot; hi: Spot} {
  const shifts = g.shifts.length ? g.shifts.slice(r.top, r.bottom + 1) : [0];
  return {
    lo: {x: r.left + Math.min(...shifts), y: r.top * g.pitch},
    hi: {x: r.right + Math.max(...shifts), y: r.bottom * g.pitch},
  };
}

// corners are those of a cell around its middle: of a square, or of a hexagon where rows are shifted.
export function corners(g: Geometry): readonly Spot[] {
  const list = (...xy: [number, number][]) => xy.map(([x, y]) => ({x, y}));
  if (!g.shifts.length) return list([-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]);
  const near = g.pitch / 3;
  return list([0, -2 * near], [0.5, -near], [0.5, near], [0, 2 * near], [-0.5, near], [-0.5, -near]);
}

export function pointName(g: Geometry, p: number): string {
  return (g.columns[column(g.size, p)] ?? '') + (g.rows[row(g.size, p)] ?? '');
}

// pointOf returns the point of a name in either case, or -1.
export function pointOf(g: Geometry, name: string): number {
  const wanted = name.trim().toLowerCase();
  for (let p = 0; p < area(g.size); p++) if (pointName(g, p).toLowerCase() === wanted) return p;
  return -1;
}

// between returns the region with two points in opposite corners.
export function between(s: Size, a: number, b: number): Region {
  const ax = column(s, a),
    bx = column(s, b),
    ay = row(s, a),
    by = row(s, b);
  return {left: Math.min(ax, bx), top: Math.min(ay, by), right: Math.max(ax, bx), bottom: Math.max(ay, by)};
}

export const wholeBoard = (s: Size): Region => ({left: 0, top: 0, right: s.w - 1, bottom: s.h - 1});

export function inRegion(s: Size, r: Region, p: number): boolean {
  const x = column(s, p),
    y = row(s, p);
  return x >= r.left && x <= r.right && y >= r.top && y <= r.bottom;
}

export function sameRegion(a: Region | null | undefined, b: Region | null | undefined): boolean {
  return (
    a === b || (!!a && !!b && a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom)
  );
}

// pointsIn lists the points of a region, row by row.
export function pointsIn(s: Size, r: Region): number[] {
  const list: number[] = [];
  for (let y = r.top; y <= r.bottom; y++) for (let x = r.left; x <= r.right; x++) list.push(pointAt(s, x, y));
  return list;
}

// regionName returns a region as the query language writes it ("C3:J9"): the
// lower left corner, then the upper right one as they are seen by the reader.
export function regionName(g: Geometry, r: Region): string {
  return `${pointName(g, pointAt(g.size, r.left, r.bottom))}:${pointName(g, pointAt(g.size, r.right, r.top))}`;
}

export function parseRegion(g: Geometry, text: string): Region | null {
  const [a, b] = text.split(':').map(name => pointOf(g, name));
  return a === undefined || b === undefined || a < 0 || b < 0 ? null : between(g.size, a, b);
}

// line lists the points on the way from a to b without a, so that a quick
// stroke of the pointer leaves no gaps.
export function line(s: Size, a: number, b: number): number[] {
  const ax = column(s, a),
    ay = row(s, a),
    dx = column(s, b) - ax,
    dy = row(s, b) - ay;
  const n = Math.max(Math.abs(dx), Math.abs(dy));
  return Array.from({length: n}, (_, i) =>
    pointAt(s, Math.round(ax + (dx * (i + 1)) / n), Math.round(ay + (dy * (i + 1)) / n)),
  );
}

// Figures on points.

// Told is what is said of a move of a side; from is -1 where a piece is placed.
export interface Told {
  side: number;
  from: number;
  to: number;
  value: number;
  text?: string | undefined;
  title: string;
}

// piled lays what is said of moves on the points where they end. Where several pieces reach one point each has a line
// of its own, which begins with what tells them apart. What comes first stands above.
export function piled(
  g: Geometry,
  pieces: ArrayLike<number>,
  list: readonly Told[],
  sum: (a: number, b: number) => number,
): Map<number, Heat> {
  const points = new Map<number, Told[]>(),
    out = new Map<number, Heat>();
  for (const m of list) {
    const there = points.get(m.to);
    if (!there) points.set(m.to, [m]);
    else if (!there.some(o => o.from === m.from)) there.push(m);
  }
  for (const [to, there] of points) {
    const [{value, text, title}] = there as [Told];
    if (there.length === 1) {
      out.set(to, {value, text, title});
      continue;
    }
    const names = apart(g, pieces, there);
    const lines = there.flatMap((m, i) => (m.text ? [`${names[i]} ${m.text}`] : []));
    out.set(to, {
      value: there.map(m => m.value).reduce((a, b) => sum(a, b)),
      text: lines.slice(0, 3).join('\n') || undefined,
      title: there.map(m => `${m.from < 0 ? '' : pointName(g, m.from) + ': '}${m.title}`).join('; '),
    });
  }
  return out;
}

// apart tells moves by what is written on their pieces, else by the column or row that they come from, as the side that
// plays them reads it, else by the point.
function apart(g: Geometry, pieces: ArrayLike<number>, list: readonly Told[]): string[] {
  const ways = [
    ({from}: Told) => g.pieces[(pieces[from] ?? 0) - 1]?.glyph,
    ({from, side}: Told) => (side === 1 ? g.labels.top : g.labels.bottom)[column(g.size, from)],
    ({from}: Told) => g.labels.left[row(g.size, from)],
    ({from}: Told) => pointName(g, from),
  ].map(name => list.map(m => (m.from < 0 ? '·' : (name(m) ?? ''))));
  const alone = (name: string, names: readonly string[]): boolean =>
    !!name && names.filter(n => n === name).length === 1;
  return ways.find(names => names.every((name, i) => !list[i]!.text || alone(name, names))) ?? ways[3]!;
}

// Cells of patterns.

export const emptyCell: Cell = 1;
export const pieceCell = (piece: number): Cell => 1 << piece;
export const anyCell = (g: Geometry): Cell => (2 << g.pieces.length) - 1;
export function sideCell(g: Geometry, side: number): Cell {
  return g.pieces.reduce((set, look, i) => (look.owner === side ? set | (2 << i) : set), 0);
}
export const notCell = (g: Geometry, cell: Cell): Cell => anyCell(g) & ~cell;
export function swapCell(g: Geometry, cell: Cell): Cell {
  return g.pieces.reduce((set, look, i) => (cell & (2 << i) ? set | (1 << look.swap) : set), cell & 1);
}

// CellKind tells how a cell is drawn and read. Where there is one piece a side,
// every set has a kind of its own; "not" and "set" are for games with more.
export type CellKind = 'empty' | 'piece' | 'any' | 'side' | 'sideOrEmpty' | 'occupied' | 'not' | 'set';

export function cellKind(g: Geometry, cell: Cell): CellKind {
  const any = anyCell(g),
    occupied = cell & ~1;
  if (cell === any) return 'any';
  if (cell === 1) return 'empty';
  if (cell === (any & ~1)) return 'occupied';
  if (!(cell & 1) && cellPieces(cell).length === 1) return 'piece';
  if (occupied && [0, 1].some(side => sideCell(g, side) === occupied)) return cell & 1 ? 'sideOrEmpty' : 'side';
  return cellPieces(any & ~cell).length + (cell & 1 ? 0 : 1) <= 2 ? 'not' : 'set';
}

// cellPieces lists the pieces in a cell.
export function cellPieces(cell: Cell): number[] {
  const list: number[] = [];
  for (let p = 1; cell >> p; p++) if ((cell >> p) & 1) list.push(p);
  return list;
}

const letter = (g: Geometry, piece: number): string => g.pieces[piece - 1]?.letters[0] ?? '?';

// sign returns a piece as diagrams write it. In games of two kinds X is the first and O the second,
// whatever their letters are, and x and o are the same or empty.
const sign = (g: Geometry, piece: number): string =>
  g.pieces.length === 2 ? 'XO'.charAt(piece - 1) : letter(g, piece);

// cellText returns a cell as diagrams of the query language write it.
export function cellText(g: Geometry, cell: Cell): string {
  const kind = cellKind(g, cell),
    pieces = cellPieces(cell);
  const name = pieces.length === 1 ? sign(g, pieces[0]!) : '';
  switch (kind) {
    case 'any':
      return '*';
    case 'empty':
      return '.';
    case 'piece':
      return name;
  }
  if (kind === 'sideOrEmpty' && g.pieces.length === 2) return name.toLowerCase();
  const inside = (set: Cell): string =>
    [0, 1]
      .map((side, i) => {
        const all = sideCell(g, side),
          own = set & all;
        return own === all && cellPieces(all).length > 1
          ? '+-'[i]
          : cellPieces(own)
              .map(p => sign(g, p))
              .join('');
      })
      .join('') + (set & 1 ? '.' : '');
  return kind === 'not' ? `[^${inside(notCell(g, cell))}]` : `[${inside(cell)}]`;
}

// cellAt returns what the pattern of a state allows on a point.
export function cellAt(s: BoardState, p: number): Cell {
  return s.cells?.get(p) ?? 1 << (s.pieces[p] ?? 0);
}

// diagram returns the rows of a region as the query language writes them,
// without borders.
export function diagram(s: BoardState, r: Region): string[] {
  const rows: string[] = [];
  for (let y = r.top; y <= r.bottom; y++) {
    let text = '';
    for (let x = r.left; x <= r.right; x++) text += cellText(s.geometry, cellAt(s, pointAt(s.geometry.size, x, y)));
    rows.push(text);
  }
  return rows;
}

// readRow reads a row of a diagram back into cells. It returns null for signs
// that mean nothing in this game, and for those of places off the board: of the
// signs that a piece has in position texts, only letters count here.
export function readRow(g: Geometry, text: string): Cell[] | null {
  const one = (c: string): Cell => {
    if (c === '.') return 1;
    if (c === '*' || c === '?') return anyCell(g);
    const two = g.pieces.length === 2 ? 'XOxo'.indexOf(c) : -1;
    if (two >= 0) return two < 2 ? 2 << two : (2 << (two - 2)) | 1;
    const piece = /[A-Za-z]/.test(c) ? g.pieces.findIndex(look => look.letters.includes(c)) : -1;
    return piece < 0 ? 0 : 2 << piece;
  };
  const cells: Cell[] = [];
  for (const token of text.match(/\[[^\]]*\]|[^]/g) ?? []) {
    let cell = 0;
    if (token[0] === '[' && token.length > 1) {
      const not = token[1] === '^';
      for (const c of token.slice(not ? 2 : 1, -1)) {
        const part = c === '+' ? sideCell(g, 0) : c === '-' ? sideCell(g, 1) : one(c);
        if (!part) return null;
        cell |= part;
      }
      if (not) cell = notCell(g, cell);
    } else cell = one(token);
    if (!cell) return null;
    cells.push(cell);
  }
  return cells;
}

// legend lists the cells that a palette offers: the pieces, then the sets that
// make sense in this game.
export function legend(g: Geometry): {cell: Cell; kind: CellKind; text: string}[] {
  const cells = [...g.pieces.map((_, i) => 2 << i), 1, anyCell(g)];
  for (const side of [0, 1]) {
    const own = sideCell(g, side);
    if (cellPieces(own).length > 1) cells.push(own);
    cells.push(own | 1);
  }
  cells.push(anyCell(g) & ~1);
  return cells
    .filter((cell, i) => cell && cells.indexOf(cell) === i)
    .map(cell => ({cell, kind: cellKind(g, cell), text: cellText(g, cell)}));
}

// Words.

export function pieceName(g: Geometry, piece: number, lang: string): string {
  const names = g.pieces[piece - 1]?.names;
  return names?.[lang as keyof Names] ?? names?.en ?? '';
}

// describePoint says what a point is called and what is on it, for those who
// move over the board by keys.
export function describePoint(s: BoardState, p: number, t: Translate, lang: string): string {
  const g = s.geometry,
    piece = s.pieces[p] ?? 0,
    cell = s.cells?.get(p);
  const kind = cell === undefined ? '' : cellKind(g, cell);
  const parts = [pointName(g, p)];
  if (cell !== undefined && kind !== 'piece' && kind !== 'empty') parts.push(describeCell(g, cell, t, lang));
  else {
    const shown = kind === 'piece' ? cellPieces(cell!)[0]! : kind ? 0 : piece;
    parts.push(shown ? pieceName(g, shown, lang) : s.texts?.[p] || t('board.empty'));
  }
  if (s.last?.to === p) parts.push(t('board.last'));
  if (s.selected === p) parts.push(t('board.selected'));
  if (s.legal?.includes(p)) parts.push(t('board.legal'));
  const note = s.labels?.get(p) ?? s.heat?.get(p)?.title ?? s.heat?.get(p)?.text;
  if (note) parts.push(note);
  return parts.join(', ');
}

// describeCell names a cell of a pattern. i18n: board.cell.*
export function describeCell(g: Geometry, cell: Cell, t: Translate, lang: string): string {
  const kind = cellKind(g, cell),
    list = (set: Cell): string =>
      [...cellPieces(set).map(p => pieceName(g, p, lang)), ...(set & 1 ? [t('board.empty')] : [])].join(
        t('board.comma'),
      );
  switch (kind) {
    case 'empty':
      return t('board.empty');
    case 'piece':
      return list(cell);
    case 'side':
    case 'sideOrEmpty': {
      const own = cell & ~1,
        first = sideCell(g, 0) === own;
      const pieces = cellPieces(own);
      const name =
        pieces.length === 1 ? pieceName(g, pieces[0]!, lang) : t(first ? 'board.cell.first' : 'board.cell.second');
      return kind === 'side' ? name : t('board.cell.orEmpty', {name});
    }
    case 'not':
      return t('board.cell.not', {list: list(notCell(g, cell))});
    case 'set':
      return t('board.cell.set', {list: list(cell)});
    default:
      return t(`board.cell.${kind}`);
  }
}

// describe is the text alternative of a whole board: its size, how many pieces
// stand on it, the last move and who is to move, as far as they are told.
export function describe(s: BoardState, t: Translate, facts: {turn?: string; last?: string} = {}): string {
  const {size} = s.geometry;
  let count = 0;
  for (let p = 0; p < area(size); p++) if (s.pieces[p]) count++;
  const parts = [t('board.size', {columns: size.w, rows: size.h})];
  if (!s.texts) parts.push(t('board.count', {n: count}));
  const last = facts.last ?? (s.last ? pointName(s.geometry, s.last.to) : '');
  if (last) parts.push(t('board.lastMove', {move: last}));
  if (facts.turn) parts.push(t('board.turn', {side: facts.turn}));
  return parts.join(t('board.comma'));
}

const numerals = '一二三四五六七八九';

// textBoard returns the board as text for a <pre>, with the letters of the
// command line: the last move in round brackets, "_" where it came from, "-" for
// possible moves, "+" on stars and shaded cells.
export function textBoard(s: BoardState): string {
  const g = s.geometry,
    {w, h} = g.size;
  const stars = new Set([...g.dots, ...g.ticks].map(d => `${d.x},${d.y}`));
  for (const shade of g.shades) for (const p of shade.points) stars.add(`${spotOf(g, p).x},${spotOf(g, p).y}`);
  const seen = (i: number, n: number): number => (s.flip ? n - 1 - i : i);
  const ascii = (name: string | undefined): string => {
    const digit = name ? numerals.indexOf(name) : -1;
    return digit >= 0 ? String(digit + 1) : (name ?? '');
  };
  const [top, right, bottom, left] = sides(s);
  const side = s.coordinates ? Math.max(...left.map(name => name.length)) : 0;
  const names = s.coordinates ? top.map(name => ascii(name).length) : [],
    room = Math.max(1, ...(s.texts ?? []).map(text => text.length)),
    wide = Math.max(room, ...names);
  const whole = extent(g, wholeBoard(g.size));
  const shift = (y: number): string => {
    const x = g.shifts[seen(y, h)] ?? 0;
    return ' '.repeat(Math.round((s.flip ? whole.hi.x - (w - 1) - x : x - whole.lo.x) * (wide + 1)));
  };
  const header = (y: number, names: readonly string[]): string =>
    shift(y) +
    ' '.repeat(side) +
    Array.from({length: w}, (_, x) => ' ' + ascii(names[seen(x, w)]).padStart(wide)).join('');
  const cell = (p: number): string => {
    const piece = s.pieces[p] ?? 0;
    if (piece) return letter(g, piece);
    if (s.texts?.[p]) return s.texts[p];
    const label = s.labels?.get(p);
    if (label?.length === 1) return label;
    if (s.legal?.includes(p) || s.hints?.includes(p)) return '-';
    if (s.last?.from === p) return '_';
    return stars.has(`${spotOf(g, p).x},${spotOf(g, p).y}`) ? '+' : '.';
  };
  const lines: string[] = s.coordinates ? [header(0, top)] : [];
  for (let y = 0; y < h; y++) {
    let text = shift(y) + (s.coordinates ? ascii(left[seen(y, h)]).padStart(side) : ''),
      close = ' ';
    for (let x = 0; x < w; x++) {
      const p = pointAt(g.size, seen(x, w), seen(y, h)),
        last = s.last?.to === p;
      const what = cell(p),
        gap = wide - what.length + 1;
      text += (last ? close.padEnd(gap - 1) + '(' : close.padEnd(gap)).slice(-gap) + what;
      close = last ? ')' : ' ';
    }
    lines.push(text + close + (s.coordinates ? ascii(right[seen(y, h)]) : ''));
  }
  if (s.coordinates) lines.push(header(h - 1, bottom));
  return lines.map(text => text.trimEnd() + '\n').join('');
}

// sides returns the names around the board as they are seen: top, right,
// bottom, left, to be read through the same turn as the points.
export function sides(s: BoardState): [readonly string[], readonly string[], readonly string[], readonly string[]] {
  const {top, right, bottom, left} = s.geometry.labels;
  return s.flip ? [bottom, left, top, right] : [top, right, bottom, left];
}
