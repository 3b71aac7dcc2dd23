// Practice: the door is a session of ten minutes of what is about to be forgotten and what is new, from everywhere.
import '../common';
import type {DrillSession} from '../api';
import type {Opener, Page} from '../app';
import {Problem} from '../client';
import {fill, fmt, h, on} from '../dom';
import {kindName} from '../i18n';
import {last, put, send, waiting} from '../learn/answers';
import {learnKinds} from '../learn/kinds';
import {session, themeName} from '../learn/session';
import {button, empty, linkButton, select} from '../ui';
import {withQuery} from '../router';

export const open: Opener = async (ctx, url): Promise<Page> => {
  const {t, lang} = ctx,
    f = fmt(lang),
    q = url.searchParams,
    games = await ctx.games(),
    game = games.find(g => g.spec === q.get('g')),
    set = q.get('set') ?? '',
    key = `${game?.spec ?? ''} ${set}`;
  const post = async (answers: {at: string; exercise: string; right: boolean}[]) =>
    ctx.call('POST /drill/answers', {body: {answers}});
  const flush = () => send(post).catch(() => 0); // what does not arrive waits
  on(window, 'online', () => void flush());
  await flush();
  let s: DrillSession | null = null,
    offline = false;
  try {
    s = await ctx.call('GET /drill/session', {query: {...(game && {game: game.spec}), ...(set && {set})}});
    put(key, s);
  } catch (err) {
    if (err instanceof Problem && err.status) {
      if (err.code === 'no-profile' || err.status === 401 || err.status === 403)
        return {
          title: t('learn.title'),
          node: h(
            'div.page',
            learnKinds(t, 'session'),
            h('h1', t('drill.title')),
            empty(
              'learn',
              t('drill.noProfile'),
              t('drill.noProfileText'),
              h('a.btn.primary', {href: '/me'}, t('nav.me')),
            ),
          ),
        };
      throw err;
    }
    s = last(key);
    offline = true;
    if (!s) throw err;
  }
  const node = h('div');
  let leave = () => undefined as void;
  const page: Page = {title: t('drill.title'), node, leave: () => leave(), keys: []};
  const found = s;

  function start(): void {
    const run = session(ctx, games, found, {
      answered: () => void flush(),
      done: right => {
        leave();
        return end(right);
      },
    });
    leave = () => run.leave();
    page.keys = run.keys;
    fill(node, run.node);
  }

  const end = (right: number): HTMLElement =>
    h(
      'div.page',
      empty(
        'check',
        t('drill.finished', {right, n: found.items.length}),
        waiting().length > 0
          ? t('drill.kept', {n: waiting().length})
          : found.left > 0
            ? t('drill.left', {n: found.left})
            : t('drill.comeBack'),
        button(t('drill.more'), () => location.reload(), {kind: 'primary', icon: 'play'}),
      ),
    );

  const choose = select(
    t('explore.game'),
    [
      {value: '', label: t('drill.allGames')},
      ...games.filter(g => g.usual).map(g => ({value: g.spec, label: kindName(g, lang)})),
    ],
    game?.spec ?? '',
    spec => ctx.go(withQuery(url, {g: spec || null}), 'replace'),
  );
  const due = found.items.filter(x => x.times > 0).length;
  fill(
    node,
    h(
      'div.page.learn.drill-door',
      learnKinds(t, 'session'),
      h('div.head', h('h1', found.set ? found.set.name : t('drill.title')), !found.set && choose),
      h(
        'section.card.stack',
        found.items.length
          ? [
              h('p', t('drill.ready', {n: found.items.length, due})),
              h(
                'div.row',
                button(t('drill.begin'), start, {kind: 'primary', icon: 'play'}),
                found.set && linkButton(t('drill.print'), `/learn/sets/${found.set.id}`, 'text'),
              ),
            ]
          : empty('check', t('drill.nothing'), t('drill.nothingText')),
        found.set && !found.set.own && consent(),
        offline && h('p.muted', t('drill.offline')),
        waiting().length > 0 && h('p.muted', t('drill.kept', {n: waiting().length})),
      ),
      h(
        'section.card',
        h('h2', t('drill.you')),
        h(
          'p',
          t('drill.rating', {n: f.number(Math.round(found.rating.points)), within: Math.round(found.rating.within)}),
        ),
        found.themes.length > 0 &&
          h(
            'table.ending-truth',
            h(
              'thead',
              h(
                'tr',
                h('th', {scope: 'col'}, t('drill.theme')),
                h('th', {scope: 'col'}, t('drill.done')),
                h('th', {scope: 'col'}, t('drill.share')),
              ),
            ),
            h(
              'tbody',
              found.themes
                .slice(0, 12)
                .map(x =>
                  h(
                    'tr',
                    h('th', {scope: 'row'}, themeName(ctx, x.name)),
                    h('td.num', x.done),
                    h('td.num', f.rate(x.right / x.done)),
                  ),
                ),
            ),
          ),
        found.cards > 0 && h('p', h('a', {href: '/learn/openings'}, t('drill.cards', {n: found.cards}))),
      ),
    ),
  );

  function consent(): HTMLElement {
    const box = h('input', {
      type: 'checkbox',
      checked: found.set!.seen,
      onchange: () =>
        void ctx
          .call('PUT /drill/sets/{id}/consent', {path: {id: found.set!.id}, body: {yes: box.checked}})
          .catch((err: unknown) => ctx.fail(err)),
    });
    return h('label.row.tight', box, h('span', t('drill.consent')));
  }
  return page;
};
