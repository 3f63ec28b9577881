import { isApiKey } from '../../domain/apiKey.ts';
import { normaliseEmail } from '../../domain/email.ts';
import { isId, type IdPrefix } from '../../domain/ids.ts';

/** The text of the search box. */
export type Search =
  | { kind: 'generation' | 'account' | 'key' | 'request' | 'email' | 'job'; value: string }
  | { kind: 'apiKey'; value: string }
  | { kind: 'lastFour'; value: string }
  /** A consent reference or a provider's task id, and perhaps the end of a key. */
  | { kind: 'text'; value: string };

const idKinds: Partial<Record<IdPrefix, Search['kind']>> = {
  gen: 'generation',
  acct: 'account',
  key: 'key',
  req: 'request',
};
const idPattern = /\b(gen|acct|key|req)_[0-9a-hjkmnp-tv-z]{26}\b/i;
const lengthMax = 300;

/**
 * Reads a search: an id anywhere in what was pasted (an address, a line of a log, a mail), a whole API
 * key or the end of one as the site shows it, an e-mail address, else words to look for as they are.
 * @returns null when there is nothing to look for.
 */
export function readSearch(typed: string): Search | null {
  const text = typed.trim().slice(0, lengthMax);
  if (text === '') return null;
  const id = idPattern.exec(text)?.[0].toLowerCase();
  const prefix = id?.slice(0, id.indexOf('_')) as IdPrefix | undefined;
  const kind = prefix && idKinds[prefix];
  if (id !== undefined && prefix && kind && isId(prefix, id)) return { kind, value: id };
  if (isApiKey(text)) return { kind: 'apiKey', value: text };
  const end =
    /^fg_live_.*?([0-9A-Za-z]{4})$/.exec(text)?.[1] ?? /^[….]+([0-9A-Za-z]{4})$/.exec(text)?.[1];
  if (end !== undefined) return { kind: 'lastFour', value: end };
  const email = text.includes('@') ? normaliseEmail(text) : null;
  if (email !== null) return { kind: 'email', value: email };
  if (/^[0-9a-f]{24}$/i.test(text)) return { kind: 'job', value: text.toLowerCase() };
  return { kind: 'text', value: text };
}
