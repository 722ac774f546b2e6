import { events } from './api.js';
import { h, problem } from './dom.js';
import { cluster } from './cluster.js';
import { topics, topic } from './topics.js';
import { moves } from './moves.js';
import { groups, group } from './groups.js';
import { records } from './records.js';

const pages = { cluster, topics, topic, moves, groups, group, records };
const main = document.getElementById('main');
export const recent = [];
let leave = () => {};
let showing = 0;

/// A page is a function from its arguments to what it shows; it may be shown anew when something happens, and be left.
async function show(focus = true) {
  const [name, ...rest] = location.hash.replace(/^#\//, '').split('/').map(decodeURIComponent);
  const page = pages[name] ? name : 'cluster';
  document.querySelectorAll('nav a').forEach(link => link.getAttribute('href') === `#/${page}` || link.getAttribute('href') === `#/${page}s`
    ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current'));
  const mine = ++showing;
  if (focus) { leave(); leave = () => {}; main.setAttribute('aria-busy', 'true'); }
  try {
    const shown = await pages[page](rest, again, recent);
    if (mine !== showing) { shown.leave?.(); return; }
    leave(); leave = shown.leave ?? (() => {});
    if (!focus && main.contains(document.activeElement) && document.activeElement.matches('input, select, textarea')) return;
    main.replaceChildren(...shown.nodes);
    document.title = `${shown.title} · Millrace`;
  } catch (error) {
    if (mine === showing) main.replaceChildren(h('h1', {}, 'It did not work'), problem(error));
  }
  main.setAttribute('aria-busy', 'false');
  if (focus) main.focus({ preventScroll: true });
}

const again = () => show(false);
let due;

addEventListener('hashchange', () => show());
show();
events(event => {
  recent.unshift(event);
  recent.length = Math.min(recent.length, 100);
  due ??= setTimeout(() => { due = undefined; if (!/^#\/(records|group)\b/.test(location.hash)) again(); }, 300);
}, up => { document.getElementById('live').textContent = up ? 'live' : 'not connected'; });
