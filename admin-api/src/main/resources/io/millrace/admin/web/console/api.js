/// Calls of the API, below the one cluster that this service knows.
let cluster;

async function call(path, options = {}) {
  const response = await fetch(path, { headers: options.body ? { 'Content-Type': 'application/json' } : {}, ...options });
  const text = await response.text();
  const body = text ? JSON.parse(text) : null;
  if (!response.ok) throw new Error(body?.message ?? `${response.status} ${response.statusText}`);
  return body;
}

async function base() {
  cluster ??= (await call('v3/clusters')).data[0].cluster_id;
  return `v3/clusters/${encodeURIComponent(cluster)}`;
}

export const get = async path => call(`${await base()}/${path}`);
export const list = async path => (await get(path)).data;
export const send = async (verb, path, body) => call(`${await base()}/${path}`, { method: verb, body: body === undefined ? undefined : JSON.stringify(body) });
export const name = encodeURIComponent;

/// One connection for the whole console; it comes back by itself.
export async function events(onEvent, onState) {
  const source = new EventSource(`${await base()}/events`);
  source.onopen = () => onState(true);
  source.onerror = () => onState(false);
  for (const type of ['topic.created', 'topic.deleted', 'topic.altered', 'partition.leader', 'partition.isr', 'partition.offline',
    'broker.up', 'broker.down', 'broker.draining', 'coordinator.up', 'coordinator.down', 'coordinator.draining',
    'controller.elected', 'config.changed', 'logdir.failed', 'reassignment.started', 'reassignment.ended', 'reset']) {
    source.addEventListener(type, message => onEvent({ type, ...JSON.parse(message.data) }));
  }
}

export async function tail(topic, query, onRecord) {
  const source = new EventSource(`${await base()}/topics/${name(topic)}/records:tail?${query}`);
  source.addEventListener('record', message => onRecord(JSON.parse(message.data)));
  return source;
}
