// Play: a board to begin with, and the game at the address that has its name in s.
import '../common';
import type {Opener} from '../app';
import {Problem} from '../client';
import {h} from '../dom';
import {kindOf} from '../kinds';
import {start} from '../play/start';
import {table} from '../play/table';
import {missing} from '../ui';

export const open: Opener = async (ctx, url) => {
  const games = await ctx.games(),
    id = url.searchParams.get('s'),
    {t} = ctx;
  if (!id) return start(ctx, games, url);
  try {
    const s = await ctx.call('GET /sessions/{id}', {path: {id}});
    // The key of an invitation goes out of the address, which people copy for others to watch.
    const key = url.hash.slice(1);
    if (key) history.replaceState(history.state, '', url.pathname + url.search);
    return table(ctx, games, await kindOf(ctx, games, s.position.game), s, key);
  } catch (err) {
    if (!(err instanceof Problem) || (err.status !== 404 && err.status !== 422)) throw err;
  }
  return {
    title: t('play.gone'),
    node: missing('play', t('play.gone'), t('play.goneText'), h('a.btn.primary', {href: '/play'}, t('play.new'))),
  };
};
