// The entry of the client: which page stands at which address. A page is a script of its own, which comes when it is
// wanted.
import './common';
import {App, type Route} from './app';

const routes: Route[] = [
  {path: '/', load: () => import('./pages/home')},
  {path: '/search', load: () => import('./pages/search')},
  {path: '/explore', load: () => import('./pages/explore')},
  {path: '/play', load: () => import('./pages/play')},
  {path: '/learn', load: () => import('./pages/learn')},
  {path: '/learn/openings', load: () => import('./pages/learnopenings')},
  {path: '/learn/sets', load: () => import('./pages/learnsets')},
  {path: '/learn/sets/:id', load: () => import('./pages/learnsheet')},
  {path: '/learn/shapes', load: () => import('./pages/learnshapes')},
  {path: '/records', load: () => import('./pages/records')},
  {path: '/records/:id', load: () => import('./pages/record')},
  {path: '/shapes', load: () => import('./pages/shapes')},
  {path: '/shapes/new', load: () => import('./pages/shapeedit')},
  {path: '/shapes/:id', load: () => import('./pages/shape')},
  {path: '/shapes/:id/edit', load: () => import('./pages/shapeedit')},
  {path: '/names', load: () => import('./pages/names')},
  {path: '/names/:game/:id', load: () => import('./pages/name')},
  {path: '/judge', load: () => import('./pages/judge')},
  {path: '/lab', load: () => import('./pages/lab')},
  {path: '/insights', load: () => import('./pages/insights')},
  {path: '/insights/queue', load: () => import('./pages/findings')},
  {path: '/import', load: () => import('./pages/import')},
  {path: '/log', load: () => import('./pages/log')},
  {path: '/cleanup', load: () => import('./pages/cleanup')},
  {path: '/events', load: () => import('./pages/events')},
  {path: '/players', load: () => import('./pages/players')},
  {path: '/players/:name', load: () => import('./pages/player')},
  {path: '/me', load: () => import('./pages/me')},
  {path: '/enter', load: () => import('./pages/enter')},
  {path: '/settings', load: () => import('./pages/settings')},
  {path: '/help', load: () => import('./pages/help')},
  {path: '/gallery', load: () => import('./pages/gallery')},
  {path: '/api', load: () => import('./pages/api')},
];

const root = document.getElementById('app');
if (root) {
  new App(root, {routes, missing: () => import('./pages/notfound'), files: '/import', texts: '/'})
    .start()
    .catch((err: unknown) => {
      console.error(err);
      root.textContent = `Qipu: ${err instanceof Error ? err.message : String(err)}`;
    });
}
