// The command palette: one field that goes to any page, does what any key of the page does, and finds players, names
// and records.
// i18n: command.kind.*
import '../common';
import type {Game} from '../api';
import type {Client} from '../client';
import {debounce, fill, h, id, on} from '../dom';
import type {Lang, Translate} from '../i18n';
import {type Key, keyText, names} from '../keys';
import {called} from '../names/draw';
import {dialog} from '../ui';
import {type Entry, ranked} from './model';

export interface Shell {
  t: Translate;
  lang: Lang;
  api: Client;
  games(): Promise<readonly Game[]>;
  keys(): readonly Key[];
  pages(): readonly {label: string; href: string}[];
  go(href: string): void;
}

export function palette(shell: Shell): void {
  const {t} = shell,
    list = h('ul.command-list', {role: 'listbox', id: id('command'), 'aria-label': t('command.title')}),
    box = h('input.command-box', {
      type: 'text',
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-controls': list.id,
      'aria-label': t('command.title'),
      placeholder: t('command.placeholder'),
      autocomplete: 'off',
      spellcheck: 'false',
      autofocus: true,
    });
  const own: readonly Entry[] = [
    ...shell
      .keys()
      .filter(k => !k.hidden)
      .map((k): Entry => ({
        kind: 'action',
        label: k.label,
        note: keyText(names(k)[0]!, t).join('+'),
        run: () => k.run(new KeyboardEvent('keydown')),
      })),
    ...shell.pages().map((p): Entry => ({kind: 'page', ...p})),
  ];
  let shown: readonly Entry[] = [],
    found: readonly Entry[] = [],
    at = 0,
    asking: AbortController | null = null;
  const d = dialog(t, {title: t('command.title'), body: h('div.command', box, list), wide: true});
  void d.done.then(() => asking?.abort());

  function choose(i: number): void {
    const e = shown[i];
    if (!e) return;
    d.close();
    void d.done.then(() => (e.run ? e.run() : e.href && shell.go(e.href)));
  }

  function mark(i: number): void {
    at = Math.max(0, Math.min(shown.length - 1, i));
    [...list.children].forEach((x, k) => x.setAttribute('aria-selected', String(k === at)));
    const now = list.children[at];
    if (now) box.setAttribute('aria-activedescendant', now.id);
    now?.scrollIntoView({block: 'nearest'});
  }

  function show(): void {
    const typed = box.value.trim();
    shown = ranked(own, typed ? found : [], typed);
    fill(
      list,
      shown.map((e, i) =>
        h(
          'li',
          {role: 'option', id: `${list.id}-${i}`, onclick: () => choose(i)},
          h('span.tag', t(`command.kind.${e.kind}`)),
          h('span', e.label),
          e.note && h('kbd', e.note),
        ),
      ),
      !shown.length && h('li.muted', t('command.none')),
    );
    mark(0);
  }

  async function ask(): Promise<void> {
    asking?.abort();
    const typed = box.value.trim();
    found = [];
    if (typed.length < 2) return show();
    asking = new AbortController();
    const {signal} = asking;
    const records: Entry = {
      kind: 'record',
      label: t('command.records', {text: typed}),
      href: '/records?' + new URLSearchParams({q: typed}).toString(),
    };
    const [players, named] = await Promise.all([
      shell.api.call('GET /players', {query: {q: typed, limit: 6}}, signal).catch(() => null),
      shell.games().then(games =>
        Promise.all(
          games.map(g =>
            shell.api.call('GET /names', {query: {game: g.spec, q: typed, limit: 3}}, signal).then(
              r => r.names.map(n => ({...n, game: g.spec})),
              () => [],
            ),
          ),
        ),
      ),
    ]);
    if (signal.aborted) return;
    found = [
      ...(/^\d+$/.test(typed)
        ? [{kind: 'record' as const, label: t('command.record', {id: typed}), href: '/records/' + typed}]
        : []),
      ...(players?.players ?? []).map((p): Entry => ({
        kind: 'player',
        label: p.name,
        href: '/players/' + encodeURIComponent(p.name),
      })),
      ...named.flat().map((n): Entry => ({
        kind: 'name',
        label: called(n.names, shell.lang, n.id),
        note: n.game,
        href: `/names/${n.game}/${encodeURIComponent(n.id)}`,
      })),
      records,
    ];
    show();
  }

  const later = debounce(() => void ask(), 150);
  on(box, 'input', () => {
    show();
    later();
  });
  on<KeyboardEvent>(box, 'keydown', e => {
    const steps: Record<string, number> = {ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8},
      by = steps[e.key];
    if (by) mark(at + by);
    else if (e.key === 'Enter') choose(at);
    else return;
    e.preventDefault();
  });
  show();
  box.focus();
}
