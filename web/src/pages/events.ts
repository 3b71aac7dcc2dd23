// The events of the library.
import {listOf} from '../namelist';

export const open = listOf('events');
