// What the page shows, as its address has it, and scenes of a lesson: an address each.
// i18n: lab.scene.*

// Column is a method with how deep it reads. printed is B* as the survey prints it.
export interface Column {
  method: string;
  depth: number;
}

export const orders = ['', 'static', 'worst', 'random'] as const;
export const limits = [1000, 10_000, 50_000, 200_000, 1_000_000, 3_000_000] as const;
export const maxColumns = 4;

export interface State {
  spec: string;
  line: string;
  columns: readonly Column[];
  order: string;
  seed: number;
  nodes: number;
  now: number | null; // null is the end
  active: number; // the tree that keys walk in
  chosen: number; // a position of it; -1 for the one that the time is at
  scene: string;
}

const usual: readonly Column[] = [
  {method: 'minimax', depth: 4},
  {method: 'alphabeta', depth: 4},
];

// read takes whatever an address says; what is no number is left to the server, which says so.
export function read(url: URL): State {
  const q = (name: string) => url.searchParams.get(name) ?? '',
    num = (name: string, otherwise: number) =>
      q(name) && Number.isFinite(Number(q(name))) ? Number(q(name)) : otherwise;
  const columns = q('x')
    .split('.')
    .filter(Boolean)
    .slice(0, maxColumns)
    .map(text => {
      const [method = '', depth = ''] = text.split(/-(?=-?\d*$)/);
      return {method, depth: /^-?\d+$/.test(depth) ? Number(depth) : 4};
    });
  const [active = '', chosen = ''] = q('n').split('.');
  return {
    spec: q('g') || 'kalah:houses=3,seeds=3',
    line: q('m'),
    columns: columns.length ? columns : usual,
    order: q('order'),
    seed: num('seed', 1),
    nodes: num('nodes', 200_000),
    now: q('t') ? Math.max(0, num('t', 0)) : null,
    active: Math.max(0, Number(active) || 0),
    chosen: chosen === '' ? -1 : Math.max(0, Number(chosen) || 0),
    scene: q('scene'),
  };
}

export const columnsText = (list: readonly Column[]): string => list.map(c => `${c.method}-${c.depth}`).join('.');

export function addressOf(s: State): string {
  const q: Record<string, string> = {g: s.spec};
  if (s.line) q['m'] = s.line;
  q['x'] = columnsText(s.columns);
  if (s.order) q['order'] = s.order;
  if (s.seed !== 1) q['seed'] = String(s.seed);
  if (s.nodes !== 200_000) q['nodes'] = String(s.nodes);
  if (s.now !== null) q['t'] = String(s.now);
  if (s.active || s.chosen >= 0) q['n'] = s.active + (s.chosen >= 0 ? '.' + s.chosen : '');
  if (s.scene) q['scene'] = s.scene;
  return '/lab?' + new URLSearchParams(q).toString();
}

// Each was found by running the methods; the figures that the texts tell are tested.
export const scenes = {
  leaves: {g: 'kalah:houses=3,seeds=3', x: 'minimax-4.shallow-4.alphabeta-4.fixed-4'},
  order: {g: 'kalah:houses=4,seeds=2', x: 'alphabeta-4.fixed-4', order: 'worst'},
  deep: {g: 'connect4', m: '4 4', x: 'shallow-4.alphabeta-4'},
  horizon: {g: 'kalah', m: 'S seeds=4,8,0,2,3,2,5,1,4,1,0,10,4,4', x: 'alphabeta-2.alphabeta-4'},
  bstar: {g: 'tictactoe', m: 'b2 a1 c3', x: 'alphabeta-9.bstar-9'},
  printed: {g: 'tictactoe', m: 'a1 c3 b2 a2', x: 'bstar-9.printed-9'},
  proof: {g: 'hex:3x3', x: 'alphabeta-3.proof-3'},
} as const;
export type SceneName = keyof typeof scenes;

export const sceneLink = (name: SceneName): string =>
  '/lab?' + new URLSearchParams({...scenes[name], scene: name}).toString();
