import { list, send } from './api.js';
import { badge, bytes, h, problem, table } from './dom.js';

const kinds = { RUNNING: 'warn', PAUSED: 'dim', COMPLETED: 'good', FAILED: 'bad', CANCELLED: 'dim' };

/// Operations and how far they are; looked at every second while one is under way.
export async function moves(_, again) {
  const found = await list('operations');
  const said = h('div', {});
  const ask = (verb, path, body) => async () => {
    try { await send(verb, path, body); again(); } catch (error) { said.replaceChildren(problem(error)); }
  };
  const timer = found.some(one => one.cancellable || one.cancelling) ? setTimeout(again, 1000) : undefined;
  return { title: 'Moves', leave: () => clearTimeout(timer), nodes: [h('h1', {}, 'Moves'), said,
    found.length ? null : h('p', { class: 'dim' }, 'No operation is known. POST …/reassignments begins one.'),
    ...found.map(one => {
      const progress = one.progress;
      const share = progress.bytes_total ? progress.bytes_done / progress.bytes_total : progress.total ? progress.done / progress.total : 1;
      const path = `operations/${one.operation_id}`;
      return h('section', { class: 'card' }, h('h3', {}, `${one.type.toLowerCase().replaceAll('_', ' ')} of ${new Date(one.created_at).toLocaleString()}`,
        badge(one.cancelling ? `${one.state}, called off` : one.state, kinds[one.state])),
      h('p', {}, `${progress.done} of ${progress.total} partitions, ${bytes(progress.bytes_done)} of ${bytes(progress.bytes_total)}`,
        progress.rate_bytes_per_sec ? `, ${bytes(progress.rate_bytes_per_sec)}/s, ${progress.eta_seconds} s to go` : ''),
      h('div', { class: 'bar', role: 'progressbar', 'aria-valuenow': Math.round(100 * share), 'aria-valuemin': 0, 'aria-valuemax': 100,
        'aria-label': 'copied' }, h('i', { style: `width:${100 * share}%` })),
      one.cancellable ? h('p', {},
        h('button', { onclick: ask('PATCH', path, { state: one.state === 'PAUSED' ? 'RUNNING' : 'PAUSED' }) }, one.state === 'PAUSED' ? 'Resume' : 'Pause'), ' ',
        h('button', { onclick: ask('DELETE', path) }, 'Call off')) : null,
      h('details', {}, h('summary', {}, 'Partitions'), table('Partitions of the operation', [
        { name: 'Partition', of: row => `${row.topic_name}-${row.partition_id}` },
        { name: 'From', of: row => row.from.join(', ') },
        { name: 'To', of: row => row.to.join(', ') },
        { name: 'State', of: row => row.state },
        { name: 'Copied', number: true, of: row => `${bytes(row.bytes_copied)} of ${bytes(row.bytes_to_copy)}` },
        { name: 'Why it waits', of: row => row.error ?? row.reason ?? '' },
      ], one.partitions)));
    })].filter(Boolean) };
}
