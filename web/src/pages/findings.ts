// The queue of findings: a sentence, a board and games each. Readers accept, reject with a reason, or are not sure;
// what two of them accept becomes a saved query, and may become a note, a pattern or a shape.
import '../common';
import type {FindingVerdict, FindingsQueue, Game, QueuedFinding} from '../api';
import type {Opener} from '../app';
import {type Child, fill, fmt, h} from '../dom';
import {games as sampleLinks, place, recordsLink} from '../insights/finding';
import {nameLink} from '../names/draw';
import {withQuery} from '../router';
import {button, dialog, empty, field, linkButton, segmented, select, sure} from '../ui';

// i18n: insights.state.*, insights.verdict.*, insights.as.*, insights.entered.*

const states = ['open', 'disputed', 'unsure', 'accepted', 'rejected'] as const;
const words = ['accept', 'unsure', 'reject'] as const;
const forms = ['query', 'note', 'pattern', 'shape'] as const;

export const open: Opener = async (ctx, url) => {
  const {t, lang} = ctx,
    f = fmt(lang),
    [games, first] = await Promise.all([ctx.games(), ctx.call('GET /insights/queue')]);
  let queue: FindingsQueue = first,
    state = states.find(s => s === url.searchParams.get('state')) ?? ('' as const);
  const body = h('div.stack'),
    counts = h('div.row'),
    agree = h('div');
  const reader = h('input', {
    type: 'text',
    value: localStorage.getItem('qipu.reader') ?? '',
    maxlength: 100,
    autocomplete: 'off',
    oninput: () => localStorage.setItem('qipu.reader', reader.value.trim()),
  });
  const gameOf = (x: QueuedFinding): Game | undefined => games.find(g => g.usual && g.family === x.game.split(' ')[0]);

  async function reload(): Promise<void> {
    queue = await ctx.call('GET /insights/queue');
    show();
  }

  async function judge(x: QueuedFinding, says: FindingVerdict['says']): Promise<void> {
    const who = reader.value.trim();
    if (!who) {
      ctx.toast(t('insights.whoFirst'), 'error');
      reader.focus();
      return;
    }
    let reason = '';
    if (says === 'reject') {
      const why = h('input', {type: 'text', maxlength: 1000, required: true});
      const yes = await dialog(t, {
        title: t('insights.verdict.reject'),
        body: h('div.stack', h('p', x.sentence), field(t('insights.reason'), why)),
        yes: t('insights.verdict.reject'),
      }).done;
      reason = why.value.trim();
      if (yes !== 'yes' || !reason) return;
    }
    await ctx.call('PUT /insights/queue/{id}/verdict', {path: {id: x.id}, body: {reader: who, says, reason}});
    await reload();
  }

  async function enter(x: QueuedFinding): Promise<void> {
    const name = h('input', {type: 'text', maxlength: 200, value: x.title}),
      block = h('textarea.code', {rows: 6, spellcheck: 'false'}),
      named = field(t('insights.name'), name),
      written = field(t('insights.block'), block, t('insights.blockHint'));
    let as: (typeof forms)[number] = 'query';
    const choose = (v: typeof as): void => {
      as = v;
      named.hidden = as === 'note' || as === 'shape';
      written.hidden = as === 'query' || as === 'note';
    };
    choose(as);
    const form = select(
      t('insights.as'),
      forms.filter(v => v === 'query' || x.names.length > 0).map(value => ({value, label: t(`insights.as.${value}`)})),
      as,
      choose,
    );
    const yes = await dialog(t, {
      title: t('insights.enter'),
      body: h('div.stack', h('p', x.sentence), field(t('insights.as'), form), named, written),
      yes: t('insights.enter'),
    }).done;
    if (yes !== 'yes') return;
    const text = written.hidden ? '' : block.value;
    await ctx.call('PUT /insights/queue/{id}/entry', {path: {id: x.id}, body: {name: name.value.trim(), as, text}});
    await reload();
  }

  function entry(x: QueuedFinding, game?: Game): Child {
    switch (x.as) {
      case 'query':
        return h('a', {href: recordsLink(x.query, game?.spec)}, x.entry);
      case 'shape':
        return h('a', {href: '/shapes/' + encodeURIComponent(x.entry)}, x.entry);
    }
    return (x.as === 'pattern' ? [x.entry] : x.names).map((id, i) => [
      i > 0 && ', ',
      game ? h('a', {href: nameLink(game.family, id)}, id) : id,
    ]);
  }

  async function drop(x: QueuedFinding): Promise<void> {
    if (!(await sure(t, t('insights.drop'), x.sentence, t('insights.drop')))) return;
    await ctx.call('DELETE /insights/queue/{id}', {path: {id: x.id}});
    await reload();
  }

  const act = (run: () => Promise<void>) => () => void run().catch((err: unknown) => ctx.fail(err));

  function card(x: QueuedFinding): HTMLElement {
    const game = gameOf(x);
    return h(
      'article.card.finding',
      x.samples[0] && place(ctx, game, x.samples[0]),
      h(
        'div.stack',
        h(
          'p',
          h('span.tag', t(`insights.state.${x.state as (typeof states)[number]}`)),
          ' ',
          h('span.finding-says', {lang: 'en'}, x.sentence, '.'),
        ),
        h('p.muted.small', f.date(x.found), ' · ', x.at, ' · ', sampleLinks(ctx, x.samples)),
        x.verdicts.length > 0 &&
          h(
            'ul.small',
            x.verdicts.map(v =>
              h('li', h('b', v.reader), `: ${t(`insights.verdict.${v.says}`)}`, v.reason && ` – ${v.reason}`),
            ),
          ),
        x.entry && h('p.small', t(`insights.entered.${x.as}`), ' ', entry(x, game)),
        h(
          'div.row',
          words.map(w =>
            button(
              t(`insights.verdict.${w}`),
              act(() => judge(x, w)),
              {props: {class: 'btn small'}},
            ),
          ),
          x.state === 'accepted' &&
            !x.entry &&
            button(
              t('insights.enter'),
              act(() => enter(x)),
              {icon: 'names', props: {class: 'btn small quiet'}},
            ),
          linkButton(t('insights.showGames'), recordsLink(x.query, game?.spec), 'records', 'small'),
          button(
            t('insights.drop'),
            act(() => drop(x)),
            {icon: 'close', props: {class: 'btn small quiet'}},
          ),
        ),
      ),
    );
  }

  function show(): void {
    const label = (s: (typeof states)[number]): string =>
      `${t(`insights.state.${s}`)} ${f.number(queue.states.find(x => x.state === s)?.findings ?? 0)}`;
    fill(
      counts,
      segmented(
        t('insights.states'),
        [{value: '', label: t('insights.allStates')}, ...states.map(value => ({value, label: label(value)}))],
        state as string,
        v => ctx.go(withQuery(new URL(location.href), {state: v}), 'replace'),
      ).node,
    );
    fill(
      agree,
      queue.agreements.map(a =>
        h(
          'p',
          t('insights.agree', {
            a: a.readers[0]!,
            b: a.readers[1]!,
            n: a.findings,
            same: f.rate(a.same),
            chance: f.rate(a.chance),
            kappa: a.kappa.toFixed(2),
          }),
        ),
      ),
    );
    const list = queue.findings.filter(x => !state || x.state === state);
    fill(
      body,
      list.map((x): Child => card(x)),
      list.length === 0 &&
        empty(
          'check',
          t('insights.queueEmpty'),
          t('insights.queueEmptyText'),
          linkButton(t('insights.title'), '/insights', 'chart'),
        ),
    );
  }
  show();
  return {
    title: t('insights.queue'),
    node: h(
      'div.page.wide.insights',
      h('div.head', h('h1', t('insights.queue')), h('div.row', linkButton(t('insights.title'), '/insights', 'chart'))),
      h('p.muted', t('insights.queueText')),
      h('div.row', field(t('insights.reader'), reader)),
      agree,
      counts,
      body,
    ),
    update(u) {
      state = states.find(s => s === u.searchParams.get('state')) ?? '';
      show();
    },
  };
};
