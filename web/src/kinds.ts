// Which kind of game is meant, how its moves are written, and the order of lists: what pages decide without a document.
import type {Game} from './api';
import type {Context} from './app';

export const sorts = ['', '-date', 'date', 'rating'] as const;
export type Sort = (typeof sorts)[number];

// ordered is how a list is asked for in an order. By date the server has the newest first.
export const ordered = (sort: Sort) => ({
  ...(sort && {sort: sort.replace('-', '') as 'date'}),
  ...(sort === 'date' && {reverse: true}),
});

// gameOf finds a kind of game by what a URL calls it; without a wish it is the one with the most records.
export const gameOf = (games: readonly Game[], wish: string): Game =>
  games.find(g => g.spec === wish) ??
  games.find(g => wish && g.usual && (g.family === wish || g.aliases.includes(wish))) ??
  games.reduce((a, b) => (b.records > a.records ? b : a));

// kindOf is the kind of a spec. The list has those that are usual and those of the library: the server tells others.
export const kindOf = async ({call}: Context, games: readonly Game[], spec: string): Promise<Game> =>
  games.find(g => g.spec === spec) ?? (await call('GET /games', {query: {game: spec}})).games[0]!;

// toolGame is the game that a page is about by itself: the first for which there is what it shows.
export const toolGame = (games: readonly Game[], tool: string): Game =>
  games.find(g => g.usual && g.tools.includes(tool)) ?? gameOf(games, '');

// notationOf is how the reader wants moves: as chosen, else as the language writes them where the game has that. Where
// the characters are not read, the digits of WXF are the labels of the board.
export function notationOf({prefs, lang}: Context, game: Game | undefined): string | undefined {
  const native = lang === 'zh-Hans' ? 'chinese-hans' : /zh|ja/.test(lang) ? 'chinese' : 'wxf';
  return game && (prefs.notation(game.spec) ?? game.notations.find(n => n.name === native)?.name);
}
