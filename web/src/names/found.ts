// What was found in records about something that has a name, and accepted by readers.
import type {NameFinding} from '../api';
import type {Context} from '../app';
import {type Child, fmt, h} from '../dom';
import {searchLink} from '../router';

export const found = ({t, lang}: Context, list: readonly NameFinding[], game: string): Child =>
  list.length > 0 &&
  h(
    'section.card',
    h('h2', t('names.findings')),
    h(
      'ul',
      list.map(x =>
        h(
          'li',
          h('a', {href: searchLink(x.query, game), lang: 'en'}, x.sentence),
          h('small.muted', ' ', t('names.foundBy', {day: fmt(lang).date(x.found), who: x.by.join(', ')})),
        ),
      ),
    ),
  );
