import { get, list } from './api.js';
import { badge, bytes, h } from './dom.js';

const kinds = { OK: 'good', DEGRADED: 'warn', CRITICAL: 'bad', ACTIVE: 'good', FENCED: 'bad', SHUTTING_DOWN: 'warn' };

/// The map: who is there, who leads, what is wrong, and what happened last.
export async function cluster(_, again, recent) {
  const [health, brokers, coordinators, controllers, directories] = await Promise.all([get('health'), list('brokers'),
    list('coordinators'), list('controllers'), list('log-dirs')]);
  const disk = new Map();
  for (const directory of directories) {
    const held = directory.replicas.reduce((sum, replica) => sum + replica.size, 0);
    const before = disk.get(directory.broker_id) ?? { held: 0, total: 0, usable: 0 };
    disk.set(directory.broker_id, { held: before.held + held, total: before.total + (directory.total_bytes ?? 0),
      usable: before.usable + (directory.usable_bytes ?? 0) });
  }
  return { title: 'Cluster', nodes: [
    h('h1', {}, 'Cluster ', badge(health.status, kinds[health.status])),
    h('div', { class: 'cards' },
      card('Partitions', null, [['without a leader', mark(health.leaderless, 'bad')], ['under min ISR', mark(health.under_min_isr, 'bad')],
        ['under-replicated', mark(health.under_replicated, 'warn')], ['not with their preferred leader', health.non_preferred_leaders],
        ['moving', health.moving]]),
      ...controllers.map(one => card(`Controller ${one.controller_id}`, badge(one.role, one.role === 'ACTIVE' ? 'good' : 'dim'),
        [['version', one.version]])),
      ...coordinators.map(one => card(`Coordinator ${one.coordinator_id}`, badge(one.state, kinds[one.state]),
        [['address', `${one.host}:${one.port}`], ['shards of groups', one.shards.length]]))),
    h('h2', {}, 'Brokers'),
    h('div', { class: 'cards' }, brokers.map(one => {
      const space = disk.get(one.broker_id);
      return card(`Broker ${one.broker_id}`, badge(one.state, kinds[one.state]), [['address', `${one.host}:${one.port}`],
        ['rack', one.rack ?? '–'], ['leads', one.leader_count], ['holds', one.replica_count],
        ['on disk', space ? bytes(space.held) : 'no answer']],
      space?.total ? h('div', { class: 'bar', role: 'img', 'aria-label': `disk ${percent(space)} % full` }, h('i', { style: `width:${percent(space)}%` })) : null);
    })),
    health.reasons.length ? h('h2', {}, 'What is wrong') : null,
    health.reasons.length ? h('ul', {}, health.reasons.map(reason => h('li', { class: reason.severity === 'CRITICAL' ? 'bad' : 'warn' }, reason.message))) : null,
    h('h2', {}, 'What happened'),
    h('ol', { class: 'events card', tabindex: 0, 'aria-label': 'Events, the newest first' }, recent.length
      ? recent.map(event => h('li', {}, h('span', { class: 'dim' }, `${new Date(event.at ?? Date.now()).toLocaleTimeString()} `), event.type, ' ',
        Object.values(event.resource ?? {}).join('-'), event.after === null || event.after === undefined ? '' : ` → ${JSON.stringify(event.after)}`))
      : h('li', { class: 'dim' }, 'Nothing since this page was opened.')),
  ].filter(Boolean) };
}

const percent = space => Math.round(100 * (space.total - space.usable) / space.total);
const mark = (count, kind) => h('span', { class: count ? kind : '' }, count);
const card = (title, state, rows, ...more) => h('section', { class: 'card' }, h('h3', {}, title, state),
  h('dl', {}, rows.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])), ...more);
