// What nearly every page needs, in one script. Each page imports it, used or not: otherwise what some pages share and
// others do not would be cut into a dozen small scripts, which pack worse and come later than one.
import './app';
import './board';
import './explore/line';
import './explore/table';
import './jobs';
import './lab/link';
import './minis';
import './offers';
import './records/querybox';
import './records/row';
import './search/model';
import './search/saved';
import './sound';
import './store';
import './value';
