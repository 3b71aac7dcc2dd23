// What is asked of mining, as the address has it, and what was found in the words of the reader. It knows no document.
import type {Finding, FindingItem, Game, Insights} from '../api';
import {type Lang, type Translate, titled} from '../i18n';
import {quoted} from '../search/model';

// i18n: insights.say.*, insights.when.*

// Want is what is to be mined.
export interface Want {
  game: string; // spec
  player: string;
  from: string; // years
  to: string;
  rating: string; // of both players, at least
  q: string; // more of the query
  at: string; // the move, or 'end'
}

const moves = ['5', '10', '15', '20', '30', '40', 'end'] as const;
export const moments: readonly string[] = moves;

// usualMove is when games of a kind are looked at where nobody says it: about the end of the opening.
export const usualMove = (g: Game): string =>
  g.geometry.size.w === 9 && g.geometry.size.h === 10 ? '20' : g.geometry.size.w >= 19 ? '30' : '10';

export function read(u: URL, game: Game): Want {
  const q = u.searchParams,
    year = (name: string) => /^\d{1,4}$/.exec(q.get(name) ?? '')?.[0] ?? '';
  return {
    game: game.spec,
    player: q.get('player') ?? '',
    from: year('from'),
    to: year('to'),
    rating: year('rating'),
    q: q.get('q') ?? '',
    at: moments.find(m => m === q.get('at')) ?? usualMove(game),
  };
}

// queryOf is the query whose games are mined.
export const queryOf = (w: Want): string =>
  [
    w.q.trim() && (w.player || w.from || w.to || w.rating ? `(${w.q.trim()})` : w.q.trim()),
    w.player.trim() && `player=${quoted(w.player.trim())}`,
    (w.from || w.to) && `year:${w.from}..${w.to}`,
    w.rating && `rating:${w.rating}..`,
  ]
    .filter(Boolean)
    .join(' ');

export const momentOf = (w: Want): string => (w.at === 'end' ? 'end' : `ply:${2 * Number(w.at)}`);

// itemName is what an item is called, in the language of the reader as far as it is known, with its owner.
export function itemName(t: Translate, lang: Lang, game: Game | undefined, it: FindingItem): string {
  const side = game?.sides[it.side],
    plain = side && it.title.startsWith(side.name + ' ') ? it.title.slice(side.name.length + 1) : it.title,
    what = inLanguage(plain, lang);
  return side ? t('insights.say.of', {side: titled(side.titles, lang), what}) : what;
}

// plain is a title without its owner.
export function plain(lang: Lang, game: Game, title: string): string {
  const side = game.sides.find(s => title.startsWith(s.name + ' '));
  return inLanguage(side ? title.slice(side.name.length + 1) : title, lang);
}

// owned is the same of a title that begins with its owner, or with none.
export const owned = (t: Translate, lang: Lang, game: Game, title: string): string =>
  itemName(t, lang, game, {
    id: '',
    name: '',
    kind: '',
    title,
    side: game.sides.findIndex(s => title.startsWith(s.name + ' ')),
  });

// inLanguage takes "盤河馬 (River horse)" apart.
export function inLanguage(title: string, lang: Lang): string {
  const m = /^(.*[^\x00-\x7f].*?) \(([^()]+)\)$/u.exec(title);
  if (!m) return title;
  return lang === 'en' || lang === 'ko' ? m[2]! : m[1]!;
}

// withoutIt is how often what items go with is there without them.
export const withoutIt = (f: Finding): number => {
  const share = f.confidence > 0 ? f.support / f.confidence : 0;
  return share < 1 ? Math.max(0, (f.base - f.support) / (1 - share)) : 0;
};

const percent = (x: number, digits = 1): string => (100 * Math.abs(x)).toFixed(digits);

// whenOf says until when things were looked at.
export const whenOf = (t: Translate, at: string): string => {
  const ply = /^ply:(\d+)$/.exec(at)?.[1];
  return ply ? t('insights.when.by', {n: Math.ceil(Number(ply) / 2)}) : t('insights.when.end');
};

// say puts a finding into a sentence.
export function say(
  t: Translate,
  lang: Lang,
  game: Game | undefined,
  r: Pick<Insights, 'at' | 'by'>,
  f: Finding,
): string {
  const name = (it: FindingItem) => itemName(t, lang, game, it),
    side = game?.sides[f.side],
    who = side ? titled(side.titles, lang) : '',
    how = f.effect < 0 ? 'less' : 'more',
    effect = `${percent(f.effect)} ± ${percent(f.error)}`;
  switch (f.kind) {
    case 'rule':
      return t(r.by.length ? `insights.say.rule.${how}` : `insights.say.plain.${how}`, {
        what: f.items.map(name).join(t('insights.say.and')),
        when: whenOf(t, r.at),
        side: who,
        effect,
      });
    case 'sequence':
      return t(`insights.say.sequence.${how}`, {
        first: name(f.items[0]!),
        then: name(f.items[1]!),
        n: f.within,
        side: who,
        effect,
      });
  }
  return t('insights.say.together', {
    what: f.items.map(name).join(t('insights.say.and')),
    then: f.then[0] ? name(f.then[0]) : f.next,
    share: percent(f.confidence, 0),
    others: percent(withoutIt(f), 0),
  });
}

// Hex is a cell of a map: its middle, in widths of a cell.
export const hex = (cell: number, width: number): {x: number; y: number} => {
  const row = Math.floor(cell / width);
  return {x: (cell % width) + (row % 2 ? 0.5 : 0), y: (row * Math.sqrt(3)) / 2};
};

// step is the cell that an arrow key leads to: the nearest in that direction, or the same at a border.
export function step(cell: number, width: number, height: number, key: string): number {
  const row = Math.floor(cell / width),
    col = cell % width;
  switch (key) {
    case 'ArrowLeft':
      return col > 0 ? cell - 1 : cell;
    case 'ArrowRight':
      return col < width - 1 ? cell + 1 : cell;
    case 'ArrowUp':
      return row > 0 ? cell - width : cell;
    case 'ArrowDown':
      return row < height - 1 ? cell + width : cell;
    case 'Home':
      return 0;
    case 'End':
      return width * height - 1;
  }
  return cell;
}
