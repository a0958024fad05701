/** The place in the console. The part of the address behind # holds all of it, so the server and its logs never get a filter. */
export interface Route {
  page: string;
  args: string[];
  query: Record<string, string>;
}

function parse(): Route {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [page = '', ...args] = path.split('/').map(decoded);
  return { page: page || 'overview', args, query: Object.fromEntries(new URLSearchParams(search)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = $state<Route>(parse());

addEventListener('hashchange', () => Object.assign(route, parse()));

export function link(page: string, args: string[] = [], query: Record<string, string | undefined> = {}): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value) {
      fields.set(name, value);
    }
  }
  const search = fields.toString();
  return '#/' + [page, ...args.map(encodeURIComponent)].join('/') + (search ? '?' + search : '');
}

export function go(to: string): void {
  location.hash = to;
}

/** Changes some fields of the query. It adds no entry to the history of the browser. */
export function change(fields: Record<string, string | undefined>): void {
  history.replaceState(null, '', link(route.page, route.args, { ...route.query, ...fields }));
  Object.assign(route, parse());
}
