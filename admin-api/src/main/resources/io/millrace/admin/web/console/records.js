import { get, list, name, tail } from './api.js';
import { h, problem, table } from './dom.js';

const columns = [
  { name: 'Partition', number: true, of: row => row.partition_id },
  { name: 'Offset', number: true, of: row => row.offset },
  { name: 'Time', of: row => new Date(row.timestamp).toLocaleString() },
  { name: 'Key', of: row => text(row.key) },
  { name: 'Value', of: row => h('pre', {}, text(row.value)) },
  { name: 'Headers', of: row => row.headers.map(header => `${header.name}=${text(header.value)}`).join(' ') },
];
const text = data => data === null ? '–' : typeof data === 'string' ? data : JSON.stringify(data);

/// Browses a topic, or follows it.
export async function records([topicName]) {
  const topics = (await list('topics?fields=topic_name')).map(row => row.topic_name);
  const shown = h('div', { 'aria-live': 'polite' });
  let source, token;
  const stop = () => { source?.close(); source = undefined; follow.textContent = 'Follow'; };
  const query = data => new URLSearchParams([...data].filter(([key, value]) => key !== 'topic' && value !== ''));
  const form = h('form', { 'aria-label': 'Browse records', onsubmit: async event => {
    event.preventDefault();
    stop();
    const more = event.submitter === next ? token : undefined;
    try {
      const data = new FormData(form), asked = query(data);
      if (more) asked.set('page_token', more);
      const page = await get(`topics/${name(data.get('topic'))}/records?${asked}`);
      token = page.next_token;
      next.hidden = !token;
      shown.replaceChildren(h('p', { class: 'dim' }, `${page.data.length} records of ${page.scanned} looked at`
        + (page.unavailable.length ? `; partitions ${page.unavailable} did not answer` : '')), table('Records', columns, page.data));
    } catch (error) { shown.replaceChildren(problem(error)); }
  } },
  h('label', {}, 'Topic', h('select', { name: 'topic', required: true }, topics.map(one => h('option', { selected: one === topicName }, one)))),
  h('label', {}, 'Partition', h('input', { name: 'partition', type: 'number', min: 0, style: 'width:6rem' })),
  h('label', {}, 'From', h('input', { name: 'from', value: 'earliest', list: 'from' }), h('datalist', { id: 'from' },
    ['earliest', 'latest', 'offset:0', 'timestamp:2026-01-01T00:00:00Z'].map(value => h('option', { value })))),
  h('label', {}, 'Contains', h('input', { name: 'contains' })),
  h('label', {}, 'Filter', h('input', { name: 'filter', placeholder: 'value.id == 42' })),
  h('label', {}, 'Limit', h('input', { name: 'limit', type: 'number', min: 1, max: 1000, value: 50 })));
  const next = h('button', { hidden: true }, 'More');
  const follow = h('button', { type: 'button', onclick: async () => {
    if (source) { stop(); return; }
    const data = new FormData(form), asked = query(data);
    asked.delete('limit'); asked.delete('from');
    const rows = [];
    source = await tail(data.get('topic'), asked, record => {
      rows.unshift(record);
      rows.length = Math.min(rows.length, 200);
      shown.replaceChildren(h('p', { class: 'dim' }, 'Following; the newest first'), table('Records', columns, rows));
    });
    follow.textContent = 'Stop';
    shown.replaceChildren(h('p', { class: 'dim' }, 'Following: waiting for records'));
  } }, 'Follow');
  form.append(h('button', { class: 'primary' }, 'Browse'), follow, next);
  if (topicName && topics.includes(topicName)) queueMicrotask(() => form.requestSubmit());
  return { title: 'Records', leave: stop, nodes: [h('h1', {}, 'Records'), form, shown] };
}
