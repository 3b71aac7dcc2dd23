// The tree of a search without a browser: columns of numbers instead of objects, so that a hundred thousand positions
// are drawn and looked up while somebody drags the time line.
import type {LabNode, LabRun, LabTree} from '../api';

// Why a position was left, in the order in which they are listed; open is one that is still being read.
export const reasons = [
  'read',
  'horizon',
  'over',
  'quiet',
  'table',
  'forward',
  'proved',
  'shallow',
  'deep',
  'window',
  'stopped',
  'open',
] as const;
export type Reason = (typeof reasons)[number];

export const isCut = (r: number): boolean => r >= 7 && r <= 9;

// What a search for the best first has not opened yet is no leaf.
const isLeaf = (t: Tree, r: number): boolean => r === 2 || (r >= 1 && r <= 3 && !bestFirst(t.method));
export const bestFirst = (method: string): boolean => method === 'bstar' || method === 'proof';

export interface Tree {
  readonly run: LabRun;
  readonly method: string;
  readonly left: number; // positions that are not here
  readonly turn: number; // the side to move at the root
  readonly n: number;
  readonly end: number; // of the time
  readonly leaves: number; // width of the picture, in leaves
  readonly deep: number; // the last ply
  readonly parent: Int32Array;
  readonly ply: Uint16Array;
  readonly why: Uint8Array;
  readonly at: Uint8Array; // number of the move that cut
  readonly side: Uint8Array; // to move
  readonly alpha: Float64Array;
  readonly beta: Float64Array;
  readonly value: Float64Array;
  readonly enter: Int32Array; // when it was entered and left
  readonly leave: Int32Array;
  readonly from: Float32Array; // its first and its last leaf
  readonly to: Float32Array;
  readonly move: readonly string[];
  readonly order: Int32Array; // by the time of entering
  readonly rows: readonly Int32Array[]; // by ply, from left to right
}

export function treeOf(t: LabTree): Tree {
  const {nodes} = t,
    n = nodes.length,
    parent = new Int32Array(n),
    ply = new Uint16Array(n),
    why = new Uint8Array(n),
    at = new Uint8Array(n),
    side = new Uint8Array(n),
    alpha = new Float64Array(n),
    beta = new Float64Array(n),
    value = new Float64Array(n),
    enter = new Int32Array(n),
    leave = new Int32Array(n),
    from = new Float32Array(n),
    to = new Float32Array(n),
    number = new Map<string, number>(reasons.map((r, i) => [r, i]));
  let end = 0,
    deep = 0,
    leaves = 0;
  nodes.forEach((x: LabNode, i) => {
    const up = (parent[i] = x.parent);
    ply[i] = x.ply;
    why[i] = number.get(x.why) ?? 0;
    at[i] = x.at ?? 0;
    side[i] = up < 0 ? t.turn : x.again ? side[up]! : 1 - side[up]!;
    alpha[i] = x.alpha;
    beta[i] = x.beta;
    value[i] = x.value;
    enter[i] = x.in;
    leave[i] = x.out || t.events;
    end = Math.max(end, leave[i]!);
    deep = Math.max(deep, x.ply);
    from[i] = -1;
  });
  if (t.left > 0) end = dense(enter, leave);
  // A position is as wide as the leaves below it. Those below it stand behind it in the list, so one pass backwards
  // brings their places up; a root stands apart from the one before.
  const below = new Uint8Array(n);
  for (let i = 0; i < n; i++) if (parent[i]! >= 0) below[parent[i]!] = 1;
  for (let i = 0; i < n; i++) {
    if (i && parent[i]! < 0) leaves++;
    if (!below[i]) from[i] = to[i] = leaves++;
  }
  for (let i = n - 1; i >= 0; i--) {
    const up = parent[i]!;
    if (up < 0) continue;
    if (from[up]! < 0 || from[i]! < from[up]!) from[up] = from[i]!;
    if (to[i]! > to[up]!) to[up] = to[i]!;
  }
  const counts = new Int32Array(deep + 1);
  for (let i = 0; i < n; i++) counts[ply[i]!]!++;
  const rows = Array.from(counts, c => new Int32Array(c));
  counts.fill(0);
  for (let i = 0; i < n; i++) rows[ply[i]!]![counts[ply[i]!]!++] = i;
  const order = Int32Array.from(nodes, (_, i) => i).sort((a, b) => enter[a]! - enter[b]!);
  return {
    run: t.run,
    method: t.method,
    left: t.left,
    turn: t.turn,
    n,
    end,
    leaves: Math.max(leaves, 1),
    deep,
    parent,
    ply,
    why,
    at,
    side,
    alpha,
    beta,
    value,
    enter,
    leave,
    from,
    to,
    move: nodes.map(x => x.move),
    order,
    rows,
  };
}

// dense counts the events of the positions that are here, where others happened between them. It returns the last.
function dense(enter: Int32Array, leave: Int32Array): number {
  const all = new Int32Array(2 * enter.length);
  all.set(enter);
  all.set(leave, enter.length);
  all.sort();
  let n = 0;
  for (const v of all) if (!n || all[n - 1] !== v) all[n++] = v;
  for (const list of [enter, leave])
    for (let i = 0; i < list.length; i++) {
      let lo = 0,
        hi = n - 1;
      while (lo < hi) {
        const mid = (lo + hi) >> 1;
        if (all[mid]! < list[i]!) lo = mid + 1;
        else hi = mid;
      }
      list[i] = lo + 1;
    }
  return n;
}

export const reasonAt = (t: Tree, i: number, now: number): number => (t.leave[i]! > now ? 11 : t.why[i]!);

// entered is how many positions have been entered by a time.
export function entered(t: Tree, now: number): number {
  let lo = 0,
    hi = t.n;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (t.enter[t.order[mid]!]! <= now) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// current is the position that the last event by a time was about: -1 before the first.
export function current(t: Tree, now: number): number {
  const k = entered(t, now);
  if (!k) return -1;
  // The last that was entered, or the one that was left since: it or one above it.
  let best = t.order[k - 1]!,
    when = t.enter[best]!;
  for (let i: number = best; i >= 0; i = t.parent[i]!) {
    const out = t.leave[i]!;
    if (out <= now && out > when) {
      best = i;
      when = out;
    }
  }
  return best;
}

export interface Tally {
  nodes: number;
  leaves: number;
  cuts: number;
}

// tally counts what has happened by a time. What lies before it is counted by the one before.
export function tally(t: Tree, now: number): Tally {
  let nodes = 0,
    leaves = 0,
    cuts = 0;
  for (let i = 0; i < t.n; i++) {
    if (t.enter[i]! > now) continue;
    if (t.parent[i]! >= 0) nodes++;
    if (t.leave[i]! > now) continue;
    if (isLeaf(t, t.why[i]!)) leaves++;
    else if (isCut(t.why[i]!)) cuts++;
  }
  return {nodes, leaves, cuts};
}

// nextCut is when the next position is left by a cut, or the one before: null where there is none.
export function nextCut(t: Tree, now: number, dir: 1 | -1): number | null {
  let best: number | null = null;
  for (let i = 0; i < t.n; i++) {
    const out = t.leave[i]!;
    if (!isCut(t.why[i]!) || (dir > 0 ? out <= now : out >= now)) continue;
    if (best === null || (dir > 0 ? out < best : out > best)) best = out;
  }
  return best;
}

// pathTo lists the positions from a root to one.
export function pathTo(t: Tree, i: number): number[] {
  const list: number[] = [];
  for (; i >= 0; i = t.parent[i]!) list.unshift(i);
  return list;
}

// near is the position that lies next to one in a direction, among those that have been entered: the same where there
// is none.
export function near(t: Tree, i: number, where: 'up' | 'down' | 'left' | 'right', now: number): number {
  if (where === 'up') return t.parent[i]! >= 0 ? t.parent[i]! : i;
  const row = t.rows[t.ply[i]! + (where === 'down' ? 1 : 0)];
  if (!row) return i;
  if (where === 'down') {
    for (const j of row) if (t.parent[j] === i && t.enter[j]! <= now) return j;
    return i;
  }
  const step = where === 'left' ? -1 : 1;
  for (let k = row.indexOf(i) + step; k >= 0 && k < row.length; k += step) if (t.enter[row[k]!]! <= now) return row[k]!;
  return i;
}
