// What conditions named: of a query mean in the catalogue. It is a script of its own, which comes with the first of
// them.
import '../common';
import type {Context} from '../app';
import type {Game, Name} from '../api';
import {called, nameLink} from './draw';

export interface Meant {
  label: string;
  href: string;
}

// meant looks a name up that stands in a query: an id, or a name in any language. What the catalogue does not have is
// null: a saved query, a shape, a board in words.
export async function meant({call, lang}: Context, game: Game, value: string): Promise<Meant | null> {
  const {names} = await call('GET /names', {query: {game: game.spec, q: value, limit: 20}});
  const fold = (s: string) =>
      s
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[\s_-]+/g, ' '),
    want = fold(value);
  const is = (n: Name) => [n.id, n.vi, ...Object.values(n.names), ...n.aliases].some(x => x && fold(x) === want);
  const n = names.find(x => x.id === value) ?? names.find(is);
  return n ? {label: called(n.names, lang, n.id), href: nameLink(game.family, n.id)} : null;
}
