/** A browser without JavaScript: cookies, redirects, forms. */
export interface Visitor {
  get(path: string): Promise<Page>;
  /** Sends fields to a path, with the token of the last page and, as a password manager would, the known password. */
  post(path: string, fields?: Record<string, string | string[]>): Promise<Page>;
  /** Sends exactly these fields. */
  send(path: string, init: RequestInit): Promise<Page>;
  cookies: Map<string, string>;
}

/** A page at the end of its redirects. */
export interface Page {
  status: number;
  path: string;
  headers: Headers;
  text: string;
  /** The value of a field by its name. */
  field(name: string): string;
}

/** Opens a new browser at a site. @param always Headers of each request, such as those that a proxy adds. */
export function createVisitor(origin: string, always: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>();
  let token = '';
  let known = '';

  async function send(path: string, init: RequestInit): Promise<Page> {
    const headers = new Headers({ ...always, ...(init.headers as Record<string, string>) });
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(origin + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (response.status === 303 && location !== null) {
      await response.arrayBuffer();
      return send(new URL(location, origin + path).href.slice(origin.length), {});
    }
    const text = await response.text();
    const field = (name: string) => fieldValue(text, name);
    token = field('form_token') || token;
    return { status: response.status, path, headers: response.headers, text, field };
  }

  return {
    cookies,
    send,
    get: (path) => send(path, {}),
    post(path, fields = {}) {
      known = [fields['password'] ?? known].flat()[0] ?? '';
      const body = new URLSearchParams({ form_token: token });
      if (fields['current_password'] === undefined) body.append('current_password', known);
      for (const [name, value] of Object.entries(fields)) {
        for (const each of [value].flat()) body.append(name, each);
      }
      return send(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } });
    },
  };
}

function fieldValue(html: string, name: string): string {
  const tag = new RegExp(
    `<(?:input|textarea)[^>]*\\bname="${name.replace(/[.[\]]/g, '\\$&')}"[^>]*>`,
  ).exec(html)?.[0];
  return unescape(/\bvalue="([^"]*)"/.exec(tag ?? '')?.[1] ?? '');
}

const unescape = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
