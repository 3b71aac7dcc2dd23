import '../common';
import type {Opener} from '../app';
import {h} from '../dom';
import {missing} from '../ui';

// The page for addresses that nobody knows.
export const open: Opener = ({t}, url) => ({
  title: t('notfound.title'),
  node: missing(
    'search',
    t('notfound.title'),
    t('notfound.text', {path: url.pathname}),
    h('a.btn.primary', {href: '/search'}, t('nav.search')),
    h('a.btn', {href: '/'}, t('nav.home')),
  ),
});
