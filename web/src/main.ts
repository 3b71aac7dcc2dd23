// The entry of the client: which page stands at which address.
import {App, type Route} from './app';
// Pages that are alike stand together, those with a board first: in this order the script is a kilobyte smaller when it is packed.
import * as search from './pages/search';
import * as explore from './pages/explore';
import * as record from './pages/record';
import * as notFound from './pages/notfound';
import * as records from './pages/records';
import * as settings from './pages/settings';
import * as help from './pages/help';
import * as home from './pages/home';
import * as players from './pages/players';
import * as player from './pages/player';
import * as importing from './pages/import';
import * as api from './pages/api';

const routes: Route[] = [
  {path: '/', open: home.open},
  {path: '/search', open: search.open},
  {path: '/explore', open: explore.open},
  {path: '/records', open: records.open},
  {path: '/records/:id', open: record.open},
  {path: '/import', open: importing.open},
  {path: '/players', open: players.open},
  {path: '/players/:name', open: player.open},
  {path: '/settings', open: settings.open},
  {path: '/help', open: help.open},
  {path: '/api', open: api.open},
];

const root = document.getElementById('app');
if (root) {
  new App(root, {routes, missing: notFound.open, files: '/import', texts: '/'}).start().catch((err: unknown) => {
    console.error(err);
    root.textContent = `Qipu: ${err instanceof Error ? err.message : String(err)}`;
  });
}
