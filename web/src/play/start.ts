// Before a game: who plays, how strong, from where, how long; and the games that wait to be gone on with.
// i18n: play.side.*, play.style.*, play.clock.*
import type {Game, NamedOpening, SessionRow} from '../api';
import type {Context, Page} from '../app';
import {fill, fmt, h} from '../dom';
import {gameName, kindName, titled} from '../i18n';
import {icon} from '../icons';
import {mini} from '../minis';
import {gameOf, toolGame} from '../kinds';
import {refill} from '../records/row';
import {asked as filled, button, field, iconButton, segmented, select, skeleton, slider, toggle} from '../ui';
import {cut} from './board';
import {asked, choose, chosen, clocks, link, strength} from './choices';
import {tips} from './help';

export function start(ctx: Context, games: readonly Game[], url: URL): Page {
  const {t, lang} = ctx,
    root = h('div.page.play-start'),
    wanted = ({searchParams}: URL) => gameOf(games, searchParams.get('g') ?? toolGame(games, 'learn').spec);
  let game = wanted(url),
    line = url.searchParams.get('m') ?? '',
    c = chosen();
  let named: readonly NamedOpening[] = [];
  const form = h('form.card.play-form', {
    onsubmit: (e: Event) => {
      e.preventDefault();
      void begin();
    },
  });
  const waiting = h('div');
  const others = h('section.card.flush', {hidden: true}, h('h2.pad', t('play.goOn')), waiting);
  const help = h('div');

  function set(change: Partial<typeof c>): void {
    c = {...c, ...change};
    choose(change);
  }

  async function begin(): Promise<void> {
    const go = form.querySelector<HTMLButtonElement>('[type=submit]')!;
    go.disabled = true;
    try {
      const s = await ctx.call('POST /sessions', {body: asked(game.spec, c, line)});
      ctx.go(link(s.position.game, s.id));
    } catch (err) {
      go.disabled = false;
      ctx.fail(err);
    }
  }

  function draw(): void {
    const side = (i: number) => titled(game.sides[i]?.titles, lang);
    const word = h('b', strength(t, c.level));
    const level = slider(t('play.level'), {min: 1, max: 20, value: c.level}, v => {
      set({level: Math.round(v)});
      word.textContent = strength(t, c.level);
    });
    level.node.querySelector('.slider-label')!.append(': ', word);
    const two = c.side === 'both';
    const name = (of: 'name' | 'opponent', label: string) =>
      field(
        label,
        h('input', {
          type: 'text',
          maxlength: 60,
          autocomplete: 'off',
          value: c[of],
          placeholder: t('play.namePlace'),
          onchange: (e: Event) => set({[of]: (e.target as HTMLInputElement).value.trim()}),
        }),
      );
    const starts = [
      {value: '', label: t('play.from.start')},
      ...(named.length ? [{value: 'random', label: t('play.from.random')}] : []),
      ...(game.tools.includes('xot') ? [{value: 'xot', label: t('play.from.xot')}] : []),
      ...named.map(o => ({value: o.line, label: `${titled(o.names, lang)} · ${o.ply}`})),
    ];
    if (!starts.some(x => x.value === c.opening)) c = {...c, opening: ''};
    refill(
      form,
      field(
        t('play.game'),
        select(
          t('play.game'),
          games.filter(g => g.usual || g === game).map(g => ({value: g.spec, label: kindName(g, lang)})),
          game.spec,
          g => ctx.go('/play?' + new URLSearchParams({g}).toString(), 'replace'),
        ),
      ),
      h(
        'div.field',
        h('span.label', t('play.side')),
        segmented(
          t('play.side'),
          [
            {value: 'first', label: side(0)},
            {value: 'second', label: side(1)},
            {value: 'random', label: t('play.side.random')},
            {value: 'both', label: t('play.side.both')},
          ],
          c.side,
          v => {
            set({side: v});
            draw();
          },
        ).node,
      ),
      !two && level.node,
      line
        ? h(
            'div.row.play-line',
            h('span', t('play.from.line')),
            h('span.code.cut', line),
            iconButton(t('play.from.start'), 'close', () =>
              ctx.go('/play?' + new URLSearchParams({g: game.spec}).toString(), 'replace'),
            ),
          )
        : field(
            t('play.from'),
            select(t('play.from'), starts, c.opening, opening => set({opening})),
          ),
      !two &&
        h(
          'div.field',
          h('span.label', t('play.style')),
          segmented(
            t('play.style'),
            (['best', 'human'] as const).map(value => ({value, label: t(`play.style.${value}`)})),
            c.style,
            style => set({style}),
          ).node,
        ),
      h(
        'details',
        {open: c.clock !== '0+0' || !!c.name || two},
        h('summary', t('play.more')),
        h(
          'div.stack',
          field(
            t('play.clock'),
            select(
              t('play.clock'),
              clocks.map(value => ({
                value,
                label:
                  value === '0+0'
                    ? t('play.clock.none')
                    : t('play.clock.of', {m: +value.split('+')[0]!, s: +value.split('+')[1]!}),
              })),
              c.clock,
              clock => set({clock}),
            ),
          ),
          name('name', t('play.name')),
          two && name('opponent', t('play.opponent')),
          game.geometry.cells && toggle(t('play.hints'), c.hints, hints => set({hints})),
        ),
      ),
      h('button.btn.primary.play-go', {type: 'submit'}, icon('play'), h('span', t('play.begin'))),
    );
  }

  // openings come later: the form is of use without them.
  async function openings(): Promise<void> {
    const of = game;
    named = [];
    draw();
    try {
      const r = await ctx.call('GET /openings', {query: {game: of.spec}});
      if (of !== game || !r.openings.length) return;
      named = [...r.openings].sort((a, b) => b.games - a.games || a.ply - b.ply).slice(0, 100);
      draw();
    } catch {
      /* the usual starts do */
    }
  }

  function waits(list: readonly SessionRow[]): void {
    const open = list.filter(s => !s.over);
    others.hidden = !open.length;
    fill(
      waiting,
      h(
        'div.list',
        open.map(s => {
          const kind = games.find(g => g.spec === s.game) ?? cut(games, s.game),
            picture = h('span.game-mini');
          if (kind)
            ctx
              .call('GET /position', {query: {game: s.game, line: s.line}})
              .then(p => {
                const last = p.moves.at(-1);
                fill(
                  picture,
                  mini({
                    geometry: kind.geometry,
                    glyphs: kind.glyphs,
                    pieces: p.pieces,
                    set: ctx.prefs.get('pieces'),
                    ...(last && last.to >= 0 && {last: {to: last.to}}),
                  }),
                );
              })
              .catch(() => {
                /* the row says enough */
              });
          return h(
            'div.list-row',
            picture,
            h(
              'a.play-open',
              {href: link(s.game, s.id)},
              h('b', gameName(games, s.game, lang)),
              ' ',
              h('span.muted', s.side < 0 ? t('play.side.both') : t('play.computer', {n: s.level})),
              h('small.muted', t('play.moves', {n: s.ply}), ' · ', fmt(lang).ago(s.changed)),
            ),
            iconButton(t('play.drop'), 'remove', () => {
              ctx.call('DELETE /sessions/{id}', {path: {id: s.id}}).then(
                () => waits(open.filter(x => x !== s)),
                (err: unknown) => ctx.fail(err),
              );
            }),
          );
        }),
      ),
    );
  }

  fill(
    help,
    tips(ctx, game, () => fill(help)),
  );
  fill(
    root,
    h(
      'div.head',
      h('h1', t('play.title')),
      button(
        t('play.help'),
        () =>
          fill(
            help,
            tips(ctx, game, () => fill(help), true),
          ),
        {icon: 'help', kind: 'quiet'},
      ),
    ),
    help,
    form,
    others,
  );
  filled(ctx, fill(waiting, skeleton(2)), async () => {
    // The list is the owner's where others can reach the server: guests are not asked for a token that they do not
    // need.
    if (!(await ctx.call('GET /library')).token || ctx.api.token) waits((await ctx.call('GET /sessions')).sessions);
    else fill(waiting);
    return [...waiting.childNodes];
  });
  void openings();
  return {
    title: t('play.title'),
    node: root,
    update(to) {
      const q = to.searchParams,
        next = wanted(to);
      if (q.get('s')) return false;
      line = q.get('m') ?? '';
      if (next === game) draw();
      else {
        game = next;
        if (help.firstChild)
          fill(
            help,
            tips(ctx, game, () => fill(help)),
          );
        void openings();
      }
      return true;
    },
  };
}
