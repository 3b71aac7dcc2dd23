// The tree of named openings, and what is known of the one that was chosen. i18n: learn.level.*, learn.style.*
import type {Game, NamedOpening, Position} from '../api';
import type {Context} from '../app';
import {fill, fmt, h, on} from '../dom';
import {kindName, titled} from '../i18n';
import {icon} from '../icons';
import {labButton} from '../lab/link';
import {mini} from '../minis';
import {refill, scoreBar} from '../records/row';
import {
  asked,
  button,
  empty,
  field,
  known as rated,
  linkButton,
  segmented,
  select,
  skeleton,
  slider,
  toggle,
} from '../ui';
import {type Unit, unitOf, worth} from '../value';
import {learnKinds} from './kinds';
import {due, known} from './memory';
import {type State, levels, write} from './state';

// Lines are written with spaces or without.
const sameLine = (a: string, b: string) => a.replace(/\s/g, '') === b.replace(/\s/g, '');

export interface Walk {
  node: HTMLElement;
  show(s: State): void;
}

export function walk(ctx: Context, games: readonly Game[]): Walk {
  const {t, lang} = ctx,
    f = fmt(lang);
  let state: State,
    of: Game | null = null,
    least = 0,
    unit: Unit = 'share',
    list: readonly NamedOpening[] = [],
    depth = new Map<string, number>();
  const head = h('div.head'),
    tree = h('nav.card.flush.learn-tree', {'aria-label': t('learn.tree')}),
    detail = h('div.stack.learn-detail');
  const find = h('input', {
    type: 'search',
    'data-search': true,
    placeholder: t('learn.find'),
    'aria-label': t('learn.find'),
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const rows = h('div.list');
  on(find, 'input', () => draw());
  const name = (o: NamedOpening) => titled(o.names, lang, o.id);
  const go = (change: Partial<State>, how: 'push' | 'replace' = 'push') => ctx.go(write({...state, ...change}), how);
  const positions = new Map<string, Promise<Position>>();
  const positionOf = (line: string) => {
    const key = state.game.spec + line;
    if (!positions.has(key)) positions.set(key, ctx.call('GET /position', {query: {game: state.game.spec, line}}));
    return positions.get(key)!;
  };
  // picture is a small board that comes when its position is known.
  const picture = (line: string) => {
    const node = h('span.learn-mini'),
      {geometry, glyphs, start} = state.game,
      plain = {geometry, glyphs, set: ctx.prefs.get('pieces')};
    fill(node, mini({...plain, pieces: start, texts: state.game.texts}));
    positionOf(line)
      .then(p => {
        const last = p.moves.at(-1);
        fill(
          node,
          mini({...plain, pieces: p.pieces, texts: p.texts, ...(last && last.to >= 0 && {last: {to: last.to}})}),
        );
      })
      .catch(() => {
        /* the start does */
      });
    return node;
  };

  async function load(): Promise<void> {
    const {game, threshold} = state;
    if (of !== game) list = [];
    of = game;
    least = threshold;
    if (!list.length) fill(rows, h('div.pad', skeleton(8)));
    asked(ctx, tree, async () => {
      const [r, counted] = await Promise.all([
        ctx.call('GET /openings', {query: {game: game.spec, threshold}}),
        unitOf(ctx, game.spec),
      ]);
      if (of !== game || least !== threshold) return [...tree.childNodes];
      list = r.openings;
      unit = counted;
      depth = new Map();
      // a parent is shorter, and comes first
      for (const o of list) depth.set(o.id, o.parent ? (depth.get(o.parent) ?? 0) + 1 : 0);
      setTimeout(draw);
      return list.length
        ? [h('div.pad', find), rows]
        : empty('explore', t('learn.none', {game: kindName(game, lang)}), t('learn.noneText'));
    });
  }

  // ordered puts every opening behind the one that it goes on from, the more frequent first.
  function ordered(parent = ''): NamedOpening[] {
    return list
      .filter(o => o.parent === parent)
      .sort((a, b) => b.games - a.games || a.ply - b.ply)
      .flatMap(o => [o, ...ordered(o.id)]);
  }

  function draw(): void {
    const wish = find.value.trim().toLowerCase();
    const some = wish
      ? list.filter(o => [...Object.values(o.names), o.line].some(x => x.toLowerCase().includes(wish)))
      : ordered();
    fill(
      rows,
      some.map(o =>
        h(
          'a',
          {
            href: write({...state, line: o.line, quiz: ''}),
            'aria-current': sameLine(o.line, state.line) ? 'true' : null,
            vars: {'--deep': String(wish ? 0 : Math.min(6, depth.get(o.id) ?? 0))},
          },
          h('span.learn-name', name(o), h('small.muted.code.cut', o.line)),
          h('span.num.muted', f.compact(o.games)),
        ),
      ),
    );
    if (wish && !some.length) fill(rows, h('p.muted.pad', t('learn.notFound')));
    const now = rows.querySelector('[aria-current]')?.getBoundingClientRect(),
      room = rows.getBoundingClientRect();
    // the page stays
    if (now && (now.top < room.top || now.bottom > room.bottom)) rows.scrollTop += now.top - room.top - room.height / 2;
    panel();
  }

  // panel is the opening that was chosen, and the way into the quiz.
  function panel(): void {
    const s = state,
      o = list.find(x => sameLine(x.line, s.line)),
      kids = list.filter(x => x.parent === (o?.id ?? '')).sort((a, b) => b.games - a.games);
    const side = (i: number) => titled(s.game.sides[i]?.titles, lang),
      turn = o ? o.ply % 2 : 0;
    const values =
      o &&
      (
        [
          ['r', o.values.r],
          ['e', o.values.human ?? o.values.e],
          ['x', o.values.x],
        ] as const
      ).filter(([, v]) => v !== undefined);
    refill(
      detail,
      h(
        'section.card.learn-head',
        picture(s.line),
        h(
          'div.stack',
          h('h2', o ? name(o) : s.line ? t('learn.line') : t('learn.all')),
          h('p.code.muted', s.line || t('explore.start')),
          o && h('p.muted', t('home.records', {n: o.games})),
          o && rated(o.score) > 0 && scoreBar(ctx, s.game, o.score),
          values &&
            values.length > 0 &&
            h(
              'p.learn-values',
              values.map(([k, v]) =>
                h('span', h('abbr', {title: t(`book.legend.${k}`)}, t(`book.${k}`)), ' ', h('b', worth(lang, unit, v))),
              ),
              h('small.muted', t('explore.toMove', {side: side(turn)})),
            ),
          h(
            'div.row',
            linkButton(
              t('nav.explore'),
              '/explore?' + new URLSearchParams({g: s.game.spec, m: s.line}).toString(),
              'explore',
            ),
            linkButton(
              t('explore.playHere'),
              '/play?' + new URLSearchParams({g: s.game.spec, ...(s.line && {m: s.line})}).toString(),
              'play',
            ),
            labButton(t, s.game, s.line),
          ),
        ),
      ),
      h(
        'section.card',
        h('h2', t('learn.quiz')),
        h('p.muted', t('learn.quizText')),
        h(
          'form.stack',
          {
            onsubmit: (e: Event) => {
              e.preventDefault();
              go({quiz: 'line'});
            },
          },
          h(
            'div.learn-form',
            h(
              'div.field',
              h('span.label', t('learn.side')),
              segmented(
                t('learn.side'),
                [0, 1].map(i => ({value: String(i), label: side(i)})),
                String(s.side),
                v => go({side: +v as 0 | 1}, 'replace'),
              ).node,
            ),
            h(
              'div.field',
              h('span.label', t('learn.level')),
              segmented(
                t('learn.level'),
                levels.map(value => ({value, label: t(`learn.level.${value}`)})),
                s.level,
                level => go({level}, 'replace'),
              ).node,
            ),
            field(
              t('learn.style'),
              select(
                t('learn.style'),
                (['human', 'best'] as const).map(value => ({value, label: t(`learn.style.${value}`)})),
                s.style,
                style => go({style}, 'replace'),
              ),
            ),
            slider(
              t('learn.depth'),
              {min: 2, max: 40, value: s.depth},
              () => {
                /* when it is let go */
              },
              v => go({depth: Math.round(v)}, 'replace'),
            ).node,
            slider(
              t('book.threshold'),
              {min: 1, max: 100, value: s.threshold},
              () => {
                /* as above */
              },
              v => go({threshold: Math.round(v)}, 'replace'),
            ).node,
          ),
          !s.game.moving && toggle(t('learn.turned'), s.turned, turned => go({turned}, 'replace')),
          h(
            'div.row',
            h('button.btn.primary', {type: 'submit'}, icon('play'), h('span', t('learn.begin'))),
            known(s.game.spec) > 0 &&
              button(t('learn.mistakes', {n: due(s.game.spec).length}), () => go({quiz: 'mistakes'}), {
                icon: 'redo',
                props: {disabled: !due(s.game.spec).length},
              }),
          ),
        ),
      ),
      kids.length > 0 &&
        h(
          'section.card',
          h('h2', t(o ? 'learn.goesOn' : 'learn.first')),
          h(
            'div.learn-kids',
            kids
              .slice(0, 24)
              .map(k =>
                h(
                  'a',
                  {href: write({...s, line: k.line})},
                  picture(k.line),
                  h('span', name(k)),
                  h('small.muted', t('home.records', {n: k.games})),
                ),
              ),
          ),
        ),
    );
  }

  return {
    node: h('div.page.wide.learn', learnKinds(t, 'openings'), head, h('div.learn-cols', tree, detail)),
    show(s) {
      state = s;
      refill(
        head,
        h('h1', t('learn.title')),
        select(
          t('explore.game'),
          games.filter(g => g.usual || g === s.game).map(g => ({value: g.spec, label: kindName(g, lang)})),
          s.game.spec,
          spec => go({game: games.find(g => g.spec === spec)!, line: ''}),
        ),
      );
      if (of !== s.game || least !== s.threshold) void load();
      draw();
    },
  };
}
