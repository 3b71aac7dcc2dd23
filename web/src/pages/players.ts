// The players of the library.
import {listOf} from '../namelist';

export const open = listOf('players');
