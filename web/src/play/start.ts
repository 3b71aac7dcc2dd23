// Before a game: the board that it would be played on, where the first move begins it; and the games that wait to be
// gone on with.
import type {Game, Position, SessionRow} from '../api';
import type {Context, Page} from '../app';
import {Board} from '../board';
import {latest} from '../client';
import {dots, fill, fmt, h} from '../dom';
import {gameName, kindName, titled} from '../i18n';
import {icon} from '../icons';
import {gameOf, kindOf, toolGame} from '../kinds';
import {mini} from '../minis';
import {pointed} from '../moves';
import {asked as filled, button, iconButton, select, skeleton} from '../ui';
import {chosen, link, ruleOf} from './choices';
import {helpDialog, tips} from './help';
import {begin, sheet, summary} from './sheet';

export async function start(ctx: Context, games: readonly Game[], url: URL): Promise<Page> {
  const {t, lang, prefs} = ctx;
  let wish = await wanted(url);
  let here: Position | null = null; // where the game begins; null while that is not known
  let picked: number | null = null,
    begun = false;
  const board = new Board(state(), {
    t,
    lang,
    announce: x => ctx.announce(x),
    keys: 'cursor',
    mode: wish.game.moving ? 'move' : 'point',
    wheel: false,
    twoTap: prefs.get('twoTap'),
    animate: prefs.get('animation'),
    facts: () => ({turn: titled(wish.game.sides[here?.turn ?? 0]?.titles, lang)}),
    ghost: p => {
      const m = mine()?.legal.find(x => x.from < 0 && x.to === p);
      return m ? (m.piece ?? wish.game.geometry.pieces.findIndex(x => x.owner === here!.turn) + 1) : 0;
    },
    canPick: p => !!mine()?.legal.some(m => m.from === p),
    onPick: p => {
      picked = p;
      board.set(state());
    },
    onDrag: (from, to) => void go(from, to),
    onPoint: (p, c) => {
      if (c.button === 0 && (!wish.game.moving || mine()?.legal.some(m => m.from < 0 && m.to === p))) void go(-1, p);
    },
  });
  const words = h('p.muted'),
    from = h('div'),
    which = h('div'),
    status = h('p.play-status', {role: 'status'}),
    help = h('div.play-first'),
    waiting = h('div'),
    others = h('section.card.flush', {hidden: true}, h('h2.pad', t('play.goOn')), waiting);
  const root = h(
    'div.work.play.play-start',
    h('h1.hidden', t('play.title')),
    h('div.stage', board.node, status),
    h(
      'div.side',
      h(
        'section.card',
        which,
        words,
        from,
        h('button.btn.primary.play-go', {onclick: () => void go()}, icon('play'), h('span', t('play.begin'))),
        h(
          'div.row.between',
          button(t('play.options'), () => void choices(), {icon: 'settings', kind: 'quiet'}),
          button(t('play.help'), () => helpDialog(ctx, wish.game), {icon: 'help', kind: 'quiet'}),
        ),
      ),
      help,
      others,
    ),
  );
  const ask = latest(ctx.signal, (signal, game: string, line: string) =>
    ctx.call('GET /position', {query: {game, line}}, signal),
  );

  async function wanted({searchParams}: URL) {
    const spec = searchParams.get('g') ?? (chosen().game || toolGame(games, 'learn').spec),
      known = gameOf(games, spec),
      game = known.spec === spec || !spec.includes(':') ? known : await kindOf(ctx, games, spec).catch(() => known);
    return {game, line: searchParams.get('m') ?? ''};
  }

  // mine is where the game begins if the first move is the reader's. An opening by a rule begins with what it asks.
  function mine(): Position | null {
    const {side} = chosen();
    if (!wish.line && ruleOf(chosen(), wish.game)) return null;
    return here && (side === 'both' || (side === 'first' ? 0 : side === 'second' ? 1 : -1) === here.turn) ? here : null;
  }

  function state() {
    const {game} = wish,
      view = prefs.view(new URL(location.href)),
      at = mine();
    return {
      geometry: game.geometry,
      glyphs: game.glyphs,
      pieces: here?.pieces ?? game.start,
      texts: here?.texts ?? game.texts,
      flip: game.moving && chosen().side === 'second',
      coordinates: view.coordinates,
      set: view.pieces,
      hints: at && chosen().hints && game.geometry.cells ? at.legal.flatMap(m => (m.to < 0 ? [] : [m.to])) : undefined,
      selected: picked ?? undefined,
      legal: picked === null ? undefined : at?.legal.filter(m => m.from === picked).map(m => m.to),
    };
  }

  function draw(): void {
    const {game} = wish,
      plain = games.find(g => g.usual && g.family === game.family) ?? game;
    board.configure({mode: game.moving ? 'move' : 'point'});
    board.set(state());
    root.style.setProperty('--aspect', String(game.geometry.size.w / game.geometry.size.h));
    fill(
      which,
      select(
        t('play.game'),
        games.filter(g => g.usual || g === plain).map(g => ({value: g.spec, label: kindName(g, lang)})),
        plain.spec,
        g => ctx.go('/play?' + new URLSearchParams({g}).toString(), 'replace'),
      ),
    );
    fill(words, summary(ctx, game));
    fill(
      from,
      wish.line &&
        h(
          'div.row.play-line',
          h('span', t('play.from.line')),
          h('span.code.cut', wish.line),
          iconButton(t('play.from.start'), 'close', () =>
            ctx.go('/play?' + new URLSearchParams({g: game.spec}).toString(), 'replace'),
          ),
        ),
    );
    fill(status, t(mine() ? 'play.moveBegins' : 'play.pressBegin'));
  }

  // show asks where the game begins. By chance that is known when it has begun.
  async function show(): Promise<void> {
    const c = chosen(),
      opening = c.game === wish.game.spec ? c.opening : '';
    here = picked = null;
    draw();
    if (!wish.line && /^(random|xot)$/.test(opening)) return;
    try {
      here = (await ask(wish.game.spec, wish.line || opening)) ?? null;
      draw();
    } catch (err) {
      ctx.fail(err);
    }
  }

  // go begins the game, with a move if there is one.
  async function go(from?: number, to?: number): Promise<void> {
    if (begun) return;
    const at = mine(),
      move =
        at && to !== undefined && at.legal.some(m => m.from === from && m.to === to)
          ? await pointed(ctx, wish.game, at, from!, to)
          : null;
    if (to !== undefined && at && move === null) return ctx.announce(status.textContent ?? '');
    begun = true;
    await begin(ctx, wish, s =>
      move === null
        ? Promise.resolve()
        : ctx.call('POST /sessions/{id}/moves', {path: {id: s.id}, body: {move, version: s.version}}),
    );
    begun = false;
  }

  function choices(): Promise<void> {
    return sheet(ctx, games, wish, w => {
      wish = w;
      void show();
    });
  }

  function waits(list: readonly SessionRow[]): void {
    const open = list.filter(s => !s.over);
    others.hidden = !open.length;
    fill(
      waiting,
      h(
        'div.list',
        open.map(s => {
          const picture = h('span.game-mini');
          Promise.all([kindOf(ctx, games, s.game), ctx.call('GET /position', {query: {game: s.game, line: s.line}})])
            .then(([kind, p]) => {
              const last = p.moves.at(-1);
              fill(
                picture,
                mini({
                  geometry: kind.geometry,
                  glyphs: kind.glyphs,
                  pieces: p.pieces,
                  texts: p.texts,
                  set: prefs.get('pieces'),
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

  const advise = (): void => {
    fill(
      help,
      tips(ctx, wish.game, () => fill(help)),
    );
  };
  advise();
  filled(ctx, fill(waiting, skeleton(2)), async () => {
    // The list is the owner's where others can reach the server.
    if (await ctx.api.owns()) waits((await ctx.call('GET /sessions')).sessions);
    else fill(waiting);
    return [...waiting.childNodes];
  });
  void show();
  return {
    title: dots(t('play.title'), kindName(wish.game, lang)),
    node: root,
    keys: [
      {keys: 'n', label: t('play.options'), run: () => void choices()},
      {keys: '?', label: t('keys.help'), run: () => helpDialog(ctx, wish.game)},
    ],
    leave: () => board.close(),
    update(to) {
      if (to.searchParams.get('s')) return false;
      void wanted(to).then(w => {
        wish = w;
        if (help.firstChild) advise();
        void show();
      });
      return true;
    },
  };
}
