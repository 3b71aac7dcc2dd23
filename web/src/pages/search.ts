// The search: a board to draw on, the query that it means, and what was found. The query text is the one truth; the
// board and the chips are views of it. Every edit searches at once.
import '../common';
import type {Answer, Condition, Game, Hit, Mistake, NextMove, Reference, Understood} from '../api';
import type {Context, Opener, Page} from '../app';
import {Problem, latest} from '../client';
import {debounce, fill, h, on} from '../dom';
import {titled} from '../i18n';
import {gameOf} from '../kinds';
import {searchLink, withQuery} from '../router';
import {type Desk, type Found, type State, type View, orders} from '../search/desk';
import {editor} from '../search/editor';
import {type Editor, around, autoRegion, compose, fresh, placed, put, restore} from '../search/model';
import {fromOfMove, moves, pointOfMove} from '../search/moves';
import {groups, history, trend} from '../search/panels';
import {query} from '../search/query';
import {listing, results} from '../search/results';
import {start} from '../search/start';
import {explain, tabs} from '../ui';

const keep = 200; // steps that can be undone

export const open: Opener = async (ctx, url) => {
  const games = await ctx.games();
  if (!games.length) throw new Error('the server knows no game');
  return new Search(ctx, games, url).page();
};

const viewOf = (url: URL): View => {
  const q = url.searchParams;
  return {
    sort: orders.find(s => s === q.get('sort')) ?? '',
    reverse: q.get('rev') === '1',
    variations: q.get('var') === '1',
    tab: q.get('tab') ?? 'hits',
    by: q.get('by') ?? '',
    flip: q.get('flip') === '1',
  };
};

class Search implements Desk {
  state: State;
  view: View;
  found: Found | null = null;
  mistake: Mistake | null = null;
  reading = false;
  #past: State[] = [];
  #future: State[] = [];
  #url: URL;
  readonly #board;
  readonly #parts: {show(): void}[];
  readonly #panels: Record<string, {node: HTMLElement; open?(): void}>;
  readonly #tabs;
  readonly #begin = h('div.begin-at');
  readonly #node: HTMLElement;
  #reference: Promise<Reference> | null = null;
  #notes: Promise<boolean> | null = null;
  #noting = 0;
  readonly #read: (q: string, game: string) => Promise<Understood | undefined>;
  readonly #stream: (really: boolean) => Promise<void>;

  constructor(
    readonly ctx: Context,
    readonly games: readonly Game[],
    url: URL,
  ) {
    const {t} = ctx;
    this.#url = url;
    this.#read = latest(ctx.signal, (signal, q: string, game: string) =>
      ctx.call('GET /query', {query: {q, game}}, signal),
    );
    this.#stream = latest(ctx.signal, (signal, really: boolean) => (really ? this.#follow(signal) : Promise.resolve()));
    this.view = viewOf(url);
    const game = this.#game(url);
    this.state = {game, ed: fresh(game), conditions: [], text: ''};
    this.#board = editor(this);
    const words = query(
      this,
      () =>
        (this.#reference ??= ctx.call('GET /query/reference').catch((err: unknown) => {
          this.#reference = null;
          throw err;
        })),
    );
    const list = results(this),
      next = moves(this);
    this.#panels = {
      hits: {node: list.list},
      moves: next,
      trend: trend(this),
      groups: groups(this),
      history: history(this),
    };
    this.#tabs = tabs(
      t('search.views'),
      Object.entries(this.#panels).map(([id, p]) => ({
        id,
        label: t(`search.tab.${id as 'hits'}`),
        panel: h('div.panel', p.node),
      })),
      this.view.tab,
      tab => this.look({tab}),
    );
    // i18n: search.tab.*
    this.#parts = [this.#board, words, list, next];
    this.#node = h(
      'div.search',
      h('h1.hidden', t('search.title')),
      this.#board.node,
      h('section.search-side', words.node, list.head, this.#begin, this.#tabs.node),
    );
    // What was changed a moment ago must be in the history before a link leads away.
    on(
      this.#node,
      'click',
      () => {
        if (this.#pending) this.#sync();
      },
      ctx.signal,
      {capture: true},
    );
    ctx.prefs.on(() => this.#show(), ctx.signal);
    void this.#load(url);
  }

  page(): Page {
    return {
      title: this.ctx.t('search.title'),
      node: this.#node,
      keys: this.#board.keys,
      update: url => this.#update(url),
      leave: () => {
        this.#wait.cancel();
        this.#later.cancel();
        clearTimeout(this.#noting);
        this.#board.close();
      },
      drop: (_, text) => {
        if (text) void this.#take(text);
        return !!text;
      },
    };
  }

  #game(url: URL): Game {
    return gameOf(this.games, (url.searchParams.get('g') ?? '').toLowerCase());
  }

  // Addresses.

  link(q: string, game = this.state.game.spec): string {
    return searchLink(q, game || this.state.game.spec);
  }

  #address(): string {
    const {game, ed, text} = this.state,
      v = this.view;
    return withQuery(new URL('/search', location.href), {
      g: game.spec,
      q: text,
      ...placed(game, ed),
      sort: v.sort,
      rev: v.reverse ? 1 : null,
      var: v.variations ? 1 : null,
      tab: v.tab === 'hits' ? null : v.tab,
      by: v.by,
      flip: v.flip ? 1 : null,
    });
  }

  #pending = false;
  #sync(how: 'push' | 'replace' = 'replace'): void {
    this.#wait.cancel();
    this.#pending = false;
    const to = this.#address();
    if (to === this.#url.pathname + this.#url.search) return;
    this.#url = new URL(to, location.href);
    this.ctx.go(to, how);
  }
  // Browsers bound how often the address may change, and a stroke changes it at every point.
  readonly #wait = debounce(() => this.#sync(), 300);

  #update(url: URL): void {
    if (url.pathname + url.search === this.#url.pathname + this.#url.search) return;
    const old = this.#url.searchParams,
      now = url.searchParams,
      same = (k: string) => old.get(k) === now.get(k);
    this.#url = url;
    if (same('g') && same('q') && same('at') && same('out')) return this.look(viewOf(url), true);
    this.view = viewOf(url);
    this.#remember(false);
    void this.#load(url);
  }

  // load makes the state that an address stands for. The search does not wait for the board.
  async #load(url: URL): Promise<void> {
    const q = url.searchParams,
      text = q.get('q') ?? '',
      game = text && !q.get('g') ? await this.#guess(text) : this.#game(url);
    if (this.ctx.signal.aborted) return;
    this.state = {game, ed: restore(game, undefined, '', q.get('out') ?? ''), conditions: [], text};
    this.mistake = null;
    this.#later.cancel();
    this.#tabs.select(this.view.tab);
    this.#show();
    if (this.found) this.found = {...this.found, stale: true};
    if (text) void this.#find();
    else this.#idle();
    await this.#understand(text, q.get('at') ?? '', q.get('out') ?? '');
  }

  // understand asks how a text is read, and shows it on the board and as chips. It tells whether the text is right.
  async #understand(text: string, at: string, out: string): Promise<boolean> {
    this.reading = !!text;
    if (!text) return true;
    try {
      const u = await this.#read(text, this.state.game.spec);
      if (!u || this.state.text !== text) return false;
      this.reading = false;
      if (u.problem) {
        this.mistake = u.problem;
        if (this.found) this.found = {...this.found, stale: true};
        this.#show();
        return false;
      }
      this.mistake = null;
      const game = this.games.find(g => g.spec === u.game) ?? this.state.game;
      const ed = restore(game, u.board, at, out);
      this.state = {game, ed, conditions: u.conditions, text};
      this.#show();
      if (u.board) void this.#surround(u.board, ed);
      return true;
    } catch (err) {
      this.reading = false;
      this.ctx.fail(err);
      return false;
    }
  }

  // guess is the game of a query whose address names none: what the query says, or that of the first game it finds.
  async #guess(q: string): Promise<Game> {
    const {api, signal} = this.ctx;
    const by = (spec: string | undefined) => this.games.find(g => g.spec === spec);
    const said = await api.call('GET /query', {query: {q}}, signal).then(
      u => by(u.game),
      () => undefined,
    );
    const found =
      said ??
      (await api.call('GET /find', {query: {q, limit: 1, brief: true}}, signal).then(
        a => by(a.rows[0]?.record.game),
        () => undefined,
      ));
    return found ?? this.state.game;
  }

  // surround puts the rest of the position around a region that was cut out of it.
  async #surround(d: {word: string; text: string; options: string[]}, ed: Editor): Promise<void> {
    if (d.word === 'board' || !d.options.some(o => o.startsWith('region'))) return;
    const {game} = this.state;
    const p = await this.ctx.call('GET /position', {query: {game: game.spec, line: d.text}}).catch(() => null);
    if (!p || this.state.ed !== ed) return;
    this.state = {...this.state, ed: {...ed, cells: new Map([...put(p.pieces), ...ed.cells]), side: p.turn}};
    this.#show();
  }

  // Changes.

  #remember(goesOn: boolean): void {
    if (goesOn && this.#past.length) return;
    this.#past.push(this.state);
    if (this.#past.length > keep) this.#past.shift();
    this.#future = [];
  }

  get can() {
    return {back: this.#past.length > 0, again: this.#future.length > 0};
  }

  #commit(state: State, how: 'push' | 'replace' | 'wait'): void {
    const same = state.text === this.state.text && state.game === this.state.game;
    this.state = state;
    this.mistake = null;
    this.reading = false;
    this.#pending = true;
    if (how === 'wait') this.#wait();
    else this.#sync(how);
    if (!same || !this.found) this.#seek();
    this.#show();
  }

  edit(change: Partial<Editor>, how: 'new' | 'on' | 'step' = 'new'): void {
    this.#remember(how === 'on');
    if (how === 'step' && this.#pending) this.#sync();
    const {game, conditions} = this.state,
      ed = {...this.state.ed, ...change};
    this.#commit({game, ed, conditions, text: compose(game, ed, conditions)}, how === 'step' ? 'push' : 'wait');
  }

  restrict(conditions: readonly Condition[]): void {
    this.#remember(false);
    const {game, ed} = this.state;
    this.#commit({game, ed, conditions, text: compose(game, ed, conditions)}, 'push');
  }

  ask(text: string, goesOn = false): void {
    if (text === this.state.text && !this.mistake) return;
    this.#remember(goesOn);
    const {game, ed} = this.state,
      at = ed.region ? `${ed.region.left},${ed.region.top}` : '',
      out = around(game, ed);
    this.state = {...this.state, text, ...(!text && {ed: fresh(game), conditions: []})};
    this.#pending = true;
    if (goesOn) this.#wait();
    else this.#sync('push');
    if (!text) {
      this.mistake = null;
      this.#idle();
      this.#show();
      return;
    }
    void this.#understand(text, at, out).then(right => {
      if (!right) return;
      this.#wait(); // where the board lies
      this.#seek();
      this.#show();
    });
  }

  choose(spec: string): void {
    const game = this.games.find(g => g.spec === spec);
    if (!game) return;
    this.#remember(false);
    const ed = fresh(game),
      {conditions} = this.state;
    this.#commit({game, ed, conditions, text: compose(game, ed, conditions)}, 'push');
    this.ctx.announce(titled(game.titles, this.ctx.lang));
  }

  look(change: Partial<View>, fromURL = false): void {
    const old = this.view;
    this.view = {...old, ...change};
    if (!fromURL) this.#sync();
    this.#tabs.select(this.view.tab);
    if (
      this.state.text &&
      (old.sort !== this.view.sort || old.reverse !== this.view.reverse || old.variations !== this.view.variations)
    )
      this.#seek();
    this.#show();
  }

  back(): void {
    this.#swap(this.#past, this.#future);
  }
  again(): void {
    this.#swap(this.#future, this.#past);
  }
  #swap(from: State[], to: State[]): void {
    const s = from.pop();
    if (!s) return;
    to.push(this.state);
    this.#commit(s, 'wait');
  }

  // play puts a continuation onto the board: the next question is what came then.
  play(m: NextMove): void {
    const {game, ed} = this.state,
      p = pointOfMove(this, m),
      from = fromOfMove(this, m),
      {side} = m.move;
    if (game.moving) {
      const piece = ed.cells.get(from);
      if (piece === undefined || p < 0) return;
      const cells = new Map(ed.cells);
      cells.delete(from);
      if (ed.anyBlank) cells.set(from, 1);
      cells.set(p, piece);
      this.edit({cells, side: 1 - side, turn: ed.turn < 0 ? -1 : 1 - side}, 'step');
    } else if (p >= 0) void this.#board.tryMove(p, side);
    this.mark(null);
  }

  mark(move: NextMove | null): void {
    this.#board.mark(move);
  }

  // Searching.

  params() {
    return {q: this.state.text, game: this.state.game.spec, ...(this.view.variations && {variations: true})};
  }

  // A single edit is answered at once; those of a stroke, which come one upon the other, wait for each other.
  readonly #later = debounce(() => void this.#find(), 30);
  #sought = 0;
  #seek(): void {
    clearTimeout(this.#noting);
    if (!this.state.text) return this.#idle();
    if (this.found) this.found = {...this.found, stale: true}; // its continuations are not those of the new board
    const now = performance.now(),
      alone = now - this.#sought > 100;
    this.#sought = now;
    if (alone) void this.#find();
    else this.#later();
  }

  #idle(): void {
    this.#later.cancel();
    void this.#stream(false);
    this.found = null;
    this.#show();
  }

  // follow shows a search while it runs: the count first, then hits, then all.
  async #follow(signal: AbortSignal): Promise<void> {
    let rows: readonly Hit[] | null = null,
      sofar = {games: 0, hits: 0};
    const now = () => {
      if (signal.aborted) return;
      this.#parts.forEach(p => p.show());
      this.#frame();
    };
    await this.ctx.api.events(
      '/find/events',
      {...this.params(), ...listing(this)},
      {
        tick: (x: {games: number; hits: number}) => {
          sofar = x;
          this.found = {...x, rows: rows ?? this.found?.rows ?? [], answer: null, stale: !rows};
          now();
        },
        page: (x: {rows: Hit[]}) => {
          rows = x.rows;
          this.found = {games: Math.max(sofar.games, rows.length), hits: sofar.hits, rows, answer: null, stale: false};
          now();
        },
        answer: (a: Answer) => {
          this.found = {games: a.games, hits: a.hits, rows: a.rows, answer: a, stale: false};
          now();
          this.#answered(a);
        },
      },
      signal,
    );
  }

  #asking = 0; // searches without an answer: one that gives way to another ends a little later
  async #find(): Promise<void> {
    this.#asking++;
    this.#frame();
    try {
      await this.#stream(true);
    } catch (err) {
      if (err instanceof Problem && err.status >= 400 && err.status < 500) {
        const {title, text} = explain(this.ctx.t, err);
        this.mistake ??= {message: title, hint: text, at: 0, length: 0};
      } else this.ctx.fail(err);
      if (this.found) this.found = {...this.found, stale: true};
      this.#show();
    } finally {
      this.#asking--;
      this.#frame();
    }
  }

  #answered(a: Answer): void {
    const {ctx} = this,
      {t} = ctx;
    ctx.announce(t('search.announce', {games: t('search.games', {n: a.games})}));
    ctx.retitle(a.name ? `${a.name} · ${t('search.title')}` : t('search.title'));
    this.#panels[this.view.tab]?.open?.();
    // A search that somebody rests on is one of the last searches. A server that wants a token for it is left alone.
    const {text: q, game} = this.state;
    clearTimeout(this.#noting);
    if (a.board && a.games) this.#noting = window.setTimeout(() => void this.#note(q, game.spec), 1500);
  }

  async #note(q: string, game: string): Promise<void> {
    const {api, signal} = this.ctx;
    this.#notes ??= api.call('GET /library', undefined, signal).then(
      l => l.writable && api.may('note-query'),
      () => false,
    );
    if (!(await this.#notes) || this.state.text !== q) return;
    await api.call('POST /queries/note', {body: {query: q, game}}, signal).catch(() => undefined);
  }

  // What was pasted: a record or a position comes onto the board, a query is asked.
  async #take(text: string): Promise<void> {
    const {ctx} = this,
      {t, lang} = ctx;
    try {
      const r = await ctx.call('POST /read', {body: {text: text.slice(0, 1 << 20)}});
      if (r.what === 'nothing') return ctx.toast(t('search.pastedNothing'), 'error');
      if (!r.preview) return this.ask(r.what === 'query' ? text.trim() : r.query);
      const game =
        this.games.find(g => g.spec === r.preview!.game) ??
        this.games.find(g => g.spec === r.games[0]) ??
        this.state.game;
      this.#remember(false);
      const base = {...fresh(game), cells: put(r.preview.pieces), side: r.preview.turn};
      // Nobody looks for the end of a game: of a record the part that matters is still to be drawn.
      const ed = r.what === 'records' ? base : {...base, region: autoRegion(game, base)},
        {conditions} = this.state;
      this.#commit({game, ed, conditions, text: compose(game, ed, conditions)}, 'push');
      ctx.toast(
        t(r.what === 'records' ? 'search.pastedRecord' : 'search.pastedPosition', {game: titled(game.titles, lang)}),
        'success',
      );
    } catch (err) {
      ctx.fail(err);
    }
  }

  // Showing.

  #begun = '';
  #frame(): void {
    const {size, pieces} = this.state.game.geometry;
    this.#node.style.setProperty('--aspect', String((size.w + 1) / (size.h + 1)));
    this.#node.dataset['pieces'] = pieces.length > 2 ? 'many' : 'two';
    const none = !this.found && !this.state.text;
    this.#begin.hidden = !none || this.view.tab === 'history';
    this.#tabs.node.hidden = !this.found && (none || !!this.mistake) && this.view.tab !== 'history';
    this.#node.classList.toggle('busy', !!this.found?.stale);
    this.#node.ariaBusy = this.#asking && (!this.found?.answer || this.found.stale) ? 'true' : 'false';
    const begun = none ? this.state.game.spec : ''; // made anew whenever it comes back: there are new last searches
    if (begun !== this.#begun) {
      this.#begun = begun;
      fill(this.#begin, none && start(this));
    }
  }

  #show(): void {
    for (const p of this.#parts) p.show();
    this.#frame();
    if (this.view.tab === 'history' || this.found?.answer) this.#panels[this.view.tab]?.open?.();
  }
}
