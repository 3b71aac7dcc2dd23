// Learn openings: walk through the tree of those that have names, and be asked for the moves.
import '../common';
import type {Opener, Page} from '../app';
import {load} from '../learn/memory';
import {read} from '../learn/state';
import {quiz} from '../learn/quiz';
import {walk} from '../learn/walk';

export const open: Opener = async (ctx, url): Promise<Page> => {
  const {t} = ctx,
    [games] = await Promise.all([ctx.games(), load(ctx)]),
    s = read(url, games);
  if (s.quiz) {
    const q = quiz(ctx, s);
    return {title: t('learn.quiz'), ...q};
  }
  const w = walk(ctx, games);
  w.show(s);
  return {
    title: t('learn.title'),
    node: w.node,
    update(to) {
      const next = read(to, games);
      if (next.quiz) return false;
      w.show(next);
      return true;
    },
  };
};
