// All preferences, the token, and what program and library this is. Choices work at once; there is nothing to save.
// i18n: prefs.theme.*, prefs.board.*, prefs.pieces.*, prefs.twoTap.*
import '../common';
import type {Context, Opener} from '../app';
import {type Child, fill, fmt, h, id} from '../dom';
import {gameName, langNames, langs, titled} from '../i18n';
import {readOnly} from '../jobs';
import {type Values, choices} from '../prefs';
import {asked, button, copyButton, dialog, field, segmented, select, skeleton, sure, toggle} from '../ui';

type Switch = 'coordinates' | 'wheel' | 'animation' | 'sound';
type Choice = 'theme' | 'board' | 'pieces' | 'twoTap';

export const open: Opener = ctx => {
  const {t, prefs} = ctx;
  const control = (label: string, node: HTMLElement, hint?: string) => {
    const name = id('setting');
    node.setAttribute('aria-labelledby', name);
    return h('div.setting', h('span', {id: name}, label), node, hint && h('small', hint));
  };
  const flag = (name: Switch, label: string, hint?: string) => {
    const node = toggle(label, prefs.get(name), v => prefs.set(name, v));
    // The key `c` and other tabs change preferences too.
    prefs.on(changed => {
      if (changed.has(name)) node.querySelector('input')!.checked = prefs.get(name);
    }, ctx.signal);
    return h('div.setting', node, hint && h('small', hint));
  };
  const choice = <K extends Choice>(name: K, label: string, hint?: string) => {
    const list = (choices[name] as readonly string[] as readonly Values[K][]).map(value => ({
      value,
      label: t(`prefs.${name}.${value}` as 'prefs.theme.light'),
    }));
    const seg = segmented(label, list, prefs.get(name), v => prefs.set(name, v));
    prefs.on(changed => {
      if (changed.has(name)) seg.set(prefs.get(name));
    }, ctx.signal);
    return control(label, seg.node, hint);
  };
  const languages = [
    {value: '' as Values['language'], label: t('prefs.language.auto')},
    ...langs.map(l => ({value: l as Values['language'], label: langNames[l]})),
  ];
  const notations = asked(ctx, h('div'), () => notationList(ctx)),
    about = asked(ctx, h('div.stack', skeleton(4)), () => aboutText(ctx));
  return {
    title: t('settings.title'),
    node: h(
      'div.page',
      h('h1', t('settings.title')),
      card(
        t('settings.look'),
        control(
          t('prefs.language'),
          select(t('prefs.language'), languages, prefs.get('language'), v => prefs.set('language', v)),
        ),
        choice('theme', t('prefs.theme')),
        flag('animation', t('prefs.animation')),
        flag('sound', t('prefs.sound')),
      ),
      card(
        t('settings.board'),
        choice('board', t('prefs.board')),
        flag('coordinates', t('prefs.coordinates')),
        choice('pieces', t('prefs.pieces')),
        notations,
        flag('wheel', t('prefs.wheel'), t('prefs.wheelHint')),
        choice('twoTap', t('prefs.twoTap'), t('prefs.twoTapHint')),
      ),
      card(t('settings.access'), tokenBox(ctx)),
      enginesBox(ctx),
      careBox(ctx),
      card(t('settings.about'), about),
      h(
        'div.row.end',
        button(
          t('settings.reset'),
          async () => {
            if (await sure(t, t('settings.reset'), t('settings.resetSure'), t('settings.reset'))) prefs.reset();
          },
          {kind: 'quiet'},
        ),
      ),
    ),
  };
};

const card = (title: string, ...children: Child[]) => h('section.card', h('h2', title), h('div.settings', children));

async function notationList({t, lang, prefs, games}: Context): Promise<Child> {
  const list = (await games()).filter(
    (g, i, all) => g.notations.length > 1 && all.findIndex(x => x.family === g.family) === i,
  ); // one of each, whatever the boards
  return list.map(g => {
    const label = t('prefs.notation', {game: titled(g.titles, lang, g.family)});
    const names = [
      {value: '', label: t('prefs.notation.own')},
      ...g.notations.map(n => ({value: n.name, label: n.name})),
    ];
    return h(
      'div.setting',
      h('span', label),
      select(label, names, prefs.notation(g.family) ?? '', v => prefs.setNotation(g.family, v)),
    );
  });
}

async function aboutText(ctx: Context): Promise<Child> {
  const {t, lang} = ctx,
    f = fmt(lang);
  const [lib, games] = await Promise.all([ctx.call('GET /library', {}), ctx.games()]);
  const fact = (label: string, v: string | number) =>
    v !== '' && [h('dt', label), h('dd', typeof v === 'number' ? f.number(v) : v)];
  return [
    h(
      'dl.facts',
      fact(t('about.version'), lib.version),
      fact(t('about.library'), lib.name),
      fact(t('about.records'), lib.records),
      lib.byGame.map(g => fact(gameName(games, g.game, lang), g.records)),
      fact(t('about.collections'), lib.collections),
      fact(t('about.tags'), lib.tags),
      fact(t('about.saved'), lib.saved),
      fact(t('about.size'), f.bytes(lib.bytes)),
    ),
    !lib.writable && h('p', readOnly(ctx, lib)),
    h('p.muted', t('about.text'), ' ', h('a', {href: '/api'}, t('about.api'))),
  ];
}

// enginesBox lists the programs that the owner has named, and tells how to name one: a page cannot.
function enginesBox(ctx: Context): HTMLElement {
  const {t, signal} = ctx,
    box = card(t('settings.engines'), h('p.muted', t('engines.text')));
  box.hidden = true;
  void ctx.api.owns().then(
    async owner => {
      box.hidden = !owner;
      if (!owner) return;
      const {engines} = await ctx.call('GET /engines', {}, signal);
      const command = 'qipu engines add gnugo --game go -- gnugo --mode gtp';
      box.append(
        engines.length > 0
          ? h(
              'dl.facts',
              engines.map(e => [
                h('dt', e.name),
                h('dd', `${e.games.join(', ')} · ${e.protocol}`, e.silent && ` · ${t('engines.silent')}`),
              ]),
            )
          : h('p', t('engines.none')),
        h('p.muted', t('engines.add')),
        h(
          'div.row',
          h('code', command),
          copyButton(t, t('engines.copy'), () => command),
        ),
      );
    },
    () => undefined,
  );
  return box;
}

// careBox lets the owner have the library checked, repaired and backed up, or its tables made anew, and tells how far
// that is.
function careBox(ctx: Context): HTMLElement {
  const {t, signal} = ctx,
    told = h('p.muted', {role: 'status'}),
    stop = button(t('care.stop'), () => void ctx.call('DELETE /library/care'), {props: {hidden: true}}),
    kept = h('div.stack'),
    box = card(t('settings.care'), h('p.muted', t('care.text')), told);
  type Task = 'POST /library/check' | 'POST /library/repair' | 'POST /library/reindex' | 'POST /library/backups';
  const begin = (path: Task) => async () => {
    await ctx.call(path);
    await follow();
  };
  const restore = (name: string) => async () => {
    await ctx.call('POST /library/backups/{name}/restore', {path: {name}});
    await follow();
  };
  const backups = async (): Promise<void> => {
    const b = await ctx.call('GET /library/backups', undefined, signal);
    if (!b.folder) {
      fill(kept, h('p.muted', t('care.nobackups')));
      return;
    }
    fill(
      kept,
      h('p.muted', t('care.backups', {folder: b.folder}), ' ', b.every ? t('care.every', {hours: b.every}) : ''),
      b.failed ? h('p', t('care.due', {why: b.failed})) : null,
      ...b.backups.map(x =>
        h('div.row', h('span', new Date(x.at).toLocaleString()), button(t('care.restore'), restore(x.name))),
      ),
      h('div.row', button(t('care.backup'), begin('POST /library/backups'))),
    );
  };
  const follow = async (): Promise<void> => {
    for (;;) {
      const c = await ctx.call('GET /library/care', undefined, signal);
      const {done, total} = c;
      stop.hidden = c.state !== 'running';
      if (c.state === 'running') fill(told, total ? t('care.progress', {done, total}) : t('care.running'));
      else if (c.state === 'failed') fill(told, t('care.failed', {why: c.error}));
      else if (c.state === 'unfinished') fill(told, t('care.unfinished'));
      else if (c.state === 'done' && c.made) fill(told, t('care.made', {made: c.made}));
      else if (c.state === 'done')
        fill(told, c.ok ? t('care.ok') : h('span', t('care.wrong'), ' ', c.problems.join(' · ')));
      else fill(told);
      if (c.state !== 'running' || signal.aborted) return backups();
      await new Promise(go => setTimeout(go, 1000));
    }
  };
  box.hidden = true;
  void ctx.api.owns().then(
    owner => {
      box.hidden = !owner;
      if (!owner) return;
      box.append(
        h(
          'div.row',
          button(t('care.check'), begin('POST /library/check')),
          button(t('care.repair'), begin('POST /library/repair')),
          button(t('care.reindex'), begin('POST /library/reindex')),
          stop,
        ),
        kept,
      );
      void follow().catch(() => undefined);
    },
    () => undefined,
  );
  return box;
}

function tokenBox({t, api, toast}: Context): HTMLElement {
  const box = h('div.stack');
  const draw = () =>
    fill(
      box,
      h('p.muted', t(api.token ? 'token.have' : 'token.none')),
      h(
        'div.row',
        button(t(api.token ? 'token.change' : 'token.enter'), async () => {
          const input = h('input', {
            type: 'password',
            autocomplete: 'current-password',
            autofocus: true,
            spellcheck: 'false',
          });
          const keep = h('input', {type: 'checkbox'});
          const d = dialog(t, {
            title: t('token.title'),
            body: [field(t('token.label'), input, t('token.hint')), h('label.check', keep, h('span', t('token.keep')))],
            yes: t('token.use'),
          });
          if ((await d.done) === 'yes' && input.value.trim()) api.setToken(input.value.trim(), keep.checked);
          draw();
        }),
        api.token && [
          copyButton(t, t('token.copy'), () => api.token),
          button(
            t('token.forget'),
            () => {
              api.setToken('', false);
              toast(t('token.forgotten'), 'success');
              draw();
            },
            {kind: 'danger'},
          ),
        ],
      ),
    );
  return draw();
}
