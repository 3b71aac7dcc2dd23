// The method lab: two to four methods of search on one position, their trees in step on one time line, and of every
// position its board, its window and why it was left. All that is shown is in the address.
// i18n: lab.method.*, lab.order.*, lab.problem.*, lab.reason.*, lab.scene.*, lab.soFar.*
import '../common';
import type {Game, Lab, Position} from '../api';
import type {Context, Opener, Page} from '../app';
import {Board} from '../board';
import {Problem, aborted, latest} from '../client';
import type {BoardState} from '../core';
import {type Child, debounce, dots, fill, fmt, h, on} from '../dom';
import {positionPanel} from '../explore/line';
import {kindName, titled} from '../i18n';
import {icon} from '../icons';
import {type Key, standard} from '../keys';
import {kindOf, notationOf} from '../kinds';
import {type View, drawTree, look, moved, pick, towards, whole, zoomed} from '../lab/draw';
import {
  type Column,
  type SceneName,
  type State,
  addressOf,
  limits,
  maxColumns,
  orders,
  read,
  sceneLink,
  scenes,
} from '../lab/scenes';
import {type Tree, current, near, nextCut, pathTo, reasons, tally, treeOf} from '../lab/tree';
import {amount, between, label, sentence, windowOf} from '../lab/words';
import {refill} from '../records/row';
import {button, dataTable, explain, iconButton, menu, rowHead, select} from '../ui';

export const open: Opener = async (ctx, url) => {
  const [lab, games] = await Promise.all([ctx.call('GET /lab'), ctx.games()]);
  return working(ctx, lab, games, url);
};

const duration = 16, // seconds that a whole time line takes to play
  speeds = [0.25, 1, 4] as const;

// Stand is a method at work: its column of the page.
interface Stand {
  want: Column;
  key: string; // what was asked
  tree: Tree | null;
  problem: unknown;
  busy: boolean;
  view: View;
  node: HTMLElement;
  head: HTMLElement;
  facts: HTMLElement;
  canvas: HTMLCanvasElement;
  foot: HTMLElement;
}

function working(ctx: Context, lab: Lab, games: readonly Game[], address: URL): Page {
  const {t, lang, prefs} = ctx,
    f = fmt(lang);
  let state = read(address),
    game: Game | null = null,
    root: Position | null = null, // the position that is searched
    lost: unknown = null, // why there is none
    stands: Stand[] = [],
    running: AbortController | null = null,
    now = state.now ?? Infinity,
    playing = 0, // id of the frame
    speed = 1,
    asked = '',
    shown: Position | null = null; // on the board

  const board = new Board(emptyBoard(), {t, lang, keys: 'none', wheel: false, animate: false});
  board.node.tabIndex = -1;
  const setup = h('div.lab-setup'),
    position = h('details.card.lab-position', h('summary', t('lab.position'))),
    intro = h('p.lab-intro'),
    says = h('p.lab-says', {role: 'status'}),
    trees = h('div.lab-trees'),
    bar = h('div.lab-time', {role: 'group', 'aria-label': t('lab.time')}),
    node = h('section.card.lab-node', {'aria-label': t('lab.node')}),
    figures = h('section.card.flush.lab-figures', {'aria-label': t('lab.figures')}),
    more = h('div.stack');
  const rail = h('input', {type: 'range', min: 0, max: 1, step: 1, value: 0, 'aria-label': t('lab.time')}),
    clock = h('output.num.lab-clock'),
    playButton = button(t('lab.play'), () => play(!playing), {icon: 'play', bare: true, props: {'data-key': 'play'}}),
    nav = (label: string, sign: 'first' | 'previous' | 'next' | 'last' | 'down', run: () => void) =>
      button(label, run, {icon: sign, bare: true});
  fill(
    bar,
    h(
      'div.btns',
      nav(t('lab.key.start'), 'first', () => go(0)),
      nav(t('lab.key.back'), 'previous', () => go(at() - 1)),
      playButton,
      nav(t('lab.key.forward'), 'next', () => go(at() + 1)),
      nav(t('lab.key.end'), 'last', () => go(Infinity)),
    ),
    rail,
    clock,
    button(t('lab.nextCut'), () => cut(1), {kind: 'quiet', props: {class: 'btn quiet small'}}),
    select(
      t('record.speed'),
      speeds.map(s => ({value: String(s), label: `${f.number(s)}×`})),
      '1',
      v => {
        speed = Number(v);
      },
    ),
  );
  on(rail, 'input', () => {
    play(false);
    go(rail.valueAsNumber);
  });
  const panel = positionPanel(
    ctx,
    line => change({line, now: null, chosen: -1, scene: ''}, 'push'),
    async move => {
      try {
        const p = await ctx.call('GET /position', {query: {game: state.spec, line: state.line, play: move}});
        change({line: p.line, now: null, chosen: -1, scene: ''}, 'push');
        return true;
      } catch (err) {
        ctx.fail(err);
        return false;
      }
    },
  );
  position.append(h('div.stack', panel.node));
  const page = h(
    'div.lab',
    h(
      'div.head.lab-head',
      h('h1', t('lab.title')),
      h(
        'div.row',
        menu(
          t('lab.scenes'),
          () =>
            (Object.keys(scenes) as SceneName[]).map(name => ({
              label: t(`lab.scene.${name}`),
              href: sceneLink(name),
              icon: 'learn' as const,
            })),
          {icon: 'learn'},
        ),
      ),
    ),
    setup,
    says,
    intro,
    h(
      'div.lab-main',
      h('div.lab-left', trees, bar),
      h('div.side.lab-side', h('div.lab-board', board.node), node, figures, more, position),
    ),
  );
  const sized = new ResizeObserver(() => paint());
  prefs.on(() => {
    showBoard();
    paint();
  }, ctx.signal);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => paint(), {signal: ctx.signal});
  on(ctx.signal, 'abort', () => {
    running?.abort();
    sized.disconnect();
    cancelAnimationFrame(playing);
    cancelAnimationFrame(painting);
  });

  // The address.

  function change(part: Partial<State>, how: 'push' | 'replace' = 'replace'): void {
    ctx.go(addressOf({...state, ...part}), how);
  }
  const keep = debounce(() => {
    if (!ctx.signal.aborted) change({now: now >= end() ? null : now});
  }, 250);

  function take(url: URL): void {
    address = url;
    state = read(url);
    now = state.now ?? Infinity;
    if (url.searchParams.has('id')) return void fromRecord(url.searchParams);
    const key = JSON.stringify([state.spec, state.line]);
    if (key !== asked) {
      asked = key;
      void place();
    } else run();
    show();
  }

  // fromRecord takes a moment of a record for the position.
  async function fromRecord(q: URLSearchParams): Promise<void> {
    const num = (name: string, otherwise: number) => Number(q.get(name) ?? otherwise) || 0;
    try {
      const p = await ctx.call('GET /records/{id}/position', {
        path: {id: num('id', 0)},
        query: q.has('node') ? (num('node', 0) ? {node: num('node', 0)} : {ply: 0}) : {ply: num('ply', -1)},
      });
      ctx.go(`/lab?${new URLSearchParams({g: p.game, m: p.line}).toString()}`, 'replace');
    } catch (err) {
      if (ctx.signal.aborted) return;
      lost = err;
      show();
    }
  }

  // place finds the position that is to be searched.
  async function place(): Promise<void> {
    running?.abort();
    root = shown = null;
    lost = null;
    for (const s of stands) s.tree = s.problem = null;
    const mine = asked;
    try {
      const kind = await kindOf(ctx, games, state.spec),
        p = await ctx.call('GET /position', {
          query: {game: state.spec, line: state.line, notation: notationOf(ctx, kind)},
        });
      if (mine !== asked) return;
      game = kind;
      root = p;
      panel.show(game, root);
      if (!address.searchParams.has('x')) {
        // As deep as all of it can be read.
        const wide = Math.max(2, root.legal.length),
          depth = Math.max(2, Math.min(4, Math.floor(Math.log(150_000) / Math.log(wide))));
        return change({columns: state.columns.map(c => ({...c, depth}))});
      }
      run();
    } catch (err) {
      if (ctx.signal.aborted || mine !== asked) return;
      lost = err;
    }
    show();
  }

  // Runs.

  function run(): void {
    if (!root || !game || root.over) return;
    running?.abort();
    const mine = (running = new AbortController()),
      {spec, order, seed, nodes} = state,
      notation = notationOf(ctx, game);
    if (stands.length !== state.columns.length) build();
    const todo = stands.filter((s, i) => {
      const want = state.columns[i]!,
        key = JSON.stringify([asked, want, order, seed, nodes, notation]);
      if (s.key === key && (s.tree || s.problem)) return false;
      Object.assign(s, {want, key, tree: null, problem: null, busy: true});
      return true;
    });
    const {line} = state;
    void (async () => {
      for (const s of todo) {
        try {
          const printed = s.want.method === 'printed';
          const answer = await ctx.call(
            'GET /lab/tree',
            {
              query: {
                game: spec,
                line,
                notation,
                method: printed ? 'bstar' : s.want.method,
                depth: s.want.depth,
                order,
                seed,
                nodes,
                printed,
                most: lab.kept,
                silent: true,
              },
            },
            mine.signal,
          );
          if (mine !== running) return;
          s.tree = treeOf(answer);
          s.view = whole(s.tree);
        } catch (err) {
          if (mine !== running) return;
          s.problem = err;
        }
        s.busy = false;
        show();
      }
      if (mine === running) running = null;
      show();
      const done = stands.filter(s => s.tree);
      if (done.length) ctx.announce(done.map(s => `${methodName(s.want.method)}: ${facts(s).join(', ')}`).join('. '));
    })();
  }

  function stop(): void {
    running?.abort();
    running = null;
    for (const s of stands)
      if (s.busy) {
        s.busy = false;
        s.problem = new Problem(0, 'stopped', '');
      }
    show();
  }

  function build(): void {
    stands = state.columns.map((want, i) => {
      const old = stands[i];
      if (old) return old;
      const canvas = h('canvas', {tabindex: 0, role: 'img', 'aria-label': methodName(want.method)}),
        head = h('div.lab-tree-head'),
        facts = h('p.small.lab-facts'),
        foot = h('p.small.muted.lab-foot'),
        s: Stand = {
          want,
          key: '',
          tree: null,
          problem: null,
          busy: false,
          view: {from: 0, to: 1},
          node: h('section.card.lab-tree', head, facts, h('div.lab-canvas', canvas), foot),
          head,
          facts,
          canvas,
          foot,
        };
      listen(s);
      sized.observe(canvas);
      return s;
    });
    fill(
      trees,
      stands.map(s => s.node),
    );
    trees.dataset['n'] = String(stands.length);
  }

  // Time.

  const end = (): number => Math.max(0, ...stands.map(s => s.tree?.end ?? 0));
  const at = (): number => Math.min(now, end());

  function go(to: number): void {
    now = Math.max(0, Math.min(end(), Math.round(to)));
    state = {...state, chosen: -1};
    paint();
    keep();
    tell();
  }
  function play(yes: boolean): void {
    cancelAnimationFrame(playing);
    playing = 0;
    if (yes && end() > 0) {
      if (at() >= end()) now = 0;
      state = {...state, chosen: -1};
      let last = performance.now(),
        exact = at();
      const step = (time: number) => {
        exact += ((time - last) / 1000) * Math.max(2, end() / duration) * speed;
        last = time;
        now = Math.min(end(), Math.floor(exact));
        paint();
        if (now >= end()) {
          play(false);
          keep();
          tell();
        } else playing = requestAnimationFrame(step);
      };
      playing = requestAnimationFrame(step);
    } else keep();
    const words = t(playing ? 'lab.pause' : 'lab.play');
    playButton.setAttribute('aria-label', words);
    playButton.title = words;
    fill(playButton, icon(playing ? 'pause' : 'play'));
  }
  function cut(dir: 1 | -1): void {
    const tree = active()?.tree,
      to = tree && nextCut(tree, at(), dir);
    if (to === null || to === undefined) return ctx.announce(t('lab.noCut'));
    play(false);
    go(to);
  }

  // The position that somebody looks at.

  function active(): Stand | undefined {
    return stands[Math.min(state.active, stands.length - 1)];
  }
  function looked(s = active()): number {
    const tree = s?.tree;
    if (!tree) return -1;
    return s === active() && state.chosen >= 0 && state.chosen < tree.n ? state.chosen : current(tree, at());
  }
  function choose(s: Stand, i: number): void {
    if (i < 0) return;
    play(false);
    if (s.tree) s.view = towards(s.tree, s.view, i);
    change({active: stands.indexOf(s), chosen: i, now: at() >= end() ? null : at()});
    tell();
  }
  function walk(where: 'up' | 'down' | 'left' | 'right'): void {
    const s = active(),
      i = looked(s);
    if (s?.tree && i >= 0) choose(s, near(s.tree, i, where, at()));
  }
  function turnTo(i: number): void {
    if (!stands[i]) return;
    change({active: i, chosen: -1});
    stands[i].canvas.focus();
  }
  function zoom(by: number): void {
    const s = active(),
      i = looked(s);
    if (!s?.tree) return;
    const around = i < 0 ? 0.5 : ((s.tree.from[i]! + s.tree.to[i]!) / 2 - s.view.from) / (s.view.to - s.view.from || 1);
    s.view = by ? zoomed(s.tree, s.view, by, Math.max(0, Math.min(1, around))) : whole(s.tree);
    paint();
  }
  const tell = debounce(() => {
    const s = active(),
      i = looked(s);
    if (s?.tree && game && i >= 0) ctx.announce(`${nodeName(s.tree, i)}. ${sentence(ctx, game, s.tree, i, at())}`);
  }, 300);

  function listen(s: Stand): void {
    const {canvas} = s;
    let drag: {x: number; view: View; moved: boolean} | null = null;
    on<PointerEvent>(canvas, 'pointerdown', e => {
      if (e.button || !s.tree) return;
      drag = {x: e.offsetX, view: s.view, moved: false};
      canvas.setPointerCapture(e.pointerId);
    });
    on<PointerEvent>(canvas, 'pointermove', e => {
      if (!drag || !s.tree || (!drag.moved && Math.abs(e.offsetX - drag.x) < 5)) return;
      drag.moved = true;
      s.view = moved(s.tree, drag.view, ((drag.x - e.offsetX) / canvas.clientWidth) * (drag.view.to - drag.view.from));
      paint();
    });
    on<PointerEvent>(canvas, 'pointerup', e => {
      if (drag && !drag.moved && s.tree)
        choose(s, pick(s.tree, s.view, at(), e.offsetX, e.offsetY, canvas.clientWidth, canvas.clientHeight));
      drag = null;
    });
    on(canvas, 'pointercancel', () => {
      drag = null;
    });
    on<WheelEvent>(
      canvas,
      'wheel',
      e => {
        // The page scrolls over a tree that is whole and is not to be looked into.
        if (!s.tree || !(e.ctrlKey || e.altKey || e.shiftKey || s.view.to - s.view.from < s.tree.leaves)) return;
        e.preventDefault();
        s.view = zoomed(s.tree, s.view, e.deltaY > 0 ? 1.25 : 0.8, e.offsetX / canvas.clientWidth);
        paint();
      },
      ctx.signal,
      {passive: false},
    );
    on(canvas, 'focus', () => {
      const i = stands.indexOf(s);
      if (i !== state.active) change({active: i, chosen: -1});
    });
  }

  // Showing.

  const methodName = (name: string): string =>
    name === 'printed' || lab.methods.some(m => m.method === name) ? t(`lab.method.${name as 'minimax'}`) : name;

  function nodeName(tree: Tree, i: number): string {
    const line = pathTo(tree, i)
      .slice(1)
      .map(k => tree.move[k]!);
    return line.length ? line.join(' ') : t('lab.root');
  }

  function facts(s: Stand): string[] {
    const r = s.tree!.run;
    return [
      s.want.method === 'proof' ? '' : r.low < r.high ? between(ctx, r.value, r.low, r.high) : amount(ctx, r.value),
      r.move,
      t('lab.leavesOf', {n: r.leaves}),
      t('lab.nodesOf', {n: r.nodes}),
    ].filter(Boolean);
  }

  // said puts what is wrong into a sentence of the reader's language, where it is one of ours.
  function said(err: unknown): string {
    if (err instanceof Problem) {
      const known = ['over', 'no-depth', 'no-judge', 'too-much', 'no-method', 'stopped'] as const,
        code = known.find(c => c === err.code);
      if (code)
        return t(`lab.problem.${code}`, {
          game: game ? kindName(game, lang) : state.spec,
          depth: lab.depth,
          nodes: lab.nodes,
        });
    }
    const {title, text} = explain(t, err);
    return text || title;
  }

  function show(): void {
    showSetup();
    showStands();
    const only = root && !root.over && root.legal.length === 1,
      busy = stands.some(s => s.busy);
    page.classList.toggle('busy', busy);
    refill(
      says,
      lost || root?.over
        ? [icon('warn'), h('span', lost ? said(lost) : said(new Problem(422, 'over', '')))]
        : [
            busy && [
              h('span', t('lab.running', {method: methodName(stands.find(s => s.busy)!.want.method)})),
              button(t('lab.stop'), stop, {icon: 'pause', props: {class: 'btn small', 'data-key': 'stop'}}),
            ],
            only && h('span', t('lab.oneMove')),
          ],
    );
    says.hidden = !says.childNodes.length;
    const scene = Object.hasOwn(scenes, state.scene) ? (state.scene as SceneName) : null;
    intro.hidden = !scene;
    if (scene) fill(intro, h('b', t(`lab.scene.${scene}`)), ' ', t(`lab.scene.${scene}.text`));
    showFigures();
    paint();
  }

  function showSetup(): void {
    const [family = '', variant = ''] = state.spec.split(/:(.*)/s),
      own = lab.games.find(g => g.spec === family),
      list = lab.games.map(g => ({value: g.spec, label: titled(g.titles, lang, g.spec)}));
    if (!own) list.unshift({value: family, label: game ? kindName(game, lang, '') : family});
    const to = (spec: string) => {
      if (spec !== state.spec) change({spec, line: '', now: null, chosen: -1, scene: ''}, 'push');
    };
    const labelled = (label: string, control: HTMLElement) => h('label.lab-field', h('span', label), control);
    refill(
      setup,
      labelled(
        t('lab.game'),
        select(t('lab.game'), list, family, v => to(v)),
      ),
      own?.words.length
        ? labelled(
            t('lab.variant'),
            h('input.code', {
              value: variant,
              placeholder: own.words.join(', '),
              spellcheck: 'false',
              autocapitalize: 'off',
              onchange: (e: Event) => {
                const v = (e.target as HTMLInputElement).value.trim();
                to(family + (v && ':' + v));
              },
            }),
          )
        : null,
      labelled(
        t('lab.order'),
        select(
          t('lab.order'),
          orders.map(o => ({value: o as string, label: t(`lab.order.${o || 'natural'}`)})),
          state.order,
          order => change({order, now: null, chosen: -1, scene: ''}, 'push'),
        ),
      ),
      state.order === 'random' &&
        labelled(
          t('lab.seed'),
          h('input.lab-number', {
            type: 'number',
            min: 0,
            value: state.seed,
            onchange: (e: Event) =>
              change({seed: Math.max(0, (e.target as HTMLInputElement).valueAsNumber || 0), now: null, chosen: -1}),
          }),
        ),
      labelled(
        t('lab.limit'),
        select(
          t('lab.limit'),
          [...new Set([...limits.filter(n => n <= lab.nodes), state.nodes])]
            .sort((a, b) => a - b)
            .map(n => ({value: String(n), label: f.number(n)})),
          String(state.nodes),
          v => change({nodes: Number(v), now: null, chosen: -1}, 'push'),
        ),
      ),
      state.columns.length < maxColumns &&
        button(
          t('lab.add'),
          () => columns([...state.columns, {method: freeMethod(), depth: state.columns[0]!.depth}]),
          {
            icon: 'plus',
          },
        ),
    );
  }
  const freeMethod = (): string =>
    ['minimax', 'alphabeta', 'fixed', 'staged', 'bstar'].find(m => !state.columns.some(c => c.method === m)) ?? 'scout';

  function columns(list: readonly Column[]): void {
    change({columns: list, now: null, chosen: -1, active: Math.min(state.active, list.length - 1), scene: ''}, 'push');
  }

  function showStands(): void {
    if (stands.length !== state.columns.length && root && !root.over) build();
    stands.forEach((s, i) => {
      const want = state.columns[i];
      if (!want) return;
      const set = (part: Partial<Column>) => columns(state.columns.map((c, k) => (k === i ? {...c, ...part} : c)));
      const names = [...lab.methods.map(m => m.method), 'printed'];
      if (!names.includes(want.method)) names.push(want.method);
      s.node.classList.toggle('active', stands.length > 1 && s === active());
      if (s.head.dataset['key'] !== JSON.stringify([want, state.columns.length])) {
        s.head.dataset['key'] = JSON.stringify([want, state.columns.length]);
        refill(
          s.head,
          select(
            t('lab.method'),
            names.map(value => ({value, label: methodName(value)})),
            want.method,
            method => set({method}),
          ),
          h(
            'label.lab-depth',
            h('span', t('lab.depth')),
            h('input.lab-number', {
              type: 'number',
              value: want.depth,
              'aria-label': t('lab.depth'),
              onchange: (e: Event) => {
                const depth = (e.target as HTMLInputElement).valueAsNumber;
                if (Number.isInteger(depth)) set({depth});
              },
            }),
          ),
          state.columns.length > 1 &&
            iconButton(t('lab.remove'), 'close', () => columns(state.columns.filter((_, k) => k !== i))),
        );
      }
      const tree = s.tree;
      fill(
        s.facts,
        s.problem
          ? h('span.lab-problem', {role: 'alert'}, said(s.problem))
          : tree
            ? [h('b', facts(s)[0]), ' ', dots(...facts(s).slice(1))]
            : s.busy
              ? t('lab.waiting')
              : '',
      );
      const source = lab.methods.find(m => m.method === (want.method === 'printed' ? 'bstar' : want.method))?.source;
      fill(
        s.foot,
        dots(
          source,
          tree?.run.whole === false && t('lab.cutShort', {n: state.nodes}),
          tree?.run.proved && t('lab.proved'),
          want.method === 'printed' && tree?.run.proved === false && t('lab.unproved'),
          !!tree?.left && t('lab.leftOut', {n: tree.left}),
        ),
      );
    });
  }

  function emptyBoard(): BoardState {
    const g = games[0]!;
    return {geometry: g.geometry, glyphs: g.glyphs, pieces: g.start, texts: g.texts};
  }
  function showBoard(): void {
    const p = shown ?? root;
    board.node.parentElement!.hidden = !game || !p;
    if (!game || !p) return;
    const m = p.moves.at(-1),
      v = prefs.view(address);
    board.set({
      geometry: game.geometry,
      glyphs: game.glyphs,
      pieces: p.pieces,
      texts: p.texts,
      coordinates: v.coordinates,
      set: v.pieces,
      ...(m && m.to >= 0 && {last: {to: m.to, ...(m.from >= 0 && {from: m.from})}}),
    });
  }
  const known = new Map<string, Position>();
  const ask = latest(ctx.signal, (signal, line: string) =>
    ctx.call('GET /position', {query: {game: state.spec, line, notation: notationOf(ctx, game ?? undefined)}}, signal),
  );
  const boardSoon = debounce((line: string) => {
    ask(line).then(
      p => {
        if (!p) return;
        if (known.size > 300) known.clear();
        known.set(state.spec + '\n' + line, p);
        shown = p;
        showBoard();
      },
      err => {
        if (!aborted(err)) showBoard();
      },
    );
  }, 60);

  // lineOf is how a position of a tree was come to, as the server reads it.
  function lineOf(tree: Tree, i: number): string {
    const moves = pathTo(tree, i)
        .slice(1)
        .map(k => tree.move[k]!),
      base = root!.line,
      text = base && !root!.moves.length;
    return [base, ...(text && moves.length ? ['moves'] : []), ...moves].filter(Boolean).join(' ');
  }

  let painting = 0,
    said0 = '';
  function paint(): void {
    if (painting || ctx.signal.aborted) return;
    painting = requestAnimationFrame(() => {
      painting = 0;
      draw();
    });
  }

  function draw(): void {
    const last = end(),
      time = at();
    rail.max = String(last);
    rail.value = String(time);
    rail.disabled = !last;
    rail.style.setProperty('--at', `${last ? (time / last) * 100 : 0}%`);
    clock.textContent = `${f.number(time)} / ${f.number(last)}`;
    const how = look(page);
    for (const s of stands) {
      const {canvas, tree} = s,
        w = canvas.clientWidth,
        hgt = canvas.clientHeight,
        k = Math.min(3, devicePixelRatio || 1);
      if (!w || !hgt) continue;
      if (canvas.width !== Math.round(w * k) || canvas.height !== Math.round(hgt * k)) {
        canvas.width = Math.round(w * k);
        canvas.height = Math.round(hgt * k);
      }
      const g = canvas.getContext('2d')!;
      g.setTransform(k, 0, 0, k, 0, 0);
      if (!tree) {
        g.clearRect(0, 0, w, hgt);
        canvas.setAttribute('aria-label', methodName(s.want.method));
        continue;
      }
      const i = looked(s);
      drawTree(g, tree, s.view, {now: time, current: i, chosen: i}, w, hgt, how, j => label(ctx, tree, j));
      const far = tally(tree, time),
        words = t('lab.treeOf', {
          method: methodName(s.want.method),
          nodes: far.nodes,
          leaves: far.leaves,
          cuts: far.cuts,
        });
      if (canvas.getAttribute('aria-label') !== words) canvas.setAttribute('aria-label', words);
      for (const what of ['leaves', 'nodes'] as const) {
        const cell = figures.querySelector(`[data-so-far="${what}${stands.indexOf(s)}"]`);
        if (cell) cell.textContent = f.number(far[what]);
      }
    }
    showNode();
  }

  function showNode(): void {
    const s = active(),
      tree = s?.tree,
      i = looked(s);
    if (!tree || !game || !root || i < 0) {
      node.hidden = true;
      said0 = '';
      if (shown) shown = null;
      showBoard();
      return;
    }
    const line = lineOf(tree, i),
      key = state.spec + '\n' + line,
      words = sentence(ctx, game, tree, i, at()),
      sum = `${key}\n${words}\n${s!.want.method}`;
    if (sum === said0) return;
    said0 = sum;
    node.hidden = false;
    fill(
      node,
      h(
        'p.lab-node-name',
        stands.length > 1 && h('span.tag', methodName(s!.want.method)),
        ' ',
        h('b', nodeName(tree, i)),
      ),
      h('p.lab-why', words),
      h('p.small.muted', windowOf(ctx, tree, i)),
    );
    const there = known.get(key);
    if (there) {
      boardSoon.cancel();
      shown = there;
      showBoard();
    } else boardSoon(line);
  }

  function showFigures(): void {
    const done = stands.map((s, i) => ({s, i})).filter(x => x.s.tree);
    figures.hidden = !done.length;
    more.hidden = !done.length;
    if (!done.length) return;
    const cols = done.map(({s}) =>
      h('th', {scope: 'col', class: 'num', title: methodName(s.want.method)}, s.want.method),
    );
    const line = (label: Child, ...cells: Child[]) =>
      h(
        'tr',
        rowHead(label),
        cells.map(c => h('td.num', c)),
      );
    const of = (pickOne: (tree: Tree) => number) => done.map(({s}) => f.number(pickOne(s.tree!)));
    const counts = (name: string) => of(tree => tree.run.counters.left.find(x => x.name === name)?.count ?? 0);
    const left = reasons.filter(r => done.some(({s}) => s.tree!.run.counters.left.some(x => x.name === r)));
    fill(
      figures,
      h(
        'div.scroll-x',
        dataTable(
          t('lab.figures'),
          [h('th', {scope: 'col'}), ...cols],
          h(
            'tbody',
            line(
              t('lab.value'),
              ...done.map(({s}) => {
                const r = s.tree!.run;
                return s.want.method === 'proof' ? '' : between(ctx, r.value, r.low, r.high);
              }),
            ),
            line(t('lab.move'), ...done.map(({s}) => s.tree!.run.move)),
            line(t('lab.leaves'), ...of(tree => tree.run.leaves)),
            line(t('lab.nodes'), ...of(tree => tree.run.nodes)),
            (['leaves', 'nodes'] as const).map(what =>
              h(
                'tr.lab-now',
                rowHead(t(`lab.soFar.${what}`)),
                done.map(({i}) => h('td.num', {'data-so-far': `${what}${i}`})),
              ),
            ),
            done.some(({s}) => s.tree!.run.judged) && line(t('lab.judged'), ...of(tree => tree.run.judged)),
            done.some(({s}) => s.tree!.run.kept) && line(t('lab.kept'), ...of(tree => tree.run.kept)),
            done.some(({s}) => s.tree!.run.pruned) && line(t('lab.pruned'), ...of(tree => tree.run.pruned)),
            left.map(r => line([h('i.lab-swatch', {'data-reason': r}), ' ', t(`lab.reason.${r}`)], ...counts(r))),
          ),
        ),
      ),
    );
    const plies = Math.max(...done.map(({s}) => s.tree!.run.counters.plies.length)),
      cutBy = Math.max(...done.map(({s}) => s.tree!.run.counters.cutAt.findLastIndex(n => n > 0) + 1));
    const opened = [...more.querySelectorAll('details')].map(d => d.open);
    const details = (i: number, title: string, rows: Child[]) =>
      h(
        'details.card',
        {open: opened[i] ?? false},
        h('summary', title),
        h(
          'div.scroll-x',
          dataTable(
            title,
            [h('th', {scope: 'col'}), ...cols.map(c => c.cloneNode(true) as HTMLElement)],
            h('tbody', rows),
          ),
        ),
      );
    fill(
      more,
      details(
        0,
        t('lab.byPly'),
        Array.from({length: plies}, (_, ply) =>
          line(
            f.number(ply),
            ...done.map(({s}) => {
              const p = s.tree!.run.counters.plies[ply];
              return p ? `${f.number(p.leaves)} / ${f.number(p.nodes)}` : '';
            }),
          ),
        ),
      ),
      details(
        1,
        t('lab.byMove'),
        cutBy
          ? Array.from({length: cutBy}, (_, k) =>
              line(f.number(k + 1) + (k === 15 ? '+' : ''), ...of(tree => tree.run.counters.cutAt[k] ?? 0)),
            )
          : [h('tr', h('td', {colspan: done.length + 1}, t('lab.noCuts')))],
      ),
    );
  }

  const keys: Key[] = [
    {keys: 'ArrowLeft', label: t('lab.key.back'), run: () => go(at() - 1)},
    {keys: 'ArrowRight', label: t('lab.key.forward'), run: () => go(at() + 1)},
    {keys: 'PageUp', label: t('lab.key.back10'), run: () => go(at() - Math.max(10, end() / 20))},
    {keys: 'PageDown', label: t('lab.key.forward10'), run: () => go(at() + Math.max(10, end() / 20))},
    {keys: 'Home', label: t('lab.key.start'), run: () => go(0)},
    {keys: 'End', label: t('lab.key.end'), run: () => go(Infinity)},
    standard(t, 'play', () => play(!playing)),
    {keys: 'c', label: t('lab.nextCut'), run: () => cut(1)},
    {keys: 'C', label: t('lab.key.lastCut'), run: () => cut(-1)},
    {keys: 'ArrowUp', label: t('lab.key.up'), run: () => walk('up')},
    {keys: 'ArrowDown', label: t('lab.key.down'), run: () => walk('down')},
    {keys: 'Shift+ArrowLeft', label: t('lab.key.left'), run: () => walk('left')},
    {keys: 'Shift+ArrowRight', label: t('lab.key.right'), run: () => walk('right')},
    {keys: ['1', '2', '3', '4'], label: t('lab.key.tree'), run: e => turnTo(Number(e.key) - 1)},
    {keys: ['+', '='], label: t('lab.key.in'), run: () => zoom(0.6)},
    {keys: '-', label: t('lab.key.out'), run: () => zoom(1 / 0.6)},
    {keys: '0', label: t('lab.key.whole'), run: () => zoom(0)},
    {keys: 'Escape', label: t('lab.stop'), run: stop},
  ];
  take(address);
  return {
    title: t('lab.title'),
    node: page,
    keys,
    update: url => {
      if (url.href !== address.href) take(url);
    },
    leave: () => {
      keep.cancel();
      tell.cancel();
      boardSoon.cancel();
      running?.abort();
      board.close();
    },
  };
}
