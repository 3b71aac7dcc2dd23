// The sheet of a new game: which game, who plays, how strong, from where, how long.
// i18n: play.side.*, play.style.*, play.clock.*
import type {Game, NamedOpening, Session} from '../api';
import type {Context} from '../app';
import {h} from '../dom';
import {titled} from '../i18n';
import {kindOf} from '../kinds';
import {refill} from '../records/row';
import {dialog, field, segmented, select, slider, toggle} from '../ui';
import {type Choices, asked, choose, chosen, clockOf, clocks, engineOf, link, ruleOf, strength} from './choices';
import {seated} from './seats';

// Wish is a game that somebody wants to play: its kind, and where it begins if not as the choices say.
export interface Wish {
  game: Game;
  line: string;
}

// summary says in a line what a game would be played under.
export function summary({t, lang}: Context, game: Game): string {
  const c = chosen();
  const side =
    c.side === 'first' || c.side === 'second' ? titled(game.sides[c.side === 'first' ? 0 : 1]?.titles, lang) : '';
  return [
    ...game.choices.flatMap(q => {
      const at = answerOf(game, q),
        v = q.values[at]!;
      return at ? [(v.titles ? titled(q.titles, lang) + ' ' : '') + answerText(v, lang)] : [];
    }),
    titled(game.openingRules.find(r => r.name === ruleOf(c, game))?.titles, lang),
    side ? t('play.as', {side}) : t(`play.side.${c.side as 'both'}`),
    ...(c.side === 'both' || c.side === 'invite' ? [] : [engineOf(c, game.spec) || `${t('play.level')} ${c.level}`]),
    clockText(t, c.clock),
  ]
    .filter(Boolean)
    .join(' · ');
}

const clockText = (t: Context['t'], clock: string): string => {
  const {minutes: m, seconds: s, periods: n} = clockOf(clock);
  if (n) return t('play.clock.byo', {m, n, s});
  return m ? t('play.clock.of', {m, s}) : t('play.clock.none');
};

// answerOf is which answer to a choice a kind of game has.
const answerOf = (game: Game, q: Game['choices'][number]): number => {
  const words = game.variant.split(',');
  return Math.max(
    0,
    q.values.findIndex((v, i) => i > 0 && words.includes(v.word)),
  );
};
const answerText = (v: Game['choices'][number]['values'][number], lang: Context['lang']): string =>
  titled(v.titles, lang) || v.word.replace('x', '×');

// begin asks for a game and goes to it. Its first move may be made at once.
export async function begin(ctx: Context, {game, line}: Wish, first?: (s: Session) => Promise<unknown>): Promise<void> {
  const c = chosen();
  if (c.game !== game.spec) choose({game: game.spec, opening: ''});
  try {
    const s = await ctx.call('POST /sessions', {body: asked(game, c, line)});
    seated(s);
    await first?.(s);
    ctx.go(link(s.position.game, s.id));
  } catch (err) {
    ctx.fail(err);
  }
}

// sheet asks for all that can be chosen, and begins the game if that is wanted. What is chosen stays chosen; changed
// tells of it.
export async function sheet(
  ctx: Context,
  games: readonly Game[],
  wish: Wish,
  changed: (wish: Wish) => void = () => undefined,
): Promise<void> {
  const {t, lang} = ctx,
    form = h('div.play-form');
  let c = chosen(),
    named: readonly NamedOpening[] = [],
    guests: readonly string[] = [];
  draw();
  void openings();
  void programs();
  const box = dialog(t, {title: t('play.new'), body: form, yes: t('play.begin')});
  ctx.signal.addEventListener('abort', () => box.close());
  if ((await box.done) === 'yes') await begin(ctx, wish);

  function set(change: Partial<Choices>): void {
    c = {...c, ...change};
    choose(change);
    changed(wish);
  }

  async function take(spec: string): Promise<void> {
    try {
      wish = {game: await kindOf(ctx, games, spec), line: ''};
      set({game: wish.game.spec, opening: ''});
    } catch (err) {
      ctx.fail(err);
    }
    draw();
    void openings();
    void programs();
  }

  function draw(): void {
    const {game, line} = wish,
      side = (i: number) => titled(game.sides[i]?.titles, lang),
      two = c.side === 'both',
      people = two || c.side === 'invite';
    const plain = games.find(g => g.usual && g.family === game.family) ?? game;
    refill(
      form,
      field(
        t('play.game'),
        select(
          t('play.game'),
          games
            .filter(g => g.usual || g === plain)
            .map(g => ({value: g.spec, label: titled(g.titles, lang, g.family)})),
          plain.spec,
          spec => void take(spec),
        ),
      ),
      game.choices.length > 0 && h('div.play-choices', game.choices.map(answers)),
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
            {value: 'invite', label: t('play.side.invite')},
          ],
          c.side,
          v => {
            set({side: v});
            draw();
          },
        ).node,
      ),
      !people && guests.length > 0 && field(t('play.against'), opponents()),
      !people && !engineOf(c, game.spec) && level(),
      !line && game.openingRules.length > 0 && rules(),
      !line && !ruleOf(c, game) && field(t('play.from'), starts()),
      !people &&
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
        {open: c.clock !== '0+0' || !!c.name || people},
        h('summary', t('play.more')),
        h(
          'div.stack',
          field(
            t('play.clock'),
            select(
              t('play.clock'),
              clocks.map(value => ({value, label: clockText(t, value)})),
              c.clock,
              clock => set({clock}),
            ),
          ),
          name('name', t('play.name')),
          two && name('opponent', t('play.opponent')),
          game.geometry.cells && toggle(t('play.hints'), c.hints, hints => set({hints})),
        ),
      ),
    );
  }

  // answers is a choice of the game. Words of the variant that no choice has are dropped with the first answer.
  function answers(q: Game['choices'][number]): HTMLElement {
    const {game} = wish,
      title = titled(q.titles, lang);
    return field(
      title,
      select(
        title,
        q.values.map((v, i) => ({value: String(i), label: answerText(v, lang)})),
        String(answerOf(game, q)),
        at => {
          const words = game.choices.flatMap(other => {
            const i = other === q ? Number(at) : answerOf(game, other);
            return i ? [other.values[i]!.word] : [];
          });
          void take(game.family + (words.length ? ':' + words.join(',') : ''));
        },
      ),
    );
  }

  function level(): HTMLElement {
    const {game} = wish,
      max = game.levels.length,
      value = Math.min(c.level, max),
      known = h('small.muted.play-known', strength(t, game, value));
    const bar = slider(t('play.level'), {min: 1, max, value}, v => {
      set({level: Math.round(v)});
      known.textContent = strength(t, game, c.level);
    });
    return h('div', bar.node, known);
  }

  function opponents(): HTMLElement {
    const {family, spec} = wish.game;
    return select(
      t('play.against'),
      [{value: '', label: 'Qipu'}, ...guests.map(value => ({value, label: value}))],
      engineOf(c, spec),
      engine => {
        set({engines: {...c.engines, [family]: engine}});
        draw();
      },
    );
  }

  // programs are other engines of the owner. One that was chosen and is gone is chosen no longer.
  async function programs(): Promise<void> {
    const of = wish.game;
    guests = [];
    try {
      const r = await ctx.call('GET /engines', {query: {game: of.spec}});
      if (of !== wish.game) return;
      guests = r.engines.map(e => e.name);
    } catch {
      /* our own engine does */
    }
    if (!guests.includes(engineOf(c, of.spec))) set({engines: {...c.engines, [of.family]: ''}});
    draw();
  }

  function name(of: 'name' | 'opponent', label: string): HTMLElement {
    return field(
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
  }

  // rules is by which rule the players share out the first moves and the colours.
  function rules(): HTMLElement {
    const {game} = wish,
      rule = ruleOf(c, game),
      howto = titled(game.openingRules.find(r => r.name === rule)?.howto, lang);
    return h(
      'div',
      field(
        t('play.rule'),
        select(
          t('play.rule'),
          [
            {value: '', label: t('play.rule.none')},
            ...game.openingRules.map(r => ({value: r.name, label: titled(r.titles, lang)})),
          ],
          rule,
          name => {
            set({rules: {...c.rules, [game.spec]: name}});
            draw();
          },
        ),
      ),
      howto && h('small.muted', howto),
    );
  }

  function starts(): HTMLElement {
    const list = [
      {value: '', label: t('play.from.start')},
      ...(named.length ? [{value: 'random', label: t('play.from.random')}] : []),
      ...(wish.game.tools.includes('xot') ? [{value: 'xot', label: t('play.from.xot')}] : []),
      ...named.map(o => ({value: o.line, label: `${titled(o.names, lang)} · ${o.ply}`})),
    ];
    return select(
      t('play.from'),
      list,
      c.game === wish.game.spec && list.some(x => x.value === c.opening) ? c.opening : '',
      opening => set({opening, game: wish.game.spec}),
    );
  }

  // openings come later: the sheet is of use without them.
  async function openings(): Promise<void> {
    const of = wish.game;
    named = [];
    try {
      const r = await ctx.call('GET /openings', {query: {game: of.spec}});
      if (of !== wish.game || !r.openings.length) return;
      named = [...r.openings].sort((a, b) => b.games - a.games || a.ply - b.ply).slice(0, 100);
      draw();
    } catch {
      /* the usual starts do */
    }
  }
}
