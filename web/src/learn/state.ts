// What the page about openings shows, as its URL has it.
import type {Game} from '../api';
import {gameOf, toolGame} from '../kinds';

export const levels = ['easy', 'fair', 'strict'] as const;
export type Level = (typeof levels)[number];

export interface State {
  game: Game;
  line: string; // of the opening that was chosen
  quiz: '' | 'line' | 'mistakes';
  side: 0 | 1; // which one learns
  level: Level; // how much a move may lose
  depth: number; // moves behind the opening
  threshold: number; // games that a move of the book needs
  style: 'human' | 'best'; // how the other side plays
  turned: boolean; // the board lies another way each time
}

export function read(url: URL, games: readonly Game[]): State {
  const q = url.searchParams,
    n = (name: string, min: number, max: number, otherwise: number) => {
      const v = Number(q.get(name) ?? NaN);
      return Number.isInteger(v) && v >= min && v <= max ? v : otherwise;
    };
  const quiz = q.get('quiz');
  return {
    game: gameOf(games, q.get('g') ?? toolGame(games, 'learn').spec),
    line: q.get('o') ?? '',
    quiz: quiz === 'line' || quiz === 'mistakes' ? quiz : '',
    side: n('side', 0, 1, 0) as 0 | 1,
    level: levels.find(l => l === q.get('level')) ?? 'fair',
    depth: n('depth', 2, 40, 10),
    threshold: n('t', 1, 100, 20),
    style: q.get('style') === 'best' ? 'best' : 'human',
    turned: q.get('turned') === '1',
  };
}

export function write(s: State): string {
  const q = new URLSearchParams({g: s.game.spec});
  const put = (name: string, v: string | number, plain: string | number) => {
    if (v !== plain) q.set(name, String(v));
  };
  put('o', s.line, '');
  put('quiz', s.quiz, '');
  put('side', s.side, 0);
  put('level', s.level, 'fair');
  put('depth', s.depth, 10);
  put('t', s.threshold, 20);
  put('style', s.style, 'human');
  put('turned', s.turned ? 1 : 0, 0);
  return '/learn/openings?' + q.toString();
}
