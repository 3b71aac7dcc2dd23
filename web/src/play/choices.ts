// What somebody who plays chose last, and what is known of a level.
import type {Game, NewSession, Session} from '../api';
import type {Translate} from '../i18n';
import {recall, remember} from '../store';

export interface Choices {
  game: string; // the kind that was played last, as a spec; the opening is one of it
  side: NonNullable<NewSession['side']> | 'invite'; // invite: somebody at another screen, who comes by a link
  level: number;
  engines: Readonly<Record<string, string>>; // another program as the opponent, by family of games
  rules: Readonly<Record<string, string>>; // the opening rule, by kind of game; none for a game that just begins
  opening: string; // '', 'random', 'xot', or the line of a named one
  style: NonNullable<NewSession['style']>;
  clock: string; // minutes and seconds a move, as 5+3, or periods of byo-yomi, as 10+3x30
  name: string;
  opponent: string;
  hints: boolean;
  overlay: '' | 'values' | 'book';
  tips: boolean; // still wanted
}

const defaults: Choices = {
  game: '',
  side: 'first',
  level: 3,
  engines: {},
  rules: {},
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

export const clocks = ['0+0', '1+2', '3+2', '5+5', '10+5', '30+30', '10+3x30', '30+5x30'] as const;

const ratingOf = (game: Game, level: number) => game.levels.find(l => l.number === level)?.rating;

// strength says what is known of a level; nothing where nobody has measured it.
export function strength(t: Translate, game: Game, level: number): string {
  const r = ratingOf(game, level);
  if (!r) return '';
  const {elo, margin, share} = r;
  return share
    ? t('play.rating.over', {elo, margin, n: level - 1, share: Math.round(share * 100)})
    : t('play.rating', {elo, margin});
}

// rating is a level in a word, for places where there is no room for more.
export function rating(t: Translate, game: Game, level: number): string {
  const elo = ratingOf(game, level)?.elo;
  return elo === undefined ? '' : t('play.rating.short', {elo});
}

// engineOf is the program that was chosen as the opponent in a kind of game; '' for our own engine.
export const engineOf = (c: Choices, spec: string): string => c.engines[spec.split(':')[0]!] ?? '';

// ruleOf is the opening rule that was chosen for a kind of game; '' for none.
export function ruleOf(c: Choices, game: Game): string {
  const rule = c.rules[game.spec] ?? '';
  return game.openingRules.some(r => r.name === rule) ? rule : '';
}

// clockOf reads a clock. Seconds are gained with every move, or where there are periods those of each.
export function clockOf(clock: string): {minutes: number; seconds: number; periods: number} {
  const [, m, n, s] = /^(\d+)\+(?:(\d+)x)?(\d+)$/.exec(clock) ?? [];
  return {minutes: Number(m ?? 0), periods: Number(n ?? 0), seconds: Number(s ?? 0)};
}

// asked makes the question for a game from the choices.
export function asked(kind: Game, c: Choices, line = ''): NewSession {
  const {minutes, seconds, periods} = clockOf(c.clock),
    game = kind.spec,
    rule = line ? '' : ruleOf(c, kind),
    person = c.side === 'both' || c.side === 'invite',
    opening = c.game === game && !rule ? c.opening : '',
    from = line || (/^(random|xot)?$/.test(opening) ? '' : opening);
  return {
    game,
    side: c.side === 'invite' ? 'random' : c.side,
    ...(c.side === 'invite' && {invite: true}),
    ...(!person && engineOf(c, game) ? {engine: engineOf(c, game)} : {level: c.level}),
    style: c.style,
    minutes,
    ...(periods ? {periods, period: seconds} : {seconds}),
    name: c.name,
    ...(c.side === 'both' && {opponent: c.opponent}),
    ...(rule && {rule}),
    ...(from ? {line: from} : opening && {opening}),
  };
}

// sideOf is what was chosen for a game that is being played.
export function sideOf(s: Session): Choices['side'] {
  const [a, b] = s.players,
    you = s.seats?.you ?? -1;
  if (you >= 0) return you ? 'second' : 'first';
  return a?.level ? 'second' : b?.level ? 'first' : 'both';
}

export const link = (game: string, id: string): string => '/play?' + new URLSearchParams({g: game, s: id}).toString();
