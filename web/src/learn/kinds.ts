// What there is to learn: one page for each. i18n: learn.kind.*
import {h} from '../dom';
import type {Translate} from '../i18n';

const kinds = {session: '/learn', openings: '/learn/openings', shapes: '/learn/shapes', sets: '/learn/sets'} as const;

export const learnKinds = (t: Translate, now: keyof typeof kinds): HTMLElement =>
  h(
    'nav.tabs.learn-kinds',
    {'aria-label': t('nav.learn')},
    (Object.keys(kinds) as (keyof typeof kinds)[]).map(k =>
      h('a.tab', {href: kinds[k], 'aria-current': k === now ? 'page' : null}, t(`learn.kind.${k}`)),
    ),
  );
