// What the games tell: sentences first, each with a board and the games behind it, and a map of what is alike. A report
// is made while the page looks on, with its progress; it can be stopped, and says what it left out.
import '../common';
import type {Finding, Game, Insights, Problem as Refusal} from '../api';
import type {Context, Opener} from '../app';
import {Problem, aborted} from '../client';
import {fill, fmt, h} from '../dom';
import {kindName} from '../i18n';
import {type Acts, card} from '../insights/finding';
import {mapPanel} from '../insights/map';
import {type Want, moments, momentOf, queryOf, read} from '../insights/model';
import {gameOf} from '../kinds';
import {withQuery} from '../router';
import {button, dialog, empty, field, linkButton, progress, segmented, select, tabs, trouble} from '../ui';

// i18n: insights.kind.*

// Mining is an event of a report that is being made: so many games are read.
interface Mining {
  done: number;
  total: number;
}

const kinds = ['rule', 'sequence', 'together', 'next'] as const;
const limit = 20; // findings of a kind

export const open: Opener = async (ctx, url) => {
  const {t, lang} = ctx,
    games = (await ctx.games()).filter(g => g.usual);
  let game = gameOf(games, (url.searchParams.get('g') ?? '').split(':')[0]!),
    want = read(url, game),
    asking: AbortController | null = null,
    asked = '';
  const to = (change: Record<string, string | null>) => ctx.go(withQuery(new URL(location.href), change), 'replace');
  const body = h('div.stack'),
    map = mapPanel(ctx);
  const input = (name: 'player' | 'from' | 'to' | 'rating' | 'q', props: Record<string, string> = {}) =>
    h('input', {
      type: 'text',
      name,
      value: want[name],
      autocomplete: 'off',
      spellcheck: 'false',
      ...props,
    });
  const year = {inputmode: 'numeric', maxlength: '4', size: '4', pattern: '[0-9]*'};
  const player = input('player'),
    from = input('from', year),
    until = input('to', year),
    rating = input('rating', year),
    more = input('q', {class: 'code'});
  const moment = select(
    t('insights.at'),
    moments.map(value => ({
      value,
      label: value === 'end' ? t('insights.when.end') : t('insights.when.by', {n: Number(value)}),
    })),
    want.at,
    at => to({at}),
  );
  const form = h(
    'form.card.insights-form',
    {
      onsubmit: (e: Event) => {
        e.preventDefault();
        to({
          player: player.value.trim(),
          from: from.value,
          to: until.value,
          rating: rating.value,
          q: more.value.trim(),
        });
        run(true);
      },
    },
    field(t('insights.player'), player),
    h(
      'div.row.insights-years',
      field(t('insights.from'), from),
      field(t('insights.to'), until),
      field(t('insights.rating'), rating),
    ),
    field(t('insights.at'), moment),
    field(t('insights.query'), more, t('insights.queryHint')),
    h('div.row', h('button.btn.primary', {type: 'submit'}, t('insights.go'))),
  );
  const choice = segmented(
    t('explore.game'),
    games.map(g => ({value: g.spec, label: kindName(g, lang)})),
    game.spec,
    g => to({g, at: null}),
  );

  // run makes the report of what the address says, unless it is there already.
  function run(again = false): void {
    const key = JSON.stringify([want.game, queryOf(want), momentOf(want)]);
    if (key === asked && !again) return;
    asked = key;
    asking?.abort();
    const mine = (asking = new AbortController()),
      bar = progress(t('insights.mining'));
    ctx.signal.addEventListener('abort', () => mine.abort());
    body.ariaBusy = 'true';
    fill(
      body,
      bar.node,
      h(
        'div.row',
        button(
          t('insights.stop'),
          () => {
            mine.abort();
            body.ariaBusy = null;
            fill(
              body,
              empty(
                'close',
                t('insights.stopped'),
                t('insights.stoppedText'),
                button(t('insights.go'), () => run(true)),
              ),
            );
          },
          {icon: 'close'},
        ),
      ),
    );
    const g = game;
    let done = false;
    ctx.api
      .events(
        '/insights/watch',
        {game: want.game, query: queryOf(want), at: momentOf(want), limit},
        {
          mining(x: Mining) {
            bar.set(
              x.total ? x.done / x.total : null,
              x.total ? t('insights.progress', {done: x.done, total: x.total}) : '',
            );
          },
          insights(r: Insights) {
            done = true;
            mine.abort(); // nothing comes behind it
            show(g, r);
          },
          problem(r: Refusal) {
            throw new Problem(r.status ?? 500, r.code ?? '', r.title ?? '', r.detail, r.hint);
          },
        },
        mine.signal,
      )
      .catch((err: unknown) => {
        if (done || aborted(err)) return;
        body.ariaBusy = null;
        fill(
          body,
          trouble(t, err, () => run(true)),
        );
      });
  }

  function show(g: Game, r: Insights): void {
    const f = fmt(lang),
      acts = actsOf(ctx, g, r);
    ctx.announce(t('insights.found', {n: r.findings.length}));
    body.ariaBusy = null;
    fill(
      body,
      h(
        'p',
        {role: 'status'},
        t('insights.summary', {
          rows: f.number(r.rows),
          tests: f.number(r.tests),
          passed: f.number(r.passed),
          rate: r.rate,
        }),
      ),
      r.halves.findings > 1 &&
        h('p.muted', t('insights.halves', {r: r.halves.correlation.toFixed(2), same: f.rate(r.halves.same)})),
      r.years.findings > 1 &&
        h(
          'p.muted',
          t('insights.years', {year: String(r.until), r: r.years.correlation.toFixed(2), same: f.rate(r.years.same)}),
        ),
      r.touched > 0 && h('p.muted', t('insights.touched', {share: f.rate(r.touched)})),
      kinds.map(kind => {
        const list = r.findings.filter(x => x.kind === kind);
        return (
          list.length > 0 &&
          h(
            'section.stack',
            h('h2', t(`insights.kind.${kind}`)),
            list.map(x => card(ctx, g, r, x, acts)),
          )
        );
      }),
      r.findings.length === 0 && empty('search', t('insights.none'), t('insights.noneText')),
      (r.more > 0 || r.left.length > 0) &&
        h(
          'section.card',
          h('h2', t('insights.left')),
          h(
            'ul.small.muted',
            r.more > 0 && h('li', t('insights.more', {n: r.more})),
            r.left.map(x => h('li', x)),
          ),
        ),
    );
  }

  const sheet = tabs(
    t('insights.title'),
    [
      {id: 'list', label: t('insights.findings'), panel: h('div.stack', form, body)},
      {id: 'map', label: t('insights.map'), panel: map.node},
    ],
    url.searchParams.get('tab') === 'map' ? 'map' : 'list',
    tab => to({tab: tab === 'map' ? tab : null}),
  );

  function update(u: URL): void {
    const next = gameOf(games, (u.searchParams.get('g') ?? '').split(':')[0]!);
    game = next;
    want = read(u, game);
    choice.set(game.spec);
    fillIn(want);
    const tab = u.searchParams.get('tab') === 'map' ? 'map' : 'list';
    sheet.select(tab);
    if (tab === 'map') map.show(game);
    else run();
  }
  function fillIn(w: Want): void {
    for (const [x, v] of [
      [player, w.player],
      [from, w.from],
      [until, w.to],
      [rating, w.rating],
      [more, w.q],
    ] as const)
      if (x !== document.activeElement) x.value = v;
    moment.value = w.at;
  }
  update(url);
  return {
    title: t('insights.title'),
    node: h(
      'div.page.wide.insights',
      h(
        'div.head',
        h('h1', t('insights.title')),
        h('div.row', linkButton(t('insights.queue'), '/insights/queue', 'check')),
      ),
      h('p.muted', t('insights.text')),
      choice.node,
      sheet.node,
    ),
    update,
  };
};

function actsOf(ctx: Context, game: Game, r: Insights): Acts {
  const {t} = ctx;
  return {
    async queue(f: Finding) {
      await ctx.call('POST /insights/queue', {body: {game: r.game, query: r.query, at: r.at, finding: f}});
      ctx.toast(t('insights.queued'), 'success', {label: t('insights.queue'), run: () => ctx.go('/insights/queue')});
    },
    save(f: Finding, text: string) {
      const name = h('input', {type: 'text', maxlength: 200, value: f.title});
      const d = dialog(t, {
        title: t('insights.save'),
        body: h('div.stack', h('p', text), field(t('insights.name'), name)),
        yes: t('insights.save'),
      });
      void d.done.then(async yes => {
        if (yes !== 'yes') return;
        try {
          await ctx.call('PUT /queries/{name}', {
            path: {name: name.value.trim() || f.title},
            body: {query: f.query, game: game.spec, note: f.sentence},
          });
          ctx.toast(t('insights.saved'), 'success');
        } catch (err) {
          ctx.fail(err);
        }
      });
    },
  };
}
