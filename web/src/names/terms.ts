// The words of a game in the texts of the library: those that are known, by how many games have them, those that nobody
// has defined, and a box that takes a title apart.
import type {Game, SplitTerms, Term, Terms} from '../api';
import type {Context} from '../app';
import {latest} from '../client';
import {type Child, debounce, dots, fill, fmt, h} from '../dom';
import {titled} from '../i18n';
import {searchLink} from '../router';
import {column, dataTable, empty, field, rowHead, trouble} from '../ui';
import {called, nameLink, sideMark} from './draw';
import {quoted} from '../search/model';

// i18n: names.term.*

export interface TermsView {
  node: HTMLElement;
  show(game: Game, q: string): void;
}

const most = 500; // more words no reader looks through

export function terms(ctx: Context): TermsView {
  const {t, lang} = ctx,
    f = fmt(lang);
  let now: {game: Game; q: string} | null = null;
  const known = new Map<string, Term>(),
    body = h('div.stack'),
    parts = h('div.name-split', {role: 'status'});
  const title = h('input', {
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: debounce(() => void split(), 120),
  });
  const ask = latest(ctx.signal, (signal, w: {game: Game; q: string}) =>
    ctx.call('GET /terms', {query: {game: w.game.spec, ...(w.q && {q: w.q}), limit: most}}, signal),
  );
  const askSplit = latest(ctx.signal, (signal, game: string, text: string) =>
    ctx.call('GET /terms/split', {query: {game, text}}, signal),
  );

  async function get(): Promise<void> {
    const w = now!;
    try {
      const got = await ask(w);
      if (!got || w !== now) return;
      if (!w.q) {
        for (const x of got.terms) known.set(x.id, x);
        // As in a title: two openings, of which the second answers the first.
        const [first, second] = got.terms.filter(x => x.kind === 'opening' && x.names['zh-Hant']);
        if (second) title.placeholder = `${first!.names['zh-Hant']}對${second.names['zh-Hant']}`;
      }
      fill(body, listed(w.game, got), unknown(w.game, got));
      ctx.announce(t('names.terms', {n: got.total}));
      if (title.value.trim()) void split();
    } catch (err) {
      if (!ctx.signal.aborted)
        fill(
          body,
          trouble(t, err, () => void get()),
        );
    }
  }

  async function split(): Promise<void> {
    const text = title.value.trim(),
      game = now!.game;
    if (!text) return void fill(parts);
    try {
      const got = await askSplit(game.spec, text);
      if (got) fill(parts, got.pieces.length ? pieces(game, got) : h('p.muted', t('names.noTitle')));
    } catch (err) {
      if (!ctx.signal.aborted) fill(parts, trouble(t, err));
    }
  }

  // hrefOf leads to the pattern of a term, or to the games that have the word.
  function hrefOf(game: Game, id: string, text: string): string {
    const x = known.get(id);
    return x?.name ? nameLink(game.family, x.name) : searchLink(x?.query || quoted(text), game.spec);
  }

  const pieces = (game: Game, s: SplitTerms): Child =>
    h(
      'ol.name-chips',
      {'aria-label': t('names.parts')},
      s.pieces.map(p => {
        const inside = [
          sideMark(ctx, game, p.side),
          h('span', p.text),
          p.term && h('small.muted', known.has(p.term) ? called(known.get(p.term)!.names, lang, p.term) : p.term),
        ];
        return h(
          'li',
          {class: 'chip', 'data-side': game.sides[p.side]?.name, 'data-term': p.term || null},
          p.term ? h('a.chip-text', {href: hrefOf(game, p.term, p.text)}, inside) : h('span.chip-text.muted', inside),
        );
      }),
    );

  const kindOf = (kind: string): string =>
    (['opening', 'tactic', 'place', 'move', 'piece'] as const).flatMap(k =>
      k === kind ? [t(`names.term.${k}`)] : [],
    )[0] ?? kind;

  const listed = (game: Game, {terms: list, total}: Terms): Child =>
    list.length
      ? h(
          'section.card',
          h('h2', t('names.terms', {n: total})),
          h(
            'div.scroll-x',
            dataTable(
              t('shapes.terms'),
              [t('shapes.term'), column(t('names.gamesColumn'), 'num'), t('names.pattern')],
              h(
                'tbody',
                list.map(x => {
                  const name = called(x.names, lang, x.id),
                    others = [...new Set([x.names['zh-Hant'], ...x.aliases])].filter(o => o && o !== name);
                  return h(
                    'tr',
                    {'data-id': x.id},
                    rowHead(
                      h('b', name),
                      ' ',
                      h('span.tag', kindOf(x.kind)),
                      others.length > 0 && h('small.muted', dots(...others.slice(0, 4))),
                      x.note && h('small.muted', x.note),
                    ),
                    h(
                      'td.num',
                      h(
                        'a',
                        {href: searchLink(x.query, game.spec), 'aria-label': t('names.searchThis', {name})},
                        f.number(x.games),
                      ),
                    ),
                    h(
                      'td',
                      x.name &&
                        h(
                          'a',
                          {href: nameLink(game.family, x.name), 'aria-label': `${t('names.pattern')}: ${name}`},
                          name,
                        ),
                    ),
                  );
                }),
              ),
            ),
          ),
        )
      : empty('text', t('names.noTerms'), t('names.noTermsText'));

  const unknown = (game: Game, {unknown: list}: Terms): Child =>
    list.length > 0 &&
    h(
      'section.card',
      h('h2', t('names.unknown')),
      h('p.muted.small', t('names.unknownText')),
      h(
        'div.scroll-x',
        dataTable(
          t('names.unknown'),
          [t('names.word'), column(t('names.times'), 'num'), column(t('names.gamesColumn'), 'num'), t('names.example')],
          h(
            'tbody',
            list.map(x =>
              h(
                'tr',
                rowHead(h('a', {href: searchLink(quoted(x.text), game.spec)}, x.text)),
                h('td.num', f.number(x.count)),
                h('td.num', f.number(x.games)),
                h('td.muted', x.example),
              ),
            ),
          ),
        ),
      ),
    );

  return {
    node: h(
      'div.stack.name-terms',
      h('section.card', field(t('names.split'), title, t('names.splitHint')), parts),
      body,
    ),
    show(game, q) {
      if (now?.game === game && now.q === q) return;
      if (now?.game !== game) {
        known.clear();
        title.placeholder = titled(game.titles, lang);
      }
      now = {game, q};
      void get();
    },
  };
}
