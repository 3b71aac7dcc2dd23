// Findings on a page: sentences, a board each, and the games behind every number.
import type {Finding, FindingPlace, Game, Insights} from '../api';
import type {Context} from '../app';
import {type Child, fill, h, seen} from '../dom';
import {mini} from '../minis';
import {button, linkButton} from '../ui';
import {say} from './model';

// recordsLink is the list of the games of a query.
export const recordsLink = (q: string, g = ''): string =>
  '/records?' + new URLSearchParams({...(g && {g}), q}).toString();

// place draws a moment of a record once somebody may see it, as a link to it.
export function place(ctx: Context, game: Game | undefined, p: FindingPlace): HTMLElement {
  const node = h('a.finding-board', {
    href: `/records/${p.record}?names=1#${p.ply}`,
    'aria-label': ctx.t('insights.boardOf', {id: String(p.record), n: p.ply}),
  });
  if (!game) return node;
  let asked = false;
  seen(
    node,
    () => {
      if (asked) return;
      asked = true;
      ctx.call('GET /records/{id}/position', {path: {id: p.record}, query: {ply: p.ply}}).then(
        x => {
          const last = x.moves.at(-1);
          fill(
            node,
            mini({
              geometry: game.geometry,
              glyphs: game.glyphs,
              pieces: x.pieces,
              set: ctx.prefs.get('pieces'),
              ...(x.texts && {texts: x.texts}),
              ...(last && last.to >= 0 && {last: {to: last.to}}),
            }),
          );
        },
        () => fill(node, h('small.muted', ctx.t('insights.noBoard'))), // the game is gone
      );
    },
    ctx.signal,
  );
  return node;
}

// games are links to some of the games behind a finding.
export const games = (ctx: Context, samples: readonly FindingPlace[]): Child =>
  samples.length > 0 && [
    ctx.t('insights.samples'),
    samples.map(p => [' ', h('a', {href: `/records/${p.record}?names=1#${p.ply}`}, String(p.record))]),
  ];

export interface Acts {
  save(f: Finding, sentence: string): void;
  queue(f: Finding): Promise<void>;
}

// card shows a finding.
export function card(ctx: Context, game: Game | undefined, r: Insights, f: Finding, acts: Acts): HTMLElement {
  const {t, lang} = ctx,
    text = say(t, lang, game, r, f);
  const queue = button(
    t('insights.queueIt'),
    () => {
      queue.disabled = true;
      acts.queue(f).catch((err: unknown) => {
        queue.disabled = false;
        ctx.fail(err);
      });
    },
    {icon: 'check', props: {class: 'btn small quiet'}},
  );
  return h(
    'article.card.finding',
    f.samples[0] && place(ctx, game, f.samples[0]),
    h(
      'div.stack',
      h('p.finding-says', text),
      h(
        'p.muted.small',
        t(f.exact ? 'insights.games' : 'insights.gamesAbout', {n: f.games}),
        ` · q ${f.q < 0.0001 ? '< 0.0001' : f.q.toPrecision(2)}`,
        f.rank > 0 && ` · ${t('insights.rank', {n: f.rank})}`,
        f.folded > 0 && ` · ${t('insights.folded', {n: f.folded})}`,
        ' · ',
        games(ctx, f.samples),
      ),
      h(
        'div.row',
        linkButton(t('insights.showGames'), recordsLink(f.query, game?.spec), 'records', 'small'),
        button(t('insights.save'), () => acts.save(f, text), {icon: 'names', props: {class: 'btn small quiet'}}),
        queue,
      ),
    ),
  );
}
