// Life and death on a board of Go: set a position up, paste one or come from a record, choose the method, and ask why.
// What is shown is in the address: a board as g and m or a moment of a record as id and node, the method, the string
// that is asked about and the step.
// i18n: judge.example.*, judge.count.*
import '../common';
import type {Game, Geometry, JudgedStep, JudgedString, Judgement} from '../api';
import type {Context, Opener, Page} from '../app';
import {Board} from '../board';
import {latest} from '../client';
import {type BoardState, area, describePoint, pointName} from '../core';
import {type Child, debounce, dots, fill, fmt, h} from '../dom';
import {icon} from '../icons';
import {
  drawn,
  leftText,
  methodText,
  namedBy,
  proves,
  replayed,
  ruleText,
  scoreLine,
  scoreText,
  statusText,
  stringAt,
  stringText,
  worthLine,
} from '../judge/draw';
import {graphPicture} from '../judge/graph';
import {momentOf} from '../judge/overlay';
import {type Key, standard} from '../keys';
import {toolGame} from '../kinds';
import {labButton} from '../lab/link';
import {refill} from '../records/row';
import {withQuery} from '../router';
import {frame} from '../scene';
import {rowsText} from '../search/model';
import {button, dataTable, field, iconButton, linkButton, segmented, select, toggle, trouble} from '../ui';

export const open: Opener = async (ctx, url) => judging(ctx, toolGame(await ctx.games(), 'judge'), url);

type Tool = 0 | 1 | 2; // what a click puts: nothing, black, white

const sizes = [9, 13, 19] as const;

// Boards to begin with: those who come without one see at once what this is.
const examples = {
  dead: '2XO5/2XO1O3/1OXXOO1O1/3XXO3/1X1XOO1X1/3XO2XX/1O1XXO3/3XXO1O1/4XO3 black',
  seki: 'XO1XXX1OX/XOOOOOOOX/XXXXXXXXX/9/XXXXXXXXX/OOOOOOOOO/9/4X4/9 black',
} as const;

function judging(ctx: Context, go: Game, address: URL): Page {
  const {t, lang, prefs} = ctx,
    f = fmt(lang),
    name = namedBy(ctx, go.sides);
  let judged: Judgement | null = null,
    failed: unknown = null,
    key = '';
  let geometry: Geometry = go.geometry,
    draft: number[] | null = null; // a board that is being drawn, before it is judged
  let tool: Tool = 1,
    erasing = false,
    pointed: readonly number[] = []; // at in the graph
  const past: string[] = [];

  const q = (name: string): string => address.searchParams.get(name) ?? '';
  const bare = () => !q('id') && !q('m'); // an empty board is there to be set up
  const editing = () => q('edit') === '1' || (bare() && q('edit') !== '0');
  const ask = latest(ctx.signal, (signal, query: Record<string, unknown>) =>
    q('id')
      ? ctx.call(
          'GET /records/{id}/judge',
          {path: {id: Number(q('id')) || 0}, query: {...(q('node') && momentOf(Number(q('node')) || 0)), ...query}},
          signal,
        )
      : ctx.call('GET /judge', {query: {game: q('g') || go.spec, line: q('m'), ...query}}, signal),
  );

  const board = new Board(state(), {
    t,
    lang,
    announce: x => ctx.announce(x),
    keys: 'none',
    wheel: false,
    twoTap: 'off',
    animate: false,
    say,
    ghost: p => (editing() && tool && !pieces()[p] ? tool : 0),
    onPoint: (p, c) => {
      if (c.button === 0) pick(p);
    },
    onPaint: (p, c) => {
      // A stroke that begins on what it would put there takes it away: a second click is the way back.
      if (c.first) erasing = c.button === 2 || pieces()[p] === tool;
      put(p, erasing ? 0 : tool);
    },
    onKey: (e, at) => {
      const to = ['1', '2', '3'].indexOf(e.key);
      if (!editing() || (to < 0 && e.key !== 'Delete' && e.key !== 'Backspace')) return false;
      put(at, ([1, 2, 0] as const)[to] ?? 0);
      ctx.announce(say(at));
      return true;
    },
  });
  const bar = h('div.row.judge-bar'),
    palette = h('div.row.judge-palette'),
    verdict = h('section.card', {'aria-label': t('judge.verdict')}),
    reasons = h('section.card.judge-why', {'aria-label': t('judge.why'), hidden: true});
  const groups = h('section.card.flush.judge-groups'),
    rest = h('section.card.flush', {'aria-label': t('judge.left'), hidden: true});
  const box = h('textarea.code', {
    rows: 4,
    spellcheck: 'false',
    autocapitalize: 'off',
    placeholder: t('judge.pasteExample'),
  });
  const setup = h(
    'details.card',
    {open: editing()},
    h('summary', t('judge.setup')),
    h(
      'div.stack',
      h(
        'form.stack',
        {
          onsubmit: (e: Event) => {
            e.preventDefault();
            void read(box.value);
          },
        },
        field(t('judge.paste'), box, t('judge.pasteHint')),
        h('div.row', h('button.btn.primary', {type: 'submit'}, icon('board'), h('span', t('judge.read')))),
      ),
      h(
        'p.row',
        h('span.muted', t('judge.empty')),
        sizes.map(n =>
          h(
            'a.btn.small',
            {href: link({g: n === go.geometry.size.w ? go.spec : `${go.spec}:${n}x${n}`, edit: 1})},
            `${n}×${n}`,
          ),
        ),
      ),
      h(
        'p.row',
        h('span.muted', t('judge.examples')),
        (Object.keys(examples) as (keyof typeof examples)[]).map(x =>
          h('a.btn.small', {href: link({g: `${go.spec}:9x9`, m: examples[x]})}, t(`judge.example.${x}`)),
        ),
      ),
    ),
  );
  const root = h(
    'div.work.judge',
    h('h1.hidden', t('judge.title')),
    h('div.stage', board.node, h('div.full.judge-tools', bar, palette)),
    h('div.side', reasons, verdict, rest, groups, setup),
  );
  prefs.on(show, ctx.signal);
  take(address);

  // The address.

  function link(to: Record<string, string | number>): string {
    return withQuery(new URL('/judge', location.href), {...(q('method') && {method: q('method')}), ...to});
  }
  function view(change: Record<string, string | number | null>, how: 'push' | 'replace' = 'replace'): void {
    ctx.go(withQuery(address, change), how);
  }

  function take(url: URL): void {
    address = url;
    pointed = [];
    const query = {
        method: q('method'),
        why: q('why'),
        influence: q('influence') === '1',
        endgame: q('left') === '1',
        geometry: true,
      },
      asked = JSON.stringify([q('id'), q('node'), q('g'), q('m'), query]);
    if (asked !== key) {
      key = asked;
      void get(query);
    }
    show();
  }

  async function get(query: Record<string, unknown>): Promise<void> {
    const mine = key,
      asked = draft;
    root.setAttribute('aria-busy', 'true');
    try {
      const j = await ask(query);
      if (!j || mine !== key) return;
      const fresh = j.text !== judged?.text || j.method !== judged.method;
      judged = j;
      failed = null;
      if (draft === asked) draft = null; // stones that were put down since then are still to be asked about
      geometry = j.geometry ?? geometry;
      show();
      const about = chosen();
      if (about) ctx.announce(reasonText());
      else if (fresh) ctx.announce(`${scoreText(ctx, name, j)} ${counts(j)}`);
    } catch (err) {
      if (ctx.signal.aborted || mine !== key) return;
      failed = err;
      show();
    }
    root.removeAttribute('aria-busy');
  }

  function edits(on: boolean): void {
    view({edit: on === bare() ? null : on ? 1 : 0});
  }

  // The board.

  function pieces(): readonly number[] {
    return draft ?? judged?.pieces ?? new Array<number>(area(geometry.size)).fill(0);
  }

  function chosen(): JudgedString | undefined {
    const at = q('why');
    return at && !draft && judged
      ? judged.strings.find(s => s.points.some(p => pointName(geometry, p) === at))
      : undefined;
  }
  function steps(): readonly JudgedStep[] {
    return chosen() ? judged!.steps : [];
  }
  function stepNow(): number {
    return Math.max(0, Math.min(steps().length - 1, q('step') ? Number(q('step')) - 1 || 0 : steps().length - 1));
  }

  function state(): BoardState {
    const v = prefs.view(address),
      base: BoardState = {
        geometry,
        glyphs: go.glyphs,
        pieces: pieces(),
        coordinates: v.coordinates,
        flip: q('flip') === '1',
        set: v.pieces,
      };
    if (!judged || draft || failed) return base;
    const about = chosen();
    if (about && steps().length)
      return {...base, ...replayed(ctx, name, judged, steps().slice(0, stepNow() + 1), about, pointed)};
    // What moves are worth stands where they are played.
    const left =
      q('left') === '1' && judged.endgame
        ? {
            labels: new Map(
              [...judged.endgame.moves].sort((a, b) => a.value - b.value).map(m => [m.point, f.number(m.value)]),
            ),
          }
        : {};
    return {
      ...base,
      ...left,
      ...drawn(ctx, name, judged, {groups: q('groups') === '1', influence: q('influence') === '1'}),
    };
  }

  function say(p: number): string {
    const s = judged && !draft ? stringAt(judged, p) : undefined,
      owner = judged?.owner[p] ?? 0;
    return dots(
      describePoint(board.state, p, t, lang),
      s
        ? stringText(ctx, name, s)
        : !draft && owner > 0 && (owner === 3 ? t('judge.neutral') : t('judge.territoryOf', {side: name(owner - 1)})),
    );
  }

  function pick(p: number): void {
    const s = judged && stringAt(judged, p);
    view({why: s ? pointName(geometry, s.points[0]!) : null, step: null});
  }

  function put(p: number, piece: number): void {
    if (pieces()[p] === piece) return;
    if (!draft && judged) past.push(`${judged.game}\n${judged.text}`);
    draft = [...pieces()];
    draft[p] = piece;
    show();
    later();
  }

  const later = debounce(() => {
    if (!draft) return;
    const side = judged?.text.split(' ')[1] ?? 'b',
      taken = /prisoners=\d+,\d+/.exec(judged?.text ?? '')?.[0];
    view({
      id: null,
      node: null,
      g: judged?.game ?? (q('g') || go.spec),
      m: `${rowsText(geometry, draft)} ${side}${taken ? ` ${taken}` : ''}`,
      why: null,
      step: null,
      edit: 1,
    });
  }, 250);

  function undo(): void {
    const [g, m] = past.pop()?.split('\n') ?? [];
    if (!g || !m) return;
    later.cancel();
    draft = null;
    view({id: null, node: null, g, m, why: null, step: null});
  }

  async function read(text: string): Promise<void> {
    if (!text.trim()) return box.focus();
    try {
      const r = await ctx.call('POST /read', {body: {text: text.slice(0, 1 << 20)}});
      if (!r.preview || r.preview.game.split(':')[0] !== go.family) return ctx.toast(t('judge.pastedNothing'), 'error');
      view({id: null, node: null, g: r.preview.game, m: r.preview.text, why: null, step: null, edit: null}, 'push');
      setup.open = false;
    } catch (err) {
      ctx.fail(err);
    }
  }

  // The reasons.

  function walk(to: number): void {
    const n = steps().length;
    if (!n) return;
    to = Math.max(0, Math.min(n - 1, to));
    view({step: to === n - 1 ? null : to + 1});
    ctx.announce(reasonText());
  }

  function reasonText(): string {
    const list = steps(),
      i = stepNow(),
      s = list[i],
      about = chosen();
    return !about
      ? ''
      : s
        ? `${t('judge.step', {i: i + 1, n: list.length})}: ${ruleText(ctx, s)}. ${detail(s)}`
        : `${stringText(ctx, name, about)}. ${t('judge.noReasons')}`;
  }

  // detail names what a step is about.
  function detail(s: JudgedStep): string {
    const strings = s.strings.map(i => judged!.strings[i]?.name ?? '').filter(Boolean);
    return dots(
      strings.length > 0 && `${name(s.side)} ${strings.slice(0, 8).join(' ')}${strings.length > 8 ? ' …' : ''}`,
      s.points.length > 0 && s.points.length <= 12 && s.points.map(p => pointName(geometry, p)).join(' '),
      s.status !== 'unknown' && t(`judge.status.${s.status}`),
    );
  }

  function showReasons(): void {
    const about = chosen(),
      list = steps(),
      i = stepNow(),
      s = list[i];
    reasons.hidden = !about;
    root.classList.toggle('reasoned', !!s?.graph);
    if (!about) return;
    const before = list.slice(0, i).findLast(x => x.graph)?.graph;
    refill(
      reasons,
      h(
        'div.row.between',
        h('h2', t('judge.why')),
        iconButton(t('ui.close'), 'close', () => view({why: null, step: null})),
      ),
      h('p', stringText(ctx, name, about)),
      s
        ? [
            h(
              'div.row.between.judge-steps',
              h(
                'span.btns',
                button(t('keys.do.start'), () => walk(0), {icon: 'first', bare: true, props: {disabled: !i}}),
                button(t('keys.do.back'), () => walk(i - 1), {icon: 'previous', bare: true, props: {disabled: !i}}),
                button(t('keys.do.forward'), () => walk(i + 1), {
                  icon: 'next',
                  bare: true,
                  props: {disabled: i === list.length - 1},
                }),
                button(t('keys.do.end'), () => walk(list.length - 1), {
                  icon: 'last',
                  bare: true,
                  props: {disabled: i === list.length - 1},
                }),
              ),
              h('span.muted', t('judge.step', {i: i + 1, n: list.length})),
            ),
            h('p.judge-rule', h('b.tag', s.rule.toUpperCase()), ' ', ruleText(ctx, s)),
            detail(s) && h('p.muted.small', detail(s)),
            s.graph &&
              graphPicture(t, geometry.size, s.graph, before, points => {
                pointed = points;
                board.set(state());
              }),
            judged!.cut && h('p.muted.small', t('judge.cut')),
          ]
        : h('p.muted', t('judge.noReasons')),
    );
  }

  // Showing.

  function counts(j: Judgement): string {
    const n = (test: (s: JudgedString) => boolean) => j.strings.filter(test).length,
      part = (key: 'alive' | 'dead' | 'seki' | 'unknown' | 'unclear', k: number) =>
        k > 0 && t(`judge.count.${key}`, {n: k});
    return dots(
      part(
        'alive',
        n(s => s.status === 'alive'),
      ),
      part(
        'dead',
        n(s => s.status === 'dead'),
      ),
      part(
        'seki',
        n(s => s.status === 'seki'),
      ),
      part(
        'unknown',
        n(s => s.status === 'unknown'),
      ),
      part(
        'unclear',
        n(s => s.unclear),
      ),
    );
  }

  function showVerdict(j: Judgement): Child {
    const {score} = j,
      area = score.scoring === 'area',
      dl = (label: string, a: number, b: number) =>
        h(
          'tr',
          h('th', {scope: 'row'}, label),
          [a, b].map(x => h('td.num', f.number(x))),
        );
    return [
      h(
        'div.row.between',
        scoreLine(ctx, name, j),
        q('id') &&
          linkButton(
            t('judge.record'),
            `/records/${q('id')}${Number(q('node')) ? `#n${q('node')}` : ''}`,
            'records',
            'quiet small',
          ),
      ),
      worthLine(ctx, j),
      h(
        'p.muted.small',
        j.strings.length ? counts(j) : t('judge.noStones'),
        ' · ',
        `${f.number(Math.round(j.elapsed * 100) / 100)} ms`,
      ),
      !proves(j) &&
        h(
          'table.data.judge-score',
          h('caption.hidden', t('judge.score')),
          h(
            'thead',
            h(
              'tr',
              h('td', t(area ? 'judge.area' : 'judge.territory')),
              [0, 1].map(i => h('th.num', {scope: 'col'}, name(i))),
            ),
          ),
          h(
            'tbody',
            area && dl(t('judge.stones'), score.stones[0]!, score.stones[1]!),
            dl(t('judge.points'), score.territory[0]!, score.territory[1]!),
            !area && dl(t('judge.prisoners'), score.prisoners[0]!, score.prisoners[1]!),
            score.komi !== 0 && dl(t('judge.komi'), 0, score.komi),
            score.handicap !== 0 && dl(t('judge.handicap'), 0, score.handicap),
            dl(t('judge.total'), score.total[0]!, score.total[1]!),
          ),
        ),
    ];
  }

  function showLeft({endgame: e, score}: Judgement): Child {
    if (!e) return false;
    const dame =
      e.dame.length > 0 &&
      t('judge.dame', {
        n: e.dame.length,
        points:
          e.dame
            .slice(0, 12)
            .map(p => pointName(geometry, p))
            .join(' ') + (e.dame.length > 12 ? ' …' : ''),
      });
    return [
      (e.over || e.open.length > 0 || dame) &&
        h(
          'p.judge-rest',
          e.over ? t('judge.nothingLeft') : e.open.length > 0 && t('judge.openLeft'),
          ' ',
          dame,
          score.scoring === 'area' && dame && ` (${t('judge.dameArea')})`,
        ),
      e.moves.length > 0 &&
        h(
          'div.scroll-x',
          dataTable(
            t('judge.left'),
            [t('judge.move'), t('judge.value'), t('judge.leftWhat')],
            h(
              'tbody',
              e.moves.map(m =>
                h(
                  'tr',
                  h(
                    'td',
                    h('i.side-mark', {'data-side': go.sides[m.side]?.name, role: 'img', 'aria-label': name(m.side)}),
                    ' ',
                    m.name,
                  ),
                  h('td.num', f.number(m.value)),
                  h('td', leftText(ctx, m)),
                ),
              ),
            ),
          ),
        ),
    ];
  }

  function showGroups(j: Judgement): Child {
    const list = j.groups
      .map((g, i) => ({g, i}))
      .filter(x => x.g.strings.length)
      .sort((a, b) => b.g.stones - a.g.stones);
    return (
      list.length > 0 &&
      h(
        'div.scroll-x',
        dataTable(
          t('judge.groupsTitle'),
          [t('judge.groupNumber'), t('judge.stones'), t('judge.status'), t('judge.eyes'), t('judge.strings')],
          h(
            'tbody',
            list.map(({g, i}) =>
              h(
                'tr',
                {class: `life-${g.status}`},
                h(
                  'td',
                  h('i.side-mark', {'data-side': go.sides[g.side]?.name, role: 'img', 'aria-label': name(g.side)}),
                  ' ',
                  String(i + 1),
                ),
                h('td.num', f.number(g.stones)),
                h('td', statusText(ctx, g)),
                h('td.num', g.eyes ? f.number(g.eyes) : ''),
                h(
                  'td.judge-strings',
                  g.strings
                    .slice(0, 6)
                    .map(k => j.strings[k])
                    .map(
                      s =>
                        s &&
                        h(
                          'button.link',
                          {
                            'aria-pressed': s === chosen(),
                            'aria-label': t('judge.whyString', {point: s.name}),
                            onclick: () => pick(s.points[0]!),
                          },
                          s.name,
                        ),
                    ),
                  g.strings.length > 6 && '…',
                ),
              ),
            ),
          ),
        ),
      )
    );
  }

  function show(): void {
    const j = judged,
      edit = editing(),
      s = state();
    if (board.node.dataset['mode'] !== (edit ? 'paint' : 'point'))
      board.configure({mode: edit ? 'paint' : 'point', keys: edit ? 'cursor' : 'none'});
    const size = frame(s);
    root.style.setProperty('--aspect', String(size.w / size.h));
    board.set(s);
    refill(
      bar,
      j &&
        select(
          t('judge.method'),
          j.methods.map(m => ({value: m.name, label: methodText(ctx, m)})),
          q('method') || j.method,
          v => view({method: v, step: null}),
        ),
      toggle(t('judge.groups'), q('groups') === '1', on => view({groups: on ? 1 : null})),
      toggle(t('judge.influence'), q('influence') === '1', on => view({influence: on ? 1 : null})),
      toggle(t('judge.left'), q('left') === '1', on => view({left: on ? 1 : null})),
      toggle(t('judge.edit'), edit, on => edits(on)),
      j && !draft && labButton(t, go, j.text, j.game),
    );
    palette.hidden = !edit;
    if (edit && palette.dataset['tool'] !== `${tool} ${past.length > 0}`) {
      palette.dataset['tool'] = `${tool} ${past.length > 0}`;
      const seg = segmented(
        t('judge.tool'),
        ([1, 2, 0] as const).map(x => ({value: String(x), label: x ? name(x - 1) : t('judge.erase')})),
        String(tool),
        v => {
          tool = Number(v) as Tool;
          show();
        },
      );
      refill(
        palette,
        seg.node,
        button(t('search.undo'), undo, {icon: 'undo', kind: 'quiet', bare: true, props: {disabled: !past.length}}),
      );
    }
    if (failed)
      fill(
        verdict,
        trouble(t, failed, () => {
          key = '';
          take(address);
        }),
      );
    else if (j) refill(verdict, showVerdict(j));
    showReasons();
    rest.hidden = !j?.endgame || !!failed || q('left') !== '1';
    if (j && !rest.hidden) refill(rest, showLeft(j));
    groups.hidden = !j || !!failed || !j.strings.length;
    if (j && !failed) refill(groups, showGroups(j));
  }

  const keys: Key[] = [
    standard(t, 'back', () => walk(stepNow() - 1)),
    standard(t, 'forward', () => walk(stepNow() + 1)),
    standard(t, 'start', () => walk(0)),
    standard(t, 'end', () => walk(Infinity)),
    {keys: 'Escape', label: t('judge.key.close'), run: () => view({why: null, step: null})},
    {keys: 'n', label: t('judge.groups'), run: () => view({groups: q('groups') === '1' ? null : 1})},
    {keys: 'i', label: t('judge.influence'), run: () => view({influence: q('influence') === '1' ? null : 1})},
    {keys: 'e', label: t('judge.edit'), run: () => edits(!editing())},
    standard(t, 'flip', () => view({flip: q('flip') === '1' ? null : 1})),
    standard(t, 'undo', undo),
    standard(t, 'cursor', () => {
      board.focus();
      board.node.dispatchEvent(new KeyboardEvent('keydown', {key: 'b'}));
    }),
  ];
  return {
    title: t('judge.title'),
    node: root,
    keys,
    update: url => {
      if (url.href !== address.href) take(url);
    },
    leave: () => {
      later.cancel();
      board.close();
    },
    drop: (_, text) => {
      if (text) void read(text);
      return !!text;
    },
  };
}
