// What the pages about players and events share: bars, and the dialog that says which names are one.
// i18n: players.dialog.*, players.into.*, events.dialog.*, events.into.*
import type {PlayerEdit, PlayerRow, Score} from './api';
import type {Context} from './app';
import {latest} from './client';
import {debounce, fill, fmt, h, id} from './dom';
import {dialog, explain, few, field, known, resultBar} from './ui';

// playerBar shows how the games of a player went: won, drawn, lost.
export function playerBar(ctx: Context, s: Score): HTMLElement {
  const {t, lang} = ctx,
    n = known(s);
  if (!n) return h('span.muted.small', t('players.noResults'));
  return h(
    'div.scored',
    resultBar(t, lang, s, ['win', 'loss'], [t('players.won'), t('players.lost')]),
    s.rate !== undefined &&
      h('span', {class: 'num small' + (n < few ? ' muted' : ''), 'aria-hidden': 'true'}, fmt(lang).rate(s.rate)),
  );
}

export const playerLink = (name: string, game = ''): HTMLAnchorElement =>
  h('a', {href: `/players/${encodeURIComponent(name)}` + (game && `?g=${encodeURIComponent(game)}`)}, name);

// Named is whose names they are.
export type Named = 'players' | 'events';

// undoEdit takes an edit back and tells whether that worked.
export async function undoEdit(ctx: Context, of: Named, edit: number): Promise<boolean> {
  try {
    const path = {path: {id: edit}};
    await (of === 'events'
      ? ctx.call('DELETE /events/edits/{id}', path)
      : ctx.call('DELETE /players/edits/{id}', path));
    ctx.toast(ctx.t('players.taken'), 'success');
    return true;
  } catch (err) {
    ctx.fail(err);
    return false;
  }
}

export type EditOp = 'merge' | 'rename' | 'split';

// editDialog asks how players or events are to be called; what would become of them stands below while it is decided.
// It comes to true if they were changed; undone is called if that is taken back later. Splitting chooses among the
// other names of one.
export async function editDialog(
  ctx: Context,
  of: Named,
  op: EditOp,
  players: readonly Pick<PlayerRow, 'name' | 'aliases'>[],
  undone: () => void,
): Promise<boolean> {
  const {t} = ctx,
    group = id('into');
  const names = [...new Set(players.flatMap(p => [p.name, ...p.aliases]))],
    aliases = players[0]?.aliases ?? [];
  const picks =
    op === 'split' ? aliases.map(value => h('input', {type: 'checkbox', value, checked: aliases.length === 1})) : [];
  const other = h('input', {
    'aria-label': t('players.otherName'),
    placeholder: t('players.otherName'),
    autocomplete: 'off',
    maxlength: 400,
  });
  const radios =
    op === 'merge' ? names.map((value, i) => h('input', {type: 'radio', name: group, value, checked: i === 0})) : [];
  const says = h('p.dialog-says', {role: 'status'});
  const wanted = () => {
    const split = picks.filter(p => p.checked).map(p => p.value);
    const into = other.value.trim() || radios.find(r => r.checked)?.value || '';
    return {op, names: op === 'split' ? split : players.map(p => p.name), ...(into && {into})};
  };
  const ready = (w: ReturnType<typeof wanted>) => w.names.length > 0 && (op !== 'rename' || w.into !== undefined);
  const send = (body: PlayerEdit, signal?: AbortSignal) =>
    of === 'events' ? ctx.call('POST /events/edits', {body}, signal) : ctx.call('POST /players/edits', {body}, signal);
  const tryIt = latest(ctx.signal, (signal, w: ReturnType<typeof wanted>) => send({...w, dryRun: true}, signal));
  const look = async () => {
    const w = wanted(),
      yes = d.node.querySelector<HTMLButtonElement>('footer [value=yes]')!;
    yes.disabled = true;
    if (!ready(w)) return void fill(says, t(op === 'split' ? 'players.dialog.pick' : 'players.dialog.type'));
    try {
      const r = await tryIt(w);
      if (!r) return;
      fill(
        says,
        op === 'split'
          ? t(`${of}.into.split`, {names: w.names.join(', '), name: r.after})
          : t('players.into.one', {names: r.before.join(', '), name: r.after}),
      );
      yes.disabled = false;
    } catch (err) {
      const e = explain(t, err);
      fill(says, h('strong', e.title), ' ', e.text);
    }
  };
  const soon = debounce(() => void look(), 150);
  const line = (input: HTMLInputElement) => h('label.check', input, h('span', input.value));
  const d = dialog(t, {
    title: t(op === 'rename' ? 'players.dialog.rename' : `${of}.dialog.${op}`),
    body: [
      h('p.muted', t('players.dialog.text')),
      picks.length > 0 &&
        h('fieldset', h('legend', t('players.dialog.which', {name: players[0]?.name ?? ''})), picks.map(line)),
      radios.length > 0 && h('fieldset', h('legend', t('players.dialog.under')), radios.map(line)),
      field(t(op === 'rename' ? 'players.newName' : 'players.otherName'), other),
      says,
    ],
    yes: t(`players.do.${op}`),
  });
  d.node.addEventListener('input', soon);
  void look();
  if ((await d.done) !== 'yes') return false;
  const w = wanted();
  if (!ready(w)) return false;
  try {
    const done = await send(w);
    ctx.toast(t('players.changed', {name: done.after}), 'success', {
      label: t('players.undo'),
      run: () =>
        void undoEdit(ctx, of, done.id).then(ok => {
          if (ok) undone();
        }),
    });
    return true;
  } catch (err) {
    ctx.fail(err);
    return false;
  }
}
