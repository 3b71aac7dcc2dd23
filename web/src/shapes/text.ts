// A shape as files write it, read and written without the document. The text is the one truth of the editor: what it
// does not know, such as fixtures and comments, stays as it was. What is wrong with a text the server says.
import type {Size} from '../api';
import {area} from '../core';
import {empty, signOf, symbols} from './draw';

export const maxSide = 19;
const letters = 'abcdefghijklmnpqrstuvwyz';
const order = [
  'terms',
  'name',
  'alias',
  'purpose',
  'urgency',
  'ours',
  'theirs',
  'place',
  'overrides',
  'yields',
  'origin',
  'source',
  'note',
] as const;
export type Field = Exclude<(typeof order)[number], 'ours' | 'theirs'>;

export interface Block {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly size: Size;
  readonly cells: readonly number[];
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  readonly before: string; // what stands above the block, and below it
  readonly behind: string;
}

// fresh is a shape of which nothing is said: five by five, as most are.
export const fresh = (size: Size = {w: 5, h: 5}): Block => ({
  id: '',
  fields: {urgency: '2', origin: 'user'},
  size,
  cells: new Array<number>(area(size)).fill(15),
  ours: [],
  theirs: [],
  before: '',
  behind: '',
});

// readCells reads one row of a diagram; letters come back as their characters. null for what is no cell.
export function readCells(text: string): (number | string)[] | null {
  const out: (number | string)[] = [];
  for (const [token] of text.replace(/\s/g, '').matchAll(/\{[^}]*\}|[^]/g)) {
    if (token.length > 1) {
      const set = [...token.slice(1, -1)].reduce((sum, c) => sum | (symbols.find(s => s[0] === c)?.[1] ?? 16), 0);
      if (!set || set > 15) return null;
      out.push(set);
    } else if (letters.includes(token)) out.push(token);
    else {
      const cell = symbols.find(s => s[0] === token)?.[1];
      if (cell === undefined) return null;
      out.push(cell);
    }
  }
  return out;
}

// read finds the shape in a text; null while it cannot be drawn.
export function read(text: string): Block | null {
  const lines = text.split(/\r?\n/),
    from = lines.findIndex(l => /^shape(\s|$)/.test(l));
  if (from < 0) return null;
  let to = lines.findIndex((l, i) => i > from && /^(shape|term|check)\s/.test(l));
  if (to < 0) to = lines.length;
  const fields: Record<string, string> = {},
    rows: (number | string)[][] = [];
  for (const line of lines.slice(from + 1, to)) {
    if (!line.trim() || line.trim().startsWith('//')) continue;
    if (/^\s/.test(line)) {
      const row = readCells(line);
      if (!row) return null;
      rows.push(row);
    } else {
      const [, word = '', value = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
      if (word !== 'draw') fields[word] = value.trim();
    }
  }
  const w = rows[0]?.length ?? 0,
    all = rows.flat();
  if (!w || w > maxSide || rows.length > maxSide || rows.some(r => r.length !== w)) return null;
  const spots = (name: string) =>
    all.flatMap((c, p) => (typeof c === 'string' && (fields[name] ?? '').split(/\s+/).includes(c) ? [p] : []));
  const ours = spots('ours'),
    theirs = spots('theirs');
  delete fields['ours'];
  delete fields['theirs'];
  return {
    id: lines[from]!.split(/\s+/)[1] ?? '',
    fields,
    size: {w, h: rows.length},
    cells: all.map(c => (typeof c === 'string' ? empty : c)),
    ours,
    theirs,
    before: lines.slice(0, from).join('\n').trim(),
    behind: lines.slice(to).join('\n').trim(),
  };
}

// write is the text of a block. Fixtures are those of the shape, whatever it is called now.
export function write(b: Block): string {
  const marks = new Map(
    [...new Set([...b.ours, ...b.theirs])]
      .sort((x, y) => x - y)
      .map((p, i) => [p, letters[Math.min(i, letters.length - 1)]!]),
  );
  const named = (list: readonly number[]) => [...new Set(list.map(p => marks.get(p)!))].sort().join(' '),
    fields: Record<string, string> = {...b.fields, ours: named(b.ours), theirs: named(b.theirs)};
  const names = [...order, ...Object.keys(fields).filter(f => !order.includes(f as Field))].filter(f =>
    fields[f]?.trim(),
  );
  const rows = Array.from(
    {length: b.size.h},
    (_, y) =>
      '  ' +
      Array.from({length: b.size.w}, (_, x) => marks.get(y * b.size.w + x) ?? signOf(b.cells[y * b.size.w + x]!)).join(
        ' ',
      ),
  );
  const own = [
    `shape ${b.id}`.trim(),
    ...names.map(f => `${f.padEnd(9)} ${fields[f]!.replace(/\s+/g, ' ').trim()}`),
    'draw',
    ...rows,
  ].join('\n');
  return (
    [b.before, own, b.behind.replace(/^(check\s+)\S+/gm, (_, word: string) => word + b.id)]
      .filter(Boolean)
      .join('\n\n') + '\n'
  );
}

// The ways to change a block.

export const put = (b: Block, p: number, cell: number): Block => ({
  ...b,
  cells: b.cells.map((c, i) => (i === p ? cell : c)),
  ...(cell !== empty && {ours: b.ours.filter(x => x !== p), theirs: b.theirs.filter(x => x !== p)}),
});

// good makes a point good for a side, or no longer; such a point is empty.
export function good(b: Block, p: number, side: 'ours' | 'theirs'): Block {
  const list = b[side].includes(p) ? b[side].filter(x => x !== p) : [...b[side], p].sort((x, y) => x - y);
  return {...b, cells: b.cells.map((c, i) => (i === p ? empty : c)), [side]: list};
}

export type Edge = 'top' | 'right' | 'bottom' | 'left';

// resize adds a line of cells at an edge, or takes it away.
export function resize(b: Block, edge: Edge, by: 1 | -1): Block {
  const {w, h} = b.size,
    dx = edge === 'left' || edge === 'right' ? by : 0,
    dy = dx ? 0 : by,
    size = {w: w + dx, h: h + dy};
  if (size.w < 1 || size.h < 1 || size.w > maxSide || size.h > maxSide) return b;
  const left = edge === 'left' ? by : 0,
    top = edge === 'top' ? by : 0;
  const cells = Array.from({length: area(size)}, (_, i) => {
    const x = (i % size.w) - left,
      y = Math.floor(i / size.w) - top;
    return x >= 0 && y >= 0 && x < w && y < h ? b.cells[y * w + x]! : 15;
  });
  const move = (list: readonly number[]) =>
    list.flatMap(p => {
      const x = (p % w) + left,
        y = Math.floor(p / w) + top;
      return x >= 0 && y >= 0 && x < size.w && y < size.h ? [y * size.w + x] : [];
    });
  return {...b, size, cells, ours: move(b.ours), theirs: move(b.theirs)};
}

// drawn is a shape of rows with slashes between them, as links from other pages have it.
export function drawn(text: string): Block | null {
  const rows = text.split('/').map(readCells),
    w = rows[0]?.length ?? 0;
  if (
    !w ||
    w > maxSide ||
    rows.length > maxSide ||
    rows.some(r => r?.length !== w || r.some(c => typeof c === 'string'))
  )
    return null;
  return {...fresh({w, h: rows.length}), cells: rows.flat() as number[]};
}
