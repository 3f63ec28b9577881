import { randomUUID } from 'node:crypto';
import type { LoadRequest } from '../bench/load.ts';
import type { Caller } from './routes.ts';
import { defaultParams, encode, fill, type Row } from './rows.ts';
import type { Person, Target } from './target.ts';

/** The origin of the application that serves a route. */
export function originOf(route: string, { origins }: Target): string {
  if (route.includes(' /operator/')) return origins.operator;
  return route.endsWith(' /metrics') ? origins.metrics : origins.gateway;
}

/** A caller's credentials. */
export function credentials(
  caller: Caller,
  target: Target,
  person: Person,
): Record<string, string> {
  switch (caller) {
    case 'anonymous':
    case 'monitoring':
      return {};
    case 'API key':
      return { authorization: `Bearer ${person.apiKey}` };
    case 'operator key':
      return { authorization: `Bearer ${target.operatorKey}` };
    case 'viewer':
    case 'support':
    case 'admin':
      return { cookie: target.staff[caller] };
    default:
      return { cookie: person.cookies[caller] };
  }
}

/** A page with a form for each kind of caller: the token of a browser is that of all its forms. */
function formPage(caller: Caller, route: string): string {
  if (route.includes(' /staff')) {
    return caller === 'anonymous' ? '/staff/sign-in' : '/staff/passkeys';
  }
  return caller === 'anonymous' ? '/sign-in' : '/settings/account';
}

/** Opens a page as a browser does. @returns Its cookies, and the token of its forms. */
export async function openForm(origin: string, path: string, cookie = '') {
  const page = await fetch(origin + path, { headers: { cookie } });
  const own = page.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const body = await page.text();
  const token = /name="form_token" value="([^"]+)"/.exec(body)?.[1];
  if (token === undefined) throw new Error(`no form at ${path}: ${page.status}`);
  return { cookie: [cookie, ...own].filter((each) => each !== '').join('; '), token, body };
}

/** A function that makes the row's requests in turn. */
export async function prepareShots(row: Row, target: Target): Promise<() => LoadRequest> {
  const people = target.people.slice(0, row.accounts ?? 1);
  const makers = await Promise.all(people.map((person) => prepareShotsOfOne(row, target, person)));
  let turn = 0;
  return () => {
    turn += 1;
    return (makers[turn % makers.length] as () => LoadRequest)();
  };
}

async function prepareShotsOfOne(
  row: Row,
  target: Target,
  person: Person,
): Promise<() => LoadRequest> {
  const { route, caller } = row;
  const method = route.slice(0, route.indexOf(' ')) as LoadRequest['method'];
  const callerCredentials = credentials(caller, target, person);
  const sendsForm = method === 'POST' && !row.json;
  const form = sendsForm
    ? await openForm(target.origins.gateway, formPage(caller, route), callerCredentials['cookie'])
    : null;
  return () => {
    const params = { ...defaultParams(route, target, person), ...row.params?.(target, person) };
    const query = row.query ? `?${encode(row.query(target, person))}` : '';
    const headers: Record<string, string> = {
      ...callerCredentials,
      'sec-fetch-site': 'same-origin',
    };
    let body: string | undefined;
    if (row.json) {
      headers['content-type'] = 'application/json';
      headers['idempotency-key'] = randomUUID();
      const sent = row.json(target, person);
      body = typeof sent === 'string' ? sent : JSON.stringify(sent);
    } else if (form) {
      headers['cookie'] = form.cookie;
      headers['content-type'] = 'application/x-www-form-urlencoded';
      body = encode({ form_token: form.token, ...row.form?.(target, person) });
    }
    Object.assign(headers, row.headers?.(target, person));
    const path = fill(route, params) + query;
    return { method, path, headers, ...(body !== undefined && { body }) };
  };
}
