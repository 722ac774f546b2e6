import { get, list, name, send } from './api.js';
import { badge, h, problem, table } from './dom.js';

export async function topics(_, again) {
  const found = await list('topics');
  const said = h('div', {});
  const search = h('input', { type: 'search', name: 'search', autocomplete: 'off' });
  const rows = h('div', {});
  const draw = () => rows.replaceChildren(table('Topics', [
    { name: 'Topic', of: row => h('a', { href: `#/topic/${name(row.topic_name)}` }, row.topic_name) },
    { name: 'Partitions', number: true, of: row => row.partitions_count },
    { name: 'Replicas', number: true, of: row => row.replication_factor },
    { name: 'State', of: row => row.under_replicated ? badge(`${row.under_replicated} under-replicated`, 'warn') : badge('in sync', 'good') },
  ], found.filter(row => row.topic_name.includes(search.value)).slice(0, 1000)));
  search.addEventListener('input', draw);
  draw();
  const create = h('form', { 'aria-label': 'Create a topic', onsubmit: async event => {
    event.preventDefault();
    const data = new FormData(create);
    try {
      await send('POST', 'topics', { topic_name: data.get('name'), partitions_count: Number(data.get('partitions')) });
      location.hash = `#/topic/${name(data.get('name'))}`;
    } catch (error) { said.replaceChildren(problem(error)); }
  } },
  h('label', {}, 'New topic', h('input', { name: 'name', required: true, maxlength: 249 })),
  h('label', {}, 'Partitions', h('input', { name: 'partitions', type: 'number', min: 1, value: 1, required: true })),
  h('button', { class: 'primary' }, 'Create'));
  return { title: 'Topics', nodes: [h('h1', {}, `Topics (${found.length})`), said, create,
    h('form', { role: 'search', onsubmit: event => event.preventDefault() }, h('label', {}, 'Search', search)), rows] };
}

export async function topic([topicName], again) {
  const path = `topics/${name(topicName)}`;
  const [about, partitions, configs] = await Promise.all([get(path), list(`${path}/partitions`), list(`${path}/configs`)]);
  const said = h('div', {});
  const act = (verb, where, body) => async event => {
    event.preventDefault();
    try { await send(verb, where, body?.()); again(); } catch (error) { said.replaceChildren(problem(error)); }
  };
  const count = h('input', { type: 'number', min: about.partitions_count + 1, value: about.partitions_count + 1, required: true });
  return { title: topicName, nodes: [h('h1', {}, topicName), said,
    h('form', { 'aria-label': 'Grow the topic', onsubmit: act('PATCH', path, () => ({ partitions_count: Number(count.value) })) },
      h('label', {}, 'Partitions', count), h('button', {}, 'Grow'),
      h('button', { type: 'button', onclick: act('POST', 'leader-elections', () => ({ election_type: 'PREFERRED', topics: [topicName] })) }, 'Elect preferred leaders'),
      h('a', { href: `#/records/${name(topicName)}` }, 'Records')),
    table('Partitions', [
      { name: 'Partition', number: true, of: row => row.partition_id },
      { name: 'Leader', of: row => row.leader ? `broker ${row.leader.related.split('/').pop()}` : badge('none', 'bad') },
      { name: 'In sync', of: row => row.isr.join(', ') },
      { name: 'Offline', of: row => row.offline_replicas.length ? h('span', { class: 'bad' }, row.offline_replicas.join(', ')) : '–' },
      { name: 'Preferred leader', of: row => `broker ${row.preferred_leader}` },
      { name: 'Epoch', number: true, of: row => row.leader_epoch },
    ], partitions),
    h('h2', {}, 'Settings'),
    table('Settings', [
      { name: 'Setting', of: row => row.name },
      { name: 'Value', of: row => row.is_default ? h('span', { class: 'dim' }, row.value ?? '–') : row.value },
      { name: 'From', of: row => row.source.toLowerCase().replaceAll('_', ' ') },
    ], configs.sort((one, other) => one.is_default - other.is_default))] };
}
