// What is said of a shape beside its picture: how urgent it is, what it is good for, how it fared in records.
// i18n: shapes.urgency.*, shapes.origin.*
import type {Game, Shape, ShapeIndex} from '../api';
import type {Context} from '../app';
import {type Child, dots, fmt, h} from '../dom';
import {toolGame} from '../kinds';
import {called} from './draw';

export const origins = ['hand', 'paper', 'mined', 'user'] as const;

export const urgencyTag = ({t}: Context, urgency: number, avoid: boolean): HTMLElement =>
  h(
    'span.tag',
    {class: `tag urgent u${urgency}${avoid ? ' avoid' : ''}`},
    h('b', avoid ? '✕' : String(urgency)),
    ' ',
    t(avoid ? 'shapes.avoid' : `shapes.urgency.${urgency as 1}`),
  );

// purposeName is asked for often: the words are few.
export const purposeName = (index: ShapeIndex | null, lang: Context['lang'], word: string): string => {
  const p = index?.purposes.find(x => x.word === word);
  return p ? called(p.names, lang, word) : word;
};

export const purposeTags = (index: ShapeIndex | null, lang: Context['lang'], words: readonly string[]): Child =>
  words.filter(w => w !== 'avoid').map(w => h('span.tag', purposeName(index, lang, w)));

export const termName = (index: ShapeIndex | null, lang: Context['lang'], id: string): string => {
  const term = index?.terms.find(x => x.id === id);
  return term ? called(term.names, lang, id) : id;
};

// seenText is what the records say, in short.
export function seenText({t, lang}: Context, s: Shape): string {
  const e = s.evidence,
    f = fmt(lang);
  return e && e.seen > 0
    ? dots(
        t('shapes.seen', {n: e.seen}),
        (s.ours.length > 0 || s.theirs.length > 0) && t('shapes.played', {rate: f.rate(e.rate)}),
      )
    : '';
}

// shapeGame is the kind of game that the base is about.
export const shapeGame = async (ctx: Context): Promise<Game> => toolGame(await ctx.games(), 'shapes');

export const shapeLink = (id: string): string => '/shapes/' + encodeURIComponent(id);

// indexOf asks what the base is sorted by.
export const indexOf = (ctx: Context): Promise<ShapeIndex> => ctx.call('GET /shapes/index');
