// Icons. They are drawn by us, in icons.svg, because many fonts lack such signs. The drawings are a file of their own
// and not part of the script, which every page waits for.
import sprite from './icons.svg';
import {svg} from './dom';

export type Icon =
  | 'search'
  | 'shapes'
  | 'names'
  | 'explore'
  | 'records'
  | 'import'
  | 'players'
  | 'insights'
  | 'me'
  | 'learn'
  | 'help'
  | 'settings'
  | 'language'
  | 'light'
  | 'dark'
  | 'system'
  | 'flag'
  | 'close'
  | 'check'
  | 'copy'
  | 'first'
  | 'previous'
  | 'next'
  | 'last'
  | 'up'
  | 'down'
  | 'flip'
  | 'region'
  | 'play'
  | 'pause'
  | 'plus'
  | 'minus'
  | 'remove'
  | 'undo'
  | 'redo'
  | 'edit'
  | 'download'
  | 'share'
  | 'link'
  | 'tag'
  | 'folder'
  | 'hint'
  | 'star'
  | 'filter'
  | 'eye'
  | 'warn'
  | 'info'
  | 'more'
  | 'menu'
  | 'sound'
  | 'clock'
  | 'save'
  | 'table'
  | 'chart'
  | 'board'
  | 'text'
  | 'judge'
  | 'lab';

// icon draws one; it says nothing to screen readers, so its button needs a name.
export function icon(name: Icon): SVGSVGElement {
  return svg(
    'svg',
    {class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true'},
    svg('use', {href: `${sprite}#${name}`}),
  );
}
