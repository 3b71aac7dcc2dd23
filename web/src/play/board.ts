// Boards of other sizes. The server lists those that are usual and those of the library; a game may be played on
// another one.
import type {Game, Spot} from '../api';

// cut makes the kind of game that a spec such as weiqi:9x9 names from the usual board of its family; undefined where it
// has no part of that size. Where its stars are is not known.
export function cut(games: readonly Game[], spec: string): Game | undefined {
  const [, family, variant, w, h] =
    (/^(\w+):((\d+)x(\d+))$/.exec(spec)?.map((x, i) => (i > 2 ? +x : x)) as
      [string, string, string, number, number] | undefined) ?? [];
  const usual = games.find(g => g.usual && g.family === family && !g.moving),
    g = usual?.geometry;
  if (!usual || !g || !variant || !w || !h || w > g.size.w || h > g.size.h) return undefined;
  const within = (p: Spot): Spot => ({...p, x: Math.min(p.x, w - 1), y: Math.min(p.y, h - 1)}),
    down = g.rows.at(-1) === '1'; // rows count from below
  const across = (list: readonly string[]) => list.slice(0, w),
    along = (list: readonly string[]) => (down ? list.slice(-h) : list.slice(0, h)),
    {top, bottom, left, right} = g.labels;
  return {
    ...usual,
    spec,
    variant,
    usual: false,
    records: 0,
    start: new Array<number>(w * h).fill(0),
    geometry: {
      ...g,
      size: {w, h},
      columns: across(g.columns),
      rows: along(g.rows),
      labels: {top: across(top), bottom: across(bottom), left: along(left), right: along(right)},
      dots: [],
      ticks: [],
      texts: [],
      lines: g.lines.filter(l => l.from.x < w && l.from.y < h).map(l => ({from: within(l.from), to: within(l.to)})),
    },
  };
}
