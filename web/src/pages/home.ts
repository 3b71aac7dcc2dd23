// The front page. An empty library gets a large invitation; a full one gets the search first.
import '../common';
import type {Game, Job, Library, Saved, SavedList} from '../api';
import type {Context, Opener} from '../app';
import {type Child, dots, fill, fmt, h} from '../dom';
import {kindName} from '../i18n';
import {icon} from '../icons';
import {type Comes, follow, found, jobBar, loads, offerName, offered, outcome, readOnly, start} from '../jobs';
import {mini} from '../minis';
import {paste} from '../paste';
import {searches} from '../search/saved';
import {recall, remember} from '../store';
import {asked, button, dropZone, iconButton, linkButton, skeleton} from '../ui';
// i18n: home.tip.*, home.offer.*

const tips = ['region', 'paste', 'fuzzy', 'explore', 'keys'] as const;
const tipsUntil = 3000; // games; who has more knows the way
const tipsStore = 'tips'; // a preference: tips are wanted no more
const shownSearches = 12;

export const open: Opener = ctx => {
  const {t} = ctx;
  const upload = (files: File[]) => ctx.hand(files); // the page that follows an upload also begins it
  const pasted = paste(ctx, async text => {
    const job = await start(ctx, {text});
    ctx.go(`/import?job=${job.id}`);
  });
  const body = h('div.page.wide.home', skeleton(8));
  const load = () =>
    asked(ctx, body, async () => {
      const none: SavedList = {queries: [], next: ''};
      const [lib, games] = await Promise.all([ctx.call('GET /library'), ctx.games()]);
      const [sets, queries] = await Promise.all([
        offered(ctx, lib),
        // the page is of use without them
        (await ctx.api.may('list-queries')) ? ctx.call('GET /queries', {query: {limit: 200}}).catch(() => none) : none,
      ]);
      if (lib.records && matchMedia('(pointer: fine)').matches && document.activeElement?.id === 'main')
        setTimeout(() => body.querySelector<HTMLElement>('[data-search]')?.focus({preventScroll: true}));
      return [
        lib.records ? filled(ctx, lib, games, queries.queries) : invitation(ctx, lib, sets, games, upload, load),
        takers(ctx, lib, sets, upload, pasted.node, load),
        about(ctx, lib),
      ];
    });
  load();
  return {
    title: t('home.title'),
    node: body,
    drop(files, text) {
      if (files.length) upload(files);
      else if (text) {
        pasted.set(text);
        pasted.node.scrollIntoView({block: 'center'});
      }
      return true;
    },
  };
};

function invitation(
  ctx: Context,
  lib: Library,
  sets: readonly Comes[],
  games: readonly Game[],
  upload: (files: File[]) => void,
  again: () => void,
): Child {
  const {t} = ctx;
  return h(
    'section.invite',
    h('h1', t('home.welcome')),
    h('p.lead', t('home.welcomeText')),
    h(
      'div.fan',
      {'aria-hidden': 'true'},
      games
        .filter(g => g.usual)
        .slice(0, 4)
        .map(g => h('span', board(ctx, g, g.start, g.texts))),
    ),
    lib.writable
      ? [dropZone(t('home.drop'), t('home.dropHint'), upload), demo(ctx, lib, sets, 'primary', again)]
      : h('p', readOnly(ctx, lib)),
    offer(ctx),
  );
}

function filled(ctx: Context, lib: Library, games: readonly Game[], queries: readonly Saved[]): Child {
  const {t} = ctx;
  const box = h('input', {
    type: 'search',
    name: 'q',
    'data-search': true,
    'aria-label': t('home.searchLabel'),
    placeholder: t('home.searchHint'),
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'search',
    autofocus: true,
  });
  const counts = lib.byGame
      .map(c => ({...c, kind: games.find(g => g.spec === c.game)}))
      .sort((a, b) => b.records - a.records),
    others = counts.filter(c => !c.kind?.usual);
  const named = queries.filter(q => q.name),
    last = queries.filter(q => !q.name).slice(0, shownSearches);
  const group = (title: string, list: readonly Saved[]) =>
    list.length > 0 && h('section.stack', h('h2', title), searches(ctx, games, list));
  return [
    h(
      'section.front',
      h('h1.hidden', t('home.title')),
      h(
        'form.asking',
        {
          role: 'search',
          onsubmit: (e: Event) => {
            e.preventDefault();
            ctx.go('/search?q=' + encodeURIComponent(box.value.trim()));
          },
        },
        box,
        h('button.btn.primary', {type: 'submit'}, icon('search'), h('span', t('nav.search'))),
      ),
      linkButton(t('home.draw'), '/search', 'board'),
    ),
    offer(ctx),
    h(
      'div.grid.games',
      counts.map(c => c.kind?.usual && gameCard(ctx, c.kind, c.records)),
    ),
    others.length > 0 &&
      h(
        'p.row',
        h('span.muted', t('home.otherBoards')),
        others.map(c =>
          h(
            'a.btn.small',
            {href: `/search?g=${encodeURIComponent(c.game)}`},
            c.kind ? kindName(c.kind, ctx.lang) : c.game,
            h('span.badge', fmt(ctx.lang).number(c.records)),
          ),
        ),
      ),
    tipCard(ctx, lib),
    group(t('home.last'), last),
    group(t('home.saved'), named),
  ];
}

// offer is what one may do without any game in the library.
function offer({t}: Context): HTMLElement {
  return h(
    'div.grid.offers',
    (['play', 'learn', 'judge'] as const).map(name =>
      h(
        'a.card.offer',
        {href: '/' + name},
        icon(name),
        h('span.stack', h('b', t(`home.offer.${name}`)), h('span.muted', t(`home.offer.${name}Text`))),
      ),
    ),
  );
}

// A card shows the end of a game of its kind, since an empty board says little.
function gameCard(ctx: Context, game: Game, records: number): HTMLElement {
  const {t} = ctx,
    g = encodeURIComponent(game.spec),
    link = (path: string, label: string) => h('a.btn.small', {href: `${path}?g=${g}`}, label);
  const picture = h(
    'a.game-board',
    {href: `/search?g=${g}`, tabindex: -1, 'aria-hidden': 'true'},
    board(ctx, game, game.start, game.texts),
  );
  // A family has other boards, too: the one that is shown is wanted.
  const {w, h: hh} = game.geometry.size;
  ctx
    .call('GET /records', {
      query: {
        game: game.spec,
        q: game.moving ? '' : `game:${game.family}:${w}x${hh}`,
        limit: 9,
        boards: true,
        sort: 'date',
        reverse: true,
      },
    })
    .then(r => {
      const hit = r.records.find(x => x.pieces.length === game.start.length);
      if (hit) fill(picture, board(ctx, game, hit.pieces, hit.texts, hit.last));
    })
    .catch(() => {
      /* the start does */
    });
  return h(
    'section.card.game',
    picture,
    h(
      'div',
      h('h2', h('a', {href: `/search?g=${g}`}, kindName(game, ctx.lang))),
      h('p.muted', t('home.records', {n: records})),
    ),
    h(
      'div.row',
      link('/search', t('nav.search')),
      link('/explore', t('nav.explore')),
      link('/play', t('nav.play')),
      link('/records', t('nav.records')),
    ),
  );
}

const board = (ctx: Context, g: Game, pieces: readonly number[], texts?: readonly string[], last = -1) =>
  mini({
    geometry: g.geometry,
    glyphs: g.glyphs,
    pieces,
    texts,
    set: ctx.prefs.get('pieces'),
    ...(last >= 0 && {last: {to: last}}),
  });

function takers(
  ctx: Context,
  lib: Library,
  sets: readonly Comes[],
  upload: (files: File[]) => void,
  pasteBox: HTMLElement,
  again: () => void,
): HTMLElement {
  const {t} = ctx;
  return h(
    'div.takers',
    lib.records > 0 &&
      lib.writable &&
      h(
        'section.card',
        h('h2', t('home.add')),
        dropZone(t('home.drop'), t('home.dropHint'), upload),
        demo(ctx, lib, sets, undefined, again),
      ),
    h('section.card', h('h2', t('home.pasteTitle')), pasteBox),
  );
}

// demo loads games that come with the program in its place and offers to search them.
function demo(
  ctx: Context,
  lib: Library,
  sets: readonly Comes[],
  kind: 'primary' | undefined,
  again: () => void,
): HTMLElement | false {
  const {t} = ctx;
  if (!sets.length) return false;
  const node = h('div.demo');
  const run = async (what: Comes) => {
    const bar = jobBar(ctx);
    fill(node, bar.node);
    try {
      const job = await follow(ctx, await start(ctx, loads(ctx, what)), j => bar.job(j));
      if (job) ended(job);
    } catch (err) {
      ctx.fail(err);
      offer();
    }
  };
  const ended = (job: Job) => {
    const words = outcome(ctx, job);
    ctx.announce(words);
    fill(
      node,
      h('p', words),
      h(
        'div.row',
        linkButton(t('home.searchThem'), found(job), 'search', 'primary'),
        button(t('home.showGames'), again),
        h('a.btn.quiet', {href: `/import?job=${job.id}`}, t('import.details')),
      ),
    );
    node.querySelector('a')!.focus();
  };
  const offer = () =>
    fill(
      node,
      h(
        'div.row',
        sets.map((x, i) =>
          button(offerName(ctx, lib, x), () => void run(x), {icon: 'import', ...(kind && !i && {kind})}),
        ),
      ),
    );
  offer();
  return node;
}

function tipCard(ctx: Context, lib: Library): HTMLElement | false {
  const {t} = ctx;
  if (recall(tipsStore, {off: false}).off || lib.records > tipsUntil) return false;
  const node = h(
    'section.card.tips',
    h(
      'div.row.between',
      h('h2', t('home.tips')),
      iconButton(t('home.tipsOff'), 'close', () => {
        node.remove();
        remember(tipsStore, {off: true});
      }),
    ),
    h(
      'ul',
      tips.map(x => h('li', t(`home.tip.${x}`))),
    ),
  );
  return node;
}

function about(ctx: Context, lib: Library): HTMLElement {
  const {t, lang} = ctx,
    f = fmt(lang);
  return h(
    'p.muted.small.about',
    dots(
      t('home.records', {n: lib.records}),
      lib.unknown > 0 && t('home.unknown', {n: lib.unknown}),
      lib.bytes > 0 && f.bytes(lib.bytes),
      lib.collections > 0 && t('home.collections', {n: lib.collections}),
      lib.tags > 0 && t('home.tags', {n: lib.tags}),
      !lib.writable && readOnly(ctx, lib),
      `${lib.name} · Qipu ${lib.version}`,
    ),
  );
}
