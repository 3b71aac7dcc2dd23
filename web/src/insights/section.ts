// A box of what mining tells, on the page of something else. It asks when it is opened for the first time: the first
// question reads all games of the kind, and what draws the answer is a script of its own.
import type {Context} from '../app';
import {type Child, fill, h} from '../dom';
import {asked} from '../ui';

export function section(ctx: Context, title: string, text: string, ask: () => Promise<Child>): HTMLElement {
  const body = h('div.stack');
  let opened = false;
  return h(
    'details.card.alike',
    {
      ontoggle: () => {
        if (opened) return;
        opened = true;
        fill(body, h('p.muted', {role: 'status'}, ctx.t('insights.reading')));
        asked(ctx, body, ask);
      },
    },
    h('summary', h('h2', title)),
    h('p.muted.small', text),
    body,
  );
}
