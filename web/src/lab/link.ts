// The way from a board into the laboratory, in the menus of pages and beside boards.
import type {Game} from '../api';
import {h} from '../dom';
import type {Translate} from '../i18n';
import {icon} from '../icons';
import {labLink} from '../router';
import {type Item, linkButton} from '../ui';

// labItem leads there, or says that nothing judges positions of the game.
export const labItem = (t: Translate, game: Game, href: string): Item =>
  game.lab ? {label: t('lab.here'), icon: 'lab', href} : {label: t('lab.none'), icon: 'lab', off: true};

// labButton leads there from the board of a line or a position; nothing where the game has no evaluation.
export const labButton = (t: Translate, game: Game, m: string, g = game.spec): HTMLAnchorElement | false =>
  !!game.lab && linkButton(t('lab.here'), labLink({g, m}), 'lab');

// labSign is the same as a sign alone, for small boards; of says which.
export const labSign = (t: Translate, game: Game, m: string, of: string): HTMLAnchorElement | false =>
  !!game.lab &&
  h(
    'a.btn.quiet.bare',
    {href: labLink({g: game.spec, m}), 'aria-label': `${t('lab.here')}: ${of}`, title: t('lab.here')},
    icon('lab'),
  );
