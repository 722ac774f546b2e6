import { get, list, name } from './api.js';
import { badge, h, table } from './dom.js';

export async function groups() {
  const found = await list('consumer-groups');
  return { title: 'Groups', nodes: [h('h1', {}, `Consumer groups (${found.length})`), table('Groups', [
    { name: 'Group', of: row => h('a', { href: `#/group/${name(row.consumer_group_id)}` }, row.consumer_group_id) },
    { name: 'State', of: row => badge(row.state, row.state === 'STABLE' ? 'good' : 'dim') },
    { name: 'Assignor', of: row => row.partition_assignor || '–' },
  ], found)] };
}

/// Lag over time, as long as this page has been looking.
const seen = new Map();

export async function group([id], again) {
  const path = `consumer-groups/${name(id)}`;
  const [about, lags, consumers] = await Promise.all([get(path), list(`${path}/lags`), list(`${path}/consumers`)]);
  const points = seen.get(id) ?? [];
  seen.set(id, points);
  points.push({ at: Date.now(), lag: lags.reduce((sum, row) => sum + (row.lag ?? 0), 0) });
  if (points.length > 600) points.shift();
  const timer = setTimeout(again, 2000);
  return { title: id, leave: () => clearTimeout(timer), nodes: [
    h('h1', {}, `${id} `, badge(about.state, about.state === 'STABLE' ? 'good' : 'dim')),
    h('p', {}, `${points.at(-1).lag} records behind, ${consumers.length} members`),
    chart(points),
    h('h2', {}, 'Partitions'),
    table('Lag', [
      { name: 'Partition', of: row => `${row.topic_name}-${row.partition_id}` },
      { name: 'Read to', number: true, of: row => row.current_offset },
      { name: 'End', number: true, of: row => row.log_end_offset ?? '?' },
      { name: 'Lag', number: true, of: row => row.lag ?? '?' },
      { name: 'Seconds', number: true, of: row => row.lag_seconds === null ? '?' : row.lag_seconds.toFixed(1) },
      { name: 'Member', of: row => row.client_id ?? '–' },
    ], lags)] };
}

function chart(points) {
  const width = 800, height = 220, left = 60, bottom = 24, top = 12;
  const most = Math.max(1, ...points.map(point => point.lag));
  const begin = points[0].at, span = Math.max(1000, points.at(-1).at - begin);
  const x = at => left + (width - left - 10) * (at - begin) / span;
  const y = lag => height - bottom - (height - bottom - top) * lag / most;
  const svg = true;
  return h('svg', { svg, class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Lag over time, now ${points.at(-1).lag}, at most ${most}` },
    ...[0, .5, 1].flatMap(share => [h('line', { svg, x1: left, x2: width - 10, y1: y(most * share), y2: y(most * share) }),
      h('text', { svg, x: left - 8, y: y(most * share) + 4, 'text-anchor': 'end' }, Math.round(most * share))]),
    h('text', { svg, x: left, y: height - 6 }, new Date(begin).toLocaleTimeString()),
    h('text', { svg, x: width - 10, y: height - 6, 'text-anchor': 'end' }, new Date(points.at(-1).at).toLocaleTimeString()),
    h('path', { svg, d: points.map((point, i) => `${i ? 'L' : 'M'}${x(point.at).toFixed(1)},${y(point.lag).toFixed(1)}`).join(' ') }));
}
