// Collections and tags: the dialog that keeps them in order, and the one that puts them on records.
// i18n: records.label.*
import type {Changed, Labelling, Named} from '../api';
import type {Context} from '../app';
import {Problem} from '../client';
import {fill, fmt, h, id} from '../dom';
import {changed as told, latestOf} from '../undo';
import {button, dialog, empty, field, iconButton, sure, tabs} from '../ui';

export type Kind = 'collection' | 'tag';

export const listOf = (ctx: Context, kind: Kind): Promise<readonly Named[]> =>
  ctx.call(`GET /${kind}s`).then(r => r.items);

// put puts records under a name or takes them out; a collection that is not there yet is made.
async function put(ctx: Context, kind: Kind, body: Labelling): Promise<Changed> {
  const send = () => (kind === 'tag' ? ctx.call('POST /tags', {body}) : ctx.call('POST /collections/records', {body}));
  return send().catch(async (err: unknown) => {
    const name = body.add?.[0];
    if (kind === 'tag' || !name || !(err instanceof Problem) || err.status !== 404) throw err;
    await ctx.call('POST /collections', {body: {name}});
    return send();
  });
}

// label asks for a name and puts it on the selected records, or takes it off. After is called when that has changed
// something, and when it is undone.
export async function label(
  ctx: Context,
  kind: Kind,
  how: 'add' | 'remove',
  n: number,
  selection: Pick<Labelling, 'ids' | 'query' | 'game'>,
  after: () => void,
): Promise<void> {
  const {t} = ctx,
    names = h('datalist', {id: id('names')});
  const name = h('input', {
    type: 'text',
    required: true,
    maxlength: 200,
    autofocus: true,
    list: names.id,
    autocomplete: 'off',
  });
  void listOf(ctx, kind).then(
    list =>
      fill(
        names,
        list.map(x => h('option', {value: x.name})),
      ),
    () => {
      /* it can be typed */
    },
  );
  const title = t(`records.label.${kind}.${how}`);
  const d = dialog(t, {
    title,
    body: [h('p', t('records.meant', {n})), field(t(`records.label.${kind}`), name), names],
    yes: title,
  });
  const wanted = (await d.done) && name.value.trim();
  if (!wanted) return;
  try {
    const done = await put(ctx, kind, {...selection, [how]: [wanted]});
    told(ctx, t('records.labelled', {n: done.changed, name: wanted}), done.change, after);
    after();
  } catch (err) {
    ctx.fail(err);
  }
}

const byEnter = (run: () => void) => (e: KeyboardEvent) => {
  if (e.key === 'Enter' && !e.isComposing) {
    e.preventDefault();
    run();
  }
};

// manage opens the dialog of all collections and tags: make, rename, drop. It comes to true if anything was changed.
export async function manage(ctx: Context): Promise<boolean> {
  const {t} = ctx;
  let changed = false;
  const panel = (kind: Kind) => {
    const list = h('div.list'),
      node = h('div.stack', list);
    const act = async (run: () => Promise<unknown>) => {
      try {
        await run();
        changed = true;
        await show();
      } catch (err) {
        ctx.fail(err);
      }
    };
    const row = (x: Named) => {
      const path = {name: x.name};
      const rename = () => {
        const name = h('input', {
            type: 'text',
            value: x.name,
            maxlength: 200,
            required: true,
            'aria-label': t('records.newName'),
          }),
          note = h('input', {
            type: 'text',
            value: x.note,
            maxlength: 4000,
            'aria-label': t('records.note'),
            placeholder: t('records.note'),
          });
        const save = () => {
          const n = name.value.trim();
          if (n)
            void act(() =>
              kind === 'tag'
                ? ctx.call('PUT /tags/{name}', {path, body: {name: n}})
                : ctx.call('PUT /collections/{name}', {path, body: {name: n, note: note.value.trim()}}),
            );
        };
        fill(
          node2,
          h('div.label-edit', {onkeydown: byEnter(save)}, name, kind === 'collection' && note),
          button(t('records.save'), save, {kind: 'primary'}),
          button(t('ui.cancel'), () => void show()),
        );
        name.select();
      };
      const drop = async () => {
        if (
          await sure(
            t,
            t(`records.label.${kind}.drop`),
            t('records.dropSure', {name: x.name, n: x.games}),
            t('records.drop'),
          )
        )
          await act(async () => {
            await ctx.call(`DELETE /${kind}s/{name}`, {path});
            told(
              ctx,
              t('records.dropped', {name: x.name}),
              await latestOf(ctx, `drop-${kind}`, x.name),
              () => void show(),
            );
          });
      };
      const node2 = h(
        'div.list-row',
        h('div.label-name', h('b', x.name), x.note && h('small.muted', x.note)),
        h('span.num.muted', fmt(ctx.lang).number(x.games)),
        iconButton(t('records.rename', {name: x.name}), 'edit', rename),
        iconButton(t('records.dropName', {name: x.name}), 'remove', () => void drop()),
      );
      return node2;
    };
    const show = async () => {
      const items = await listOf(ctx, kind);
      fill(
        list,
        items.length
          ? items.map(row)
          : empty(
              kind === 'tag' ? 'tag' : 'folder',
              t(`records.label.${kind}.none`),
              t(`records.label.${kind}.noneText`),
            ),
      );
    };
    if (kind === 'collection') {
      const name = h('input', {
        type: 'text',
        maxlength: 200,
        'aria-label': t('records.newCollection'),
        placeholder: t('records.newCollection'),
        onkeydown: byEnter(() => make()),
      });
      const make = () => {
        const n = name.value.trim();
        if (n)
          void act(() => ctx.call('POST /collections', {body: {name: n}})).then(() => {
            name.value = '';
          });
      };
      node.append(h('div.label-new', name, button(t('records.make'), make, {icon: 'plus'})));
    }
    show().catch((err: unknown) => ctx.fail(err));
    return node;
  };
  await dialog(t, {
    title: t('records.manage'),
    body: tabs(
      t('records.manage'),
      (['collection', 'tag'] as const).map(k => ({id: k, label: t(`records.label.${k}s`), panel: panel(k)})),
      'collection',
    ).node,
  }).done;
  return changed;
}
