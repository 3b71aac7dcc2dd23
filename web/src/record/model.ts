// A record as it is played through, without the document: the tree, the line that is followed, and the board at every
// node.
import type {FullRecord, Game, Node} from '../api';
import type {Geometry, Mark, Region} from '../core';

export class Line {
  readonly nodes: readonly Node[];
  readonly kids: readonly (readonly number[])[]; // the main line first
  readonly main: readonly number[]; // nodes of the main line, from the root
  readonly #start: readonly number[];
  readonly #picked = new Map<number, number>(); // which child was followed last: forward goes there again

  constructor(record: FullRecord) {
    this.nodes = record.nodes;
    this.#start = record.start;
    const kids: number[][] = this.nodes.map(() => []);
    this.nodes.forEach((n, i) => kids[n.parent]?.push(i));
    this.kids = kids;
    const main = this.nodes.length ? [0] : [];
    for (let i = kids[0]?.[0]; i !== undefined; i = kids[i]![0]) main.push(i);
    this.main = main;
  }

  node(i: number): Node {
    return this.nodes[i]!;
  }
  parent(i: number): number {
    return this.nodes[i]?.parent ?? -1;
  }

  // path lists the nodes from the root to i, with both.
  path(i: number): number[] {
    const list: number[] = [];
    for (let k = i; k >= 0; k = this.parent(k)) list.push(k);
    return list.reverse();
  }

  // pieces is the board at a node. Cost: one copy and the changes of the line, some microseconds.
  pieces(i: number): number[] {
    const out = [...this.#start];
    for (const k of this.path(i)) {
      const {changes} = this.node(k);
      for (let j = 0; j + 1 < changes.length; j += 2) out[changes[j]!] = changes[j + 1]!;
    }
    return out;
  }

  // visit remembers the way to a node.
  visit(i: number): void {
    for (let k = i; k > 0; k = this.parent(k)) this.#picked.set(this.parent(k), k);
  }

  next(i: number): number | undefined {
    return this.#picked.get(i) ?? this.kids[i]?.[0];
  }

  // step goes n nodes on along the line, or back.
  step(i: number, n: number): number {
    for (; n > 0; n--) i = this.next(i) ?? i;
    for (; n < 0 && i > 0; n++) i = this.parent(i);
    return i;
  }

  end(i: number): number {
    for (let k = this.next(i); k !== undefined; k = this.next(i)) i = k;
    return i;
  }

  // sibling changes the branch at the last fork before or at i, and goes as far in it as i is behind the fork.
  sibling(i: number, by: 1 | -1): number {
    let far = 0;
    for (let k = i; k > 0; k = this.parent(k), far++) {
      const all = this.kids[this.parent(k)]!;
      if (all.length > 1) return this.step(all[(all.indexOf(k) + by + all.length) % all.length]!, far);
    }
    return i;
  }

  // branch is the first node of the variation that i is in; 0 in the main line.
  branch(i: number): number {
    let first = 0;
    for (let k = i; k > 0; k = this.parent(k))
      if (this.kids[this.parent(k)]![0] !== k) {
        first = k;
        break;
      }
    return first;
  }

  // hash is how an address names a node: the ply in the main line, otherwise the number of the node.
  hash(i: number): string {
    if (i === 0) return '';
    const {ply} = this.node(i);
    return this.at(ply) === i ? `#${ply}` : `#n${i}`;
  }

  // at is the node of a ply of the main line, the last one where there are not so many: the first of several, where
  // comments stand in nodes of their own.
  at(ply: number): number {
    let found = 0;
    for (const i of this.main) {
      if (this.node(i).ply > ply) break;
      if (this.node(found).ply !== this.node(i).ply) found = i;
    }
    return found;
  }

  parse(hash: string): number {
    const m = /^#(n?)(\d+)$/.exec(hash);
    if (!m) return 0;
    const n = Number(m[2]);
    return m[1] ? (n < this.nodes.length ? n : 0) : this.at(n);
  }

  // seek finds what somebody has typed: the number of a move, or a move as it is written, ahead in the line and then
  // behind it.
  seek(i: number, text: string, geometry: Geometry | undefined): number | null {
    const want = text
      .trim()
      .toLowerCase()
      .replace(/^\d+[.…]+\s*/, '');
    if (/^\d+$/.test(want)) {
      const ply = Number(want),
        line = this.path(this.end(i));
      return line.find(k => this.node(k).ply >= ply) ?? line[line.length - 1]!;
    }
    if (!want) return null;
    const name = (k: number) => {
      const {to} = this.node(k),
        g = geometry;
      return g && to >= 0 ? `${g.columns[to % g.size.w]}${g.rows[Math.floor(to / g.size.w)]}`.toLowerCase() : '';
    };
    const is = (k: number) => k > 0 && (this.node(k).move.toLowerCase() === want || name(k) === want);
    const line = this.path(this.end(i)),
      at = line.indexOf(i);
    return (
      this.kids[i]!.find(is) ??
      line.slice(at + 1).find(is) ??
      line
        .slice(0, at + 1)
        .reverse()
        .find(is) ??
      null
    );
  }
}

// Guess is a reader who finds the moves of a record, and how well that went. What was tried counts once for each move.
export class Guess {
  right = 0;
  all = 0;
  tried: readonly number[] = []; // points, at this move

  // take compares a move with those of the record, and returns the node of the one that it is.
  take(line: Line, at: number, from: number, to: number): number | undefined {
    const kid = line.kids[at]!.find(k => line.node(k).to === to && line.node(k).from === from);
    if (!this.tried.length) {
      this.all++;
      if (kid !== undefined) this.right++;
    }
    if (kid === undefined) this.tried = [...new Set([...this.tried, to])];
    return kid;
  }
}

// Place is where in a record a query is met; region is the name of one, null where the query has no board.
export interface Place {
  ply: number;
  region: string | null;
}

// placeAt is the number of the place that a node shows, -1 between them: with its region, else the first at that move.
export function placeAt(list: readonly Place[], line: Line, at: number, region: string | null): number {
  const {ply} = line.node(at),
    here = list.map(x => x.ply === ply && line.at(ply) === at);
  const exact = list.findIndex((x, i) => here[i] && x.region === region);
  return exact >= 0 ? exact : here.indexOf(true);
}

// nextPlace is the number of the place behind or before the one that is shown, or behind or before the move; there may
// be none of that number.
export function nextPlace(list: readonly Place[], line: Line, at: number, region: string | null, by: 1 | -1): number {
  const {ply} = line.node(at),
    now = placeAt(list, line, at, region);
  if (now >= 0) return now + by;
  return by > 0 ? list.findIndex(x => x.ply > ply) : list.findLastIndex(x => x.ply < ply);
}

// numbered is the number that stands before a move. Where pieces move, a number counts a move of both sides.
export function numbered(game: Game | undefined, turn: number, n: Node): string {
  if (!game?.moving) return String(n.ply);
  return Math.floor((n.ply + 1 + turn) / 2) + (n.side === 1 ? '…' : '.');
}

// Numbers say which moves have their numbers on the stones.
export const numberings = ['', 'last', '5', '10', 'branch', 'all'] as const;
export type Numbering = (typeof numberings)[number];

export interface Signs {
  labels: Map<number, string>;
  marks: Map<number, Mark>;
  arrows: {from: number; to: number; colour: string}[];
  regions: {from: number; to: number; colour: string}[];
}

// signs are what stands on the board at a node: the record's own labels and marks, and the numbers that are wanted.
export function signs(line: Line, at: number, pieces: readonly number[], numbering: Numbering): Signs {
  const labels = new Map<number, string>(),
    marks = new Map<number, Mark>(),
    arrows: Signs['arrows'] = [],
    regions: Signs['regions'] = [];
  if (numbering) {
    const path = line.path(at),
      branch = line.branch(at);
    const from =
      numbering === 'all'
        ? 0
        : numbering === 'branch'
          ? branch
            ? path.indexOf(branch)
            : 0
          : Math.max(0, path.length - (numbering === 'last' ? 1 : Number(numbering)));
    const first = numbering === 'branch' && branch ? line.node(branch).ply - 1 : 0;
    for (const k of path.slice(from)) {
      const {to, from: left, ply, side} = line.node(k);
      if (to < 0 || left >= 0 || side < 0) continue;
      if (pieces[to]) labels.set(to, String(ply - first));
    }
  }
  for (const m of line.nodes[at]?.marks ?? []) {
    if (m.kind === 'label') labels.set(m.point, m.text);
    else if (m.kind === 'first' || m.kind === 'second') {
      if (!pieces[m.point]) labels.set(m.point, m.kind === 'first' ? '●' : '○');
    } else if (m.kind === 'arrow' || m.kind === 'region')
      (m.kind === 'arrow' ? arrows : regions).push({from: m.point, to: m.to ?? 0, colour: m.text || 'green'});
    else marks.set(m.point, m.kind);
  }
  return {labels, marks, arrows, regions};
}

// sized tells whether a region is worth a search.
export const sized = (r: Region | null): r is Region => !!r && (r.right > r.left || r.bottom > r.top);
