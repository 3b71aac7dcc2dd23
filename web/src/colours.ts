// Colours: of a game's board as CSS variables, and how they are mixed.
import type {Geometry} from './core';

export type RGB = readonly [number, number, number];
export const white: RGB = [255, 255, 255],
  black: RGB = [0, 0, 0];

export function rgb(text: string): RGB {
  const hex = text.length === 4 ? text.replace(/\w/g, '$&$&') : text,
    n = parseInt(hex.slice(1), 16) || 0;
  return [n >> 16, (n >> 8) & 255, n & 255];
}
export const mix = (a: RGB, b: RGB, t: number): RGB =>
  [0, 1, 2].map(i => Math.round(a[i]! + (b[i]! - a[i]!) * t)) as unknown as RGB;
export const light = (c: RGB): number => (299 * c[0] + 587 * c[1] + 114 * c[2]) / 1000;
export const hex = (c: RGB): string => '#' + c.map(v => v.toString(16).padStart(2, '0')).join('');
const contrast = (c: RGB): string => (light(c) > 140 ? '#121110' : '#ffffff');

// colours returns the CSS variables of a game, which the default theme uses.
export function colours(g: Geometry): Record<string, string> {
  const ground = rgb(g.theme.board),
    mark = rgb(g.theme.mark);
  // A dark hue on a bright board would pass through grey; on a paler ground it keeps its hue.
  const pale = light(ground) > light(mark) ? mix(ground, white, 0.6) : ground;
  const line = rgb(g.theme.line),
    write = Math.abs(light(line) - light(ground)) < 90 ? contrast(ground) : g.theme.line;
  return {
    '--game-write': write,
    '--game-board': g.theme.board,
    '--game-line': g.theme.line,
    '--game-mark': g.theme.mark,
    '--game-border': hex(mix(ground, black, 0.22)),
    '--game-pale': hex(pale),
    '--game-low': contrast(mix(pale, mark, 0.25)),
    '--game-mid': contrast(mix(pale, mark, 0.54)),
    '--game-high': contrast(mix(pale, mark, 0.8)),
    '--game-on': contrast(mark),
  };
}
