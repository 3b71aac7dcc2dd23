// The counts of a search of one of our engines, for the panel beside a board. They come when they are wanted.
// i18n: lab.reason.*
import '../common';
import type {Counters} from '../api';
import type {Context} from '../app';
import {fmt, h} from '../dom';
import {dataTable, rowHead} from '../ui';

export function counters({t, lang}: Context, c: Counters): HTMLElement {
  const f = fmt(lang),
    line = (name: string, n: number) => h('tr', rowHead(name), h('td.num', f.number(n)));
  return h(
    'div.stack.small',
    dataTable(
      t('lab.figures'),
      [],
      h(
        'tbody',
        line(t('lab.nodes'), c.nodes),
        line(t('lab.leaves'), c.leaves),
        c.untold ? line(t('live.untold'), c.untold) : null,
        line(t('live.hits'), c.hits),
        c.left.map(x => line(t(`lab.reason.${x.name as 'read'}`), x.count)),
        c.cutAt.flatMap((n, k) => (n ? line(t('live.cutAt', {n: k + 1}), n) : [])),
      ),
    ),
    dataTable(
      t('lab.byPly'),
      [t('lab.byPly'), ''],
      h(
        'tbody',
        c.plies.map(p =>
          h('tr', rowHead(f.number(p.ply)), h('td.num', `${f.number(p.leaves)} / ${f.number(p.nodes)}`)),
        ),
      ),
    ),
  );
}
