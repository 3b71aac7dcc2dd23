// What lint says, as a list. i18n: shapes.kind.*, shapes.weight.*
import type {ShapeFinding} from '../api';
import type {Context} from '../app';
import {h} from '../dom';
import {icon} from '../icons';
import {sentence} from '../ui';
import {shapeLink} from './tags';

const kinds = [
  'identical',
  'implied',
  'contradictory',
  'unreachable',
  'unnamed',
  'fixture',
  'override',
  'evidence',
  'syntax',
] as const;

const link = (id: string) => h('a', {href: shapeLink(id)}, id);

export function findings({t}: Context, list: readonly ShapeFinding[], of = ''): HTMLElement {
  return h(
    'ul.findings',
    list.map(f =>
      h(
        'li',
        {class: f.weight},
        icon('warn'),
        h(
          'span',
          h(
            'b',
            t(`shapes.weight.${f.weight}`),
            ' · ',
            kinds.includes(f.kind as 'syntax') ? t(`shapes.kind.${f.kind as 'syntax'}`) : f.kind,
          ),
          ' ',
          f.id && f.id !== of && [link(f.id), ' '],
          f.other && ['↔ ', link(f.other), ' '],
          h('span', sentence(f.text)),
          (f.file || f.line > 0) && h('small.muted.code', ` ${f.file}${f.line > 0 ? `:${f.line}` : ''}`),
        ),
      ),
    ),
  );
}
