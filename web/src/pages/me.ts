// Who one is here: a name to be clicked on the own machine, log-ins and keys on a server, and for the owner everybody.
// i18n: me.role.*
import '../common';
import type {KeyLink, Me, Person} from '../api';
import type {Context, Opener} from '../app';
import {type Child, fill, fmt, h} from '../dom';
import * as passkey from '../me/passkey';
import {asked, button, copyButton, dataTable, dialog, field, rowHead, select, skeleton, sure} from '../ui';

const roles = ['guest', 'member', 'editor', 'owner'] as const;
type Role = (typeof roles)[number];

export const open: Opener = ctx => {
  const {t} = ctx;
  const body = h('div.stack');
  const again = () =>
    fill(
      body,
      asked(ctx, h('div.stack', skeleton(6)), () => draw(ctx, again)),
    );
  again();
  return {title: t('me.title'), node: h('div.page', h('h1', t('me.title')), body)};
};

// act is a button whose failure is shown.
const act = (ctx: Context, label: string, run: () => Promise<void>, kind?: 'quiet'): HTMLButtonElement =>
  button(label, () => void run().catch((err: unknown) => ctx.fail(err)), kind ? {kind} : {});

const card = (title: string, ...children: Child[]) => h('section.card.stack', h('h2', title), children);
const role = (ctx: Context, r: Me['role']) =>
  ctx.t(`me.role.${r === 'stranger' || r === 'reader' ? 'nobody' : r}` as 'me.role.guest');

async function draw(ctx: Context, again: () => void): Promise<Child> {
  const {t} = ctx;
  const me = await ctx.call('GET /me');
  const may = (op: string) => me.operations.includes(op);
  const people = may('list-people') ? (await ctx.call('GET /people')).people : [];
  // Everything is asked anew, as who one is from now on.
  const reload = () => location.assign('/me');
  return [
    card(
      me.name || t(me.local ? 'me.nobodyHere' : 'me.nobody'),
      h('p.faint', me.local ? t('me.local') : t('me.as', {role: role(ctx, me.role)})),
      !me.local && !me.secure && h('p.faint', t('me.plain')),
      me.local && chooser(ctx, me, people, reload),
      h(
        'div.row',
        !me.id && !me.local && h('a.btn.primary', {href: '/enter'}, t('enter.title')),
        me.id !== '' && h('a.btn', {href: ctx.api.url('/me/export'), download: `${me.name}.json`}, t('me.export')),
        me.id !== '' &&
          act(ctx, t(me.local ? 'me.anybody' : 'me.leave'), async () => {
            await ctx.call('POST /leave');
            reload();
          }),
        me.id !== '' &&
          act(
            ctx,
            t('me.remove'),
            async () => {
              if (!(await sure(t, t('me.remove'), t('me.removeSure', {name: me.name}), t('me.remove')))) return;
              await ctx.call('DELETE /me');
              reload();
            },
            'quiet',
          ),
      ),
    ),
    me.id !== '' && asked(ctx, h('div.stack', skeleton(6)), async () => (await import('../me/career')).career(ctx)),
    me.id !== '' && !me.local && asked(ctx, h('div', skeleton(3)), () => access(ctx, me, again)),
    may('add-person') && everybody(ctx, me, people, again),
  ];
}

// chooser has the names of this machine, one click each.
function chooser(ctx: Context, me: Me, people: readonly Person[], reload: () => void): HTMLElement {
  return h(
    'div.row',
    people.map(p =>
      h(
        'button.btn',
        {
          'aria-pressed': String(p.id === me.id),
          onclick: () => {
            ctx
              .call('POST /people/{id}/choose', {path: {id: p.id}})
              .then(reload)
              .catch((err: unknown) => ctx.fail(err));
          },
        },
        p.name,
      ),
    ),
  );
}

// access lists the keys, passkeys and browsers of one's own.
async function access(ctx: Context, me: Me, again: () => void): Promise<Child> {
  const {t, lang} = ctx,
    f = fmt(lang);
  const a = await ctx.call('GET /me/access');
  const rows = [
    ...a.logins.map(l => ({
      what: l.here ? t('me.thisBrowser') : l.label || t('me.browser'),
      seen: l.seen,
      end: () => ctx.call('DELETE /me/logins/{login}', {path: {login: l.id}}),
    })),
    ...a.passkeys.map(k => ({
      what: t('me.passkeyOf', {what: [k.label, k.site].filter(Boolean).join(' · ')}),
      seen: k.used ?? k.created,
      end: () => ctx.call('DELETE /me/passkeys/{key}', {path: {key: k.id}}),
    })),
    ...a.keys
      .filter(k => !k.revoked && !(k.once && k.used))
      .map(k => ({
        what: k.once ? t('me.invitation') : k.label || t('me.key'),
        seen: k.used ?? k.created,
        end: () => ctx.call('DELETE /me/keys/{key}', {path: {key: k.id}}),
      })),
  ];
  return card(
    t('me.access'),
    dataTable(
      t('me.access'),
      [t('me.what'), t('me.seen'), ''],
      h(
        'tbody',
        rows.map(r =>
          h(
            'tr',
            rowHead(r.what),
            h('td', f.ago(r.seen)),
            h(
              'td',
              act(
                ctx,
                t('me.revoke'),
                async () => {
                  await r.end();
                  again();
                },
                'quiet',
              ),
            ),
          ),
        ),
      ),
    ),
    me.passkeys && passkey.able() && h('p.faint', t('me.passkeyText')),
    h(
      'div.row',
      me.passkeys &&
        passkey.able() &&
        act(ctx, t('me.newPasskey'), async () => {
          try {
            await passkey.make(ctx);
          } catch (err) {
            if (passkey.dismissed(err)) return;
            if (!passkey.taken(err)) throw err;
            ctx.toast(t('me.passkeyHere'));
            return;
          }
          ctx.toast(t('me.passkeyMade'), 'success');
          again();
        }),
      act(ctx, t('me.linkMe'), async () => {
        await show(ctx, await ctx.call('POST /me/link'), t('me.linkOnce'));
        again();
      }),
      act(ctx, t('me.newKey'), async () => {
        await show(ctx, await ctx.call('POST /me/keys', {body: {}}), t('me.keyLasts'));
        again();
      }),
    ),
  );
}

// show shows a new key, once: as a picture for a phone, and as a link.
async function show(ctx: Context, k: KeyLink, text: string): Promise<void> {
  const {t} = ctx;
  await dialog(t, {
    title: t('me.link'),
    body: [
      h('p', text),
      h('img.qr', {alt: t('me.qr'), src: 'data:image/svg+xml,' + encodeURIComponent(k.qr), width: 240, height: 240}),
      h('p', h('code.wrap', k.address)),
      h(
        'div.row',
        copyButton(t, t('me.copy'), () => k.address),
      ),
    ],
  }).done;
}

// everybody is for the owner: who there is, and what each may do.
function everybody(ctx: Context, me: Me, people: readonly Person[], again: () => void): HTMLElement {
  const {t} = ctx;
  const name = h('input', {type: 'text', maxlength: '60', autocomplete: 'off'});
  let fresh: Role = 'member';
  const words = roles.map(value => ({value, label: t(`me.role.${value}`)}));
  const add = async () => {
    if (!name.value.trim()) return;
    const p = await ctx.call('POST /people', {body: {name: name.value, role: fresh}});
    if (!me.local)
      await show(ctx, await ctx.call('POST /people/{id}/link', {path: {id: p.id}}), t('me.linkFor', {name: p.name}));
    again();
  };
  const link = (p: Person) =>
    act(ctx, t('me.linkMake'), async () => {
      await show(ctx, await ctx.call('POST /people/{id}/link', {path: {id: p.id}}), t('me.linkFor', {name: p.name}));
    });
  const revoke = (p: Person) =>
    act(
      ctx,
      t('me.revoke'),
      async () => {
        await ctx.call('DELETE /people/{id}/keys', {path: {id: p.id}});
        ctx.toast(t('me.revoked', {name: p.name}), 'success');
      },
      'quiet',
    );
  const remove = (p: Person) =>
    act(
      ctx,
      t('me.removeOne'),
      async () => {
        if (!(await sure(t, t('me.removeOne'), t('me.removeSure', {name: p.name}), t('me.removeOne')))) return;
        await ctx.call('DELETE /people/{id}', {path: {id: p.id}});
        again();
      },
      'quiet',
    );
  return card(
    t('me.people'),
    h('p.faint', t(me.local ? 'me.peopleLocal' : 'me.peopleServer')),
    people.length > 0 &&
      dataTable(
        t('me.people'),
        [t('me.name'), ...(me.local ? [] : [t('me.role')]), ''],
        h(
          'tbody',
          people.map(p =>
            h(
              'tr',
              rowHead(p.name),
              !me.local &&
                h(
                  'td',
                  select(t('me.role'), words, p.role as Role, v => {
                    ctx
                      .call('PUT /people/{id}', {path: {id: p.id}, body: {role: v}})
                      .then(again)
                      .catch((err: unknown) => ctx.fail(err));
                  }),
                ),
              h('td', h('div.row.end', !me.local && [link(p), revoke(p)], remove(p))),
            ),
          ),
        ),
      ),
    h(
      'div.row',
      field(t('me.name'), name),
      !me.local && select(t('me.role'), words, fresh, v => (fresh = v)),
      act(ctx, t('me.add'), add),
    ),
  );
}
