/// Small things that every page needs. Text is always text: nothing that a cluster says becomes HTML.
export function h(tag, attributes = {}, ...children) {
  const svg = ['svg', 'path', 'line', 'text', 'title'].includes(tag) && attributes.svg;
  const node = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'svg' || value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined).map(child =>
    child instanceof Node ? child : document.createTextNode(String(child))));
  return node;
}

export const badge = (text, kind) => h('span', { class: `badge ${kind}` }, text);

export function table(caption, columns, rows) {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    h('table', {},
      h('thead', {}, h('tr', {}, columns.map(column => h('th', { scope: 'col', class: column.number ? 'n' : null }, column.name)))),
      h('tbody', {}, rows.length
        ? rows.map(row => h('tr', {}, columns.map(column => h('td', { class: column.number ? 'n' : null }, column.of(row)))))
        : h('tr', {}, h('td', { colspan: columns.length, class: 'dim' }, 'Nothing here.')))));
}

export function bytes(count) {
  if (count === null || count === undefined) return '?';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) { count /= 1024; unit++; }
  return `${unit ? count.toFixed(1) : count} ${units[unit]}`;
}

export const problem = error => h('p', { class: 'problem', role: 'alert' }, error.message);
