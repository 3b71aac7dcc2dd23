// The page of a link to log in. The key is behind the #, which browsers send to nobody; it is taken out of the address
// at once, and exchanged for a cookie that no script can read.
import '../common';
import type {Opener} from '../app';
import {h} from '../dom';
import * as passkey from '../me/passkey';
import {button, field, trouble} from '../ui';

let key = ''; // of the link; the page is opened anew when the address has changed

export const open: Opener = (ctx, url) => {
  const {t} = ctx;
  if (url.hash) {
    key = url.hash.slice(1);
    history.replaceState(history.state, '', url.pathname);
  }
  const input = h('input', {type: 'password', autocomplete: 'off', spellcheck: 'false', value: key, required: true});
  const told = h('div', {'aria-live': 'polite'});
  const enter = async () => {
    if (!input.value.trim()) return;
    try {
      await ctx.call('POST /enter', {body: {key: input.value.trim()}});
      location.assign('/me'); // everything is asked anew, as who one is now
    } catch (err) {
      told.replaceChildren(trouble(t, err));
    }
  };
  const form = h(
    'form.stack',
    field(t('enter.key'), input, t('enter.hint')),
    h(
      'div.row',
      button(t('enter.do'), () => undefined, {kind: 'primary', props: {type: 'submit'}}),
    ),
    told,
  );
  form.addEventListener('submit', e => {
    e.preventDefault();
    void enter();
  });
  const bypass = h('div.stack', {hidden: true});
  if (passkey.able() && !key) {
    const go = async () => {
      try {
        await passkey.enter(ctx);
        location.assign('/me');
      } catch (err) {
        if (!passkey.dismissed(err)) told.replaceChildren(trouble(t, err));
      }
    };
    bypass.append(
      h('p', t('enter.passkeyText')),
      h(
        'div.row',
        button(t('enter.passkey'), () => void go(), {kind: 'primary'}),
      ),
    );
    // Passkeys want a name and encryption; where they cannot be used they are not offered.
    void ctx.call('GET /me').then(
      me => (bypass.hidden = !me.passkeys),
      () => undefined,
    );
  }
  return {
    title: t('enter.title'),
    node: h(
      'div.page',
      h('h1', t('enter.title')),
      h(
        'section.card',
        bypass,
        h('p', t(key ? 'enter.ready' : 'enter.text')),
        !isSecureContext && h('p.faint', t('me.plain')),
        form,
      ),
    ),
  };
};
