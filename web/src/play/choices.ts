// What somebody who plays chose last, and how strong a level is in words.
import type {NewSession, Session} from '../api';
import type {Translate} from '../i18n';
import {recall, remember} from '../store';

export interface Choices {
  side: NonNullable<NewSession['side']>;
  level: number;
  opening: string; // '', 'random', 'xot', or the line of a named one
  style: NonNullable<NewSession['style']>;
  clock: string; // minutes and seconds a move, as 5+3
  name: string;
  opponent: string;
  hints: boolean;
  overlay: '' | 'values' | 'book';
  tips: boolean; // still wanted
}

const defaults: Choices = {
  side: 'first',
  level: 3,
  opening: '',
  style: 'best',
  clock: '0+0',
  name: '',
  opponent: '',
  hints: true,
  overlay: '',
  tips: true,
};

export const chosen = (): Choices => recall('play', defaults);
export const choose = (change: Partial<Choices>): void => remember('play', {...chosen(), ...change});

export const clocks = ['0+0', '1+2', '3+2', '5+5', '10+5', '30+30'] as const;

// The words of the engine's levels, two levels each.
const words = [
  'beginner',
  'novice',
  'casual',
  'club',
  'strong',
  'expert',
  'master',
  'grandmaster',
  'champion',
  'machine',
] as const;

// strength names a level. i18n: play.strength.*
export const strength = (t: Translate, level: number): string => t(`play.strength.${words[Math.ceil(level / 2) - 1]!}`);

// asked makes the question for a game from the choices.
export function asked(game: string, c: Choices, line = ''): NewSession {
  const [minutes, seconds] = c.clock.split('+').map(Number),
    from = line || (/^(random|xot)?$/.test(c.opening) ? '' : c.opening);
  return {
    game,
    side: c.side,
    level: c.level,
    style: c.style,
    minutes: minutes ?? 0,
    seconds: seconds ?? 0,
    name: c.name,
    ...(c.side === 'both' && {opponent: c.opponent}),
    ...(from ? {line: from} : c.opening && {opening: c.opening}),
  };
}

// sideOf is what was chosen for a game that is being played.
export function sideOf(s: Session): Choices['side'] {
  const [a, b] = s.players;
  return a?.level ? 'second' : b?.level ? 'first' : 'both';
}

export const link = (game: string, id: string): string => '/play?' + new URLSearchParams({g: game, s: id}).toString();
