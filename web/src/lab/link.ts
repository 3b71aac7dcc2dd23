// The way from a board into the laboratory, in the menus of pages.
import type {Game} from '../api';
import type {Translate} from '../i18n';
import type {Item} from '../ui';

// labItem leads there, or says that nothing judges positions of the game.
export const labItem = (t: Translate, game: Game, href: string): Item =>
  game.lab ? {label: t('lab.here'), icon: 'lab', href} : {label: t('lab.none'), icon: 'lab', off: true};
