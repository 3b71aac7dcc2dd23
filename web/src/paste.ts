// The one box that takes anything: records, a position, moves or a query. It tells what it took them for, and what can
// be done with it.
// i18n: home.took.*
import type {Game, Read} from './api';
import type {Context} from './app';
import {latest} from './client';
import {type Child, debounce, dots, fill, h} from './dom';
import {gameName} from './i18n';
import {mini} from './minis';
import {quoted} from './search/model';
import {searchLink} from './router';
import {button, explain, field} from './ui';

export interface Paste {
  node: HTMLElement;
  set(text: string): void;
  readonly text: string;
}

export function paste(ctx: Context, take: (text: string) => Promise<unknown>): Paste {
  const {t} = ctx;
  const out = h('div.took', {role: 'status'});
  const read = latest(ctx.signal, (signal, text: string) =>
    Promise.all([ctx.call('POST /read', {body: {text}}, signal), ctx.games()]),
  );
  const look = async () => {
    const text = box.value.trim();
    if (!text) return void fill(out);
    try {
      const got = await read(text);
      if (got) fill(out, shown(ctx, got[0], got[1], text, take));
    } catch (err) {
      const e = explain(t, err);
      fill(out, h('p.muted', h('strong', e.title), ' ', e.text));
    }
  };
  const soon = debounce(() => void look(), 180);
  const box = h('textarea.code', {rows: 4, spellcheck: 'false', placeholder: t('home.pasteExample'), oninput: soon});
  return {
    node: h('div.stack.paste', field(t('home.paste'), box, t('home.pasteHint')), out),
    set(text) {
      box.value = text;
      soon.cancel();
      void look();
    },
    get text() {
      return box.value.trim();
    },
  };
}

function shown(
  ctx: Context,
  r: Read,
  games: readonly Game[],
  text: string,
  take: (text: string) => Promise<unknown>,
): Child {
  const {t, lang} = ctx,
    spec = r.preview?.game ?? r.games[0] ?? '',
    game = games.find(g => g.spec === spec);
  const name = gameName(games, spec, lang),
    p = r.first;
  const sentence = t(`home.took.${r.what}`, {
    n: r.what === 'moves' ? (r.preview?.ply ?? 0) : r.records,
    format: r.format.length < 5 ? r.format.toUpperCase() : r.format,
    game: name,
  });
  const facts = p && dots(p.players.map(x => x.name || '?').join(' – '), p.date, p.event, p.result);
  const link = (label: string, path: string, query: Record<string, string>, kind = '') =>
    h('a', {class: 'btn ' + kind, href: path + '?' + new URLSearchParams(query)}, label);
  const actions: Node[] = [];
  if (r.what === 'records') {
    const b = button(
      t('home.importIt'),
      () => {
        b.disabled = true;
        take(text)
          .catch((err: unknown) => ctx.fail(err))
          .finally(() => {
            b.disabled = false;
          });
      },
      {kind: 'primary', icon: 'import'},
    );
    actions.push(b);
  }
  if (r.what === 'query' || r.what === 'words')
    actions.push(link(t('home.runQuery'), '/search', {...(spec && {g: spec}), q: r.query || text}, 'primary'));
  if (r.preview && spec) {
    const main = actions.length ? '' : 'primary';
    actions.push(
      link(t('home.searchPosition'), '/search', {g: spec, q: `position:${quoted(r.preview.text)}`}, main),
      link(t('home.explorePosition'), '/explore', {g: spec, m: r.preview.line || r.line}),
    );
    if (games.some(g => g.family === spec.split(':')[0] && g.tools.includes('judge')))
      actions.push(link(t('judge.here'), '/judge', {g: spec, m: r.preview.text}));
  }
  const worst = r.faults.find(f => f.severity === 'rejected') ?? r.faults[0];
  return [
    game &&
      r.preview &&
      h(
        'div.took-board',
        mini(
          {
            geometry: game.geometry,
            glyphs: game.glyphs,
            pieces: r.preview.pieces,
            texts: r.preview.texts,
            set: ctx.prefs.get('pieces'),
          },
          t,
        ),
      ),
    h(
      'div.stack',
      h('p', h('strong', sentence), facts && [h('br'), facts]),
      r.problem && h('p.muted.small', r.problem),
      worst && h('p.muted.small', t('home.faults', {n: r.faults.length}), ' ', worst.reason),
      h('div.row', actions),
      !r.sure &&
        r.line &&
        r.games.length > 1 &&
        h(
          'p.row',
          h('span.muted', t('home.orGame')),
          r.games
            .slice(1, 6)
            .map(g => h('a', {href: searchLink(`position:${quoted(r.line)}`, g)}, gameName(games, g, lang))),
        ),
    ),
  ];
}
