// What tests ask of every page. Each function returns a list of faults; an empty one is good.
(() => {
  // What lies in a folded part is not there; nor, for its style, what the browser has not drawn yet.
  const shown = e => e.getClientRects().length > 0 && e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true});
  const trim = s => (s ?? '').replace(/\s+/g, ' ').trim();
  const path = e => {
    const id = e.id && !/-\d+$/.test(e.id) ? '#' + e.id : '', cls = typeof e.className === 'string' && e.className ? '.' + e.className.trim().split(/\s+/).join('.') : '';
    return e.tagName.toLowerCase() + id + cls;
  };
  const tell = e => `${e.parentElement ? path(e.parentElement) + ' > ' : ''}${path(e)} "${trim(e.textContent).slice(0, 40)}"`;

  // The text that a reader hears for what is in an element.
  const spoken = e => {
    if (e.nodeType === Node.TEXT_NODE) return e.data;
    if (e.nodeType !== Node.ELEMENT_NODE || e.getAttribute('aria-hidden') === 'true' || e.hidden) return '';
    if (e.hasAttribute('aria-label')) return e.getAttribute('aria-label');
    if (e.tagName === 'IMG') return e.alt;
    return [...e.childNodes].map(spoken).join(' ');
  };
  const nameOf = e => {
    const by = (e.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean).map(i => document.getElementById(i)).map(x => x ? spoken(x) : '');
    const own = /^(INPUT|SELECT|TEXTAREA)$/.test(e.tagName) ? [...e.labels ?? []].map(spoken).join(' ') || (e.type === 'submit' ? e.value : '') : e.tagName === 'svg' ? trim(e.querySelector('title')?.textContent) : spoken(e);
    return trim(by.join(' ')) || trim(e.getAttribute('aria-label')) || trim(own) || trim(e.getAttribute('title')) || trim(e.getAttribute('alt'));
  };

  // names: every control and every picture has a name.
  const controls = 'button,a[href],input:not([type=hidden]),select,textarea,summary,[role=button],[role=tab],[role=radio],[role=radiogroup],[role=menuitem],[role=menuitemradio],[role=switch],[role=option],[role=slider],[role=listbox],[role=tablist],[role=toolbar],[role=img],[role=grid],[role=application],[role=progressbar],[role=region],[role=dialog],dialog,nav,svg[role],img,table caption';
  const names = () => [...document.querySelectorAll(controls)].filter(e => !e.closest('[aria-hidden=true]') && (shown(e) || e.matches('input')) && e.getAttribute('role') !== 'presentation' && !nameOf(e)).map(e => 'no name: ' + tell(e));

  // frame: what a document has to have once.
  const frame = () => {
    const out = [], ids = new Map();
    for (const e of document.querySelectorAll('[id]')) ids.set(e.id, (ids.get(e.id) ?? 0) + 1);
    for (const [id, n] of ids) if (n > 1) out.push(`${n} elements have the id ${id}`);
    for (const e of document.querySelectorAll('[aria-labelledby],[aria-describedby],[aria-controls],label[for]')) {
      for (const a of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']) for (const id of (e.getAttribute(a) ?? '').split(/\s+/).filter(Boolean)) if (!ids.has(id)) out.push(`${a}=${id} leads nowhere: ${tell(e)}`);
    }
    const h1 = [...document.querySelectorAll('h1')].filter(e => e.getClientRects().length);
    if (h1.length !== 1) out.push(`${h1.length} h1: ${h1.map(e => e.textContent)}`);
    if (document.querySelectorAll('main').length !== 1) out.push('no main landmark');
    if (!/^(en|zh-Hant|zh-Hans|ja|ko)$/.test(document.documentElement.lang)) out.push('lang is ' + document.documentElement.lang);
    if (!document.title || document.title === 'Qipu') out.push('no title');
    for (const e of document.querySelectorAll('img:not([alt])')) out.push('no alt: ' + tell(e));
    for (const e of document.querySelectorAll('button button, a a, a button, button a, label label')) out.push('a control in a control: ' + tell(e));
    for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) out.push('a tabindex above 0: ' + tell(e));
    return out;
  };

  // A colour of the style sheet as [r, g, b, a], whatever its space.
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true}), known = new Map();
  const colour = text => {
    if (!known.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(text, [r, g, b, a / 255]);
    }
    return known.get(text);
  };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = c => {
    const [r, g, b] = c.map(x => { x /= 255; return x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
  const ground = e => {
    const layers = [];
    for (let x = e; x; x = x.parentElement) {
      const s = getComputedStyle(x);
      if (s.backgroundImage !== 'none' && /url|gradient/.test(s.backgroundImage)) return null; // what is under the text cannot be told
      const c = colour(s.backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reverse().reduce((under, c) => over(c, under), colour(getComputedStyle(document.documentElement).backgroundColor)[3] === 1 ? colour(getComputedStyle(document.documentElement).backgroundColor) : [255, 255, 255, 1]);
  };

  // contrast: every text that is seen can be read. Boards have colours of their own; what cannot be used may be pale.
  const contrast = () => {
    const out = new Map(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = walk.nextNode(); n; n = walk.nextNode()) {
      const e = n.parentElement;
      if (!trim(n.data) || !shown(e) || e.closest('svg,.hidden,.skip,option,[aria-disabled=true],:disabled')) continue;
      const s = getComputedStyle(e), under = ground(e);
      if (!under) continue;
      let alpha = 1;
      for (let x = e; x; x = x.parentElement) alpha *= +getComputedStyle(x).opacity;
      const c = colour(s.color), seen = over([c[0], c[1], c[2], c[3] * alpha], under), size = parseFloat(s.fontSize);
      const need = size >= 24 || size >= 18.66 && +s.fontWeight >= 700 ? 3 : 4.5, have = ratio(seen, under);
      if (have < need - .005) out.set(path(e), `contrast ${have.toFixed(2)} of ${tell(e)}: ${s.color} on ${under.slice(0, 3).map(Math.round)}`);
    }
    return [...out.values()];
  };

  // width: nothing makes the page wider than the window.
  const width = () => {
    const w = innerWidth, root = document.scrollingElement;
    if (root.scrollWidth <= w && document.body.scrollWidth <= w) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(e => shown(e) && e.getBoundingClientRect().right > w + .5 && !e.closest('.scroll-x')).slice(0, 4);
    return [`${root.scrollWidth} px wide in a window of ${w}: ${wide.map(tell).join(' | ')}`];
  };

  // targets: what a finger has to hit is large enough: 44 px where it steers, 24 where it stands among its like in a table or
  // a tree. A link in a text is as high as its line.
  const targets = () => [...document.querySelectorAll('button,a.btn,.nav a,.tab,.brand,summary,select,input:not([type=radio]):not([type=checkbox]),.seg label,.toggle,.check')].filter(e => shown(e) && !e.closest('.hidden,[inert]') && !e.matches('.hidden,.skip')).filter(e => {
    const r = e.getBoundingClientRect();
    const need = e.matches('.btn,.nav a,.tab,.brand,select,input,.seg label,.toggle,.check') ? 41.5 : 24; // a border outside may be part of it
    return r.height > 0 && r.width > 1 && (r.height < need || r.width < need) && e.type !== 'file';
  }).map(e => { const r = e.getBoundingClientRect(); return `${Math.round(r.width)}x${Math.round(r.height)} px: ${tell(e)}`; });

  // keys: no text is the name of a text. keyNames holds them all.
  const keys = () => {
    const out = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = walk.nextNode(); n; n = walk.nextNode()) if (keyNames.has(n.data.trim())) out.push('a key for a text: ' + n.data);
    for (const e of document.querySelectorAll('[aria-label],[title],[placeholder]')) for (const a of ['aria-label', 'title', 'placeholder']) if (keyNames.has(e.getAttribute(a))) out.push(`a key for a text: ${a}=${e.getAttribute(a)}`);
    for (const e of document.querySelectorAll('[aria-label],[title],[placeholder],p,span,h1,h2,h3,li,td,th,button')) if (/\{[a-z]+\}/.test((e.getAttribute('aria-label') ?? '') + (e.childElementCount ? '' : e.textContent)) && !e.closest('code,pre,.code,.op')) out.push('a place that was not filled: ' + tell(e));
    return out;
  };

  // text is what the page says, without what time and the searches of other readers change.
  const text = () => {
    const others = [...document.querySelectorAll('section:has(> .pasts), .begin > .stack:has(> .searches)')].filter(e => !e.hidden);
    for (const e of others) e.hidden = true;
    const said = document.querySelector('main').innerText.replace(/\b\d+(\.\d+)? ?(ms|s|µs)\b/g, 'TIME').replace(/\b(now|\d+ (seconds?|minutes?) ago)\b/g, 'AGO').replace(/\s+/g, ' ');
    for (const e of others) e.hidden = false;
    return said;
  };

  // focus: everything that can be used is reached by Tab. A group has one stop, within which arrows move.
  const reach = () => [...document.querySelectorAll('button,a[href],input,select,textarea,summary,[tabindex="0"]')].filter(e => shown(e) && !e.disabled && e.tabIndex >= 0 && !e.matches('.skip')).filter(e =>
    !(e.type === 'radio' && [...document.getElementsByName(e.name)].some(x => x !== e && (x.checked || !e.checked))));
  const roves = e => e.classList.length > 0 && [...document.getElementsByClassName(e.classList[0])].some(x => x.tabIndex === 0);
  const focus = () => [...document.querySelectorAll('button,a[href],input,select,textarea,summary')].filter(e => shown(e) && !e.disabled && e.tabIndex < 0 && !e.closest('[role=tablist],[role=menu],[role=listbox],[role=toolbar],[role=grid],[role=radiogroup],[role=tree],[aria-hidden=true],[inert]') && e.getAttribute('aria-hidden') !== 'true' && !roves(e)).map(e => 'Tab does not reach ' + tell(e));

  window.audit = {names, frame, contrast, width, targets, keys, text, focus, reach};
})()
