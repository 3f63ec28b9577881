import type { Account, ApiKey } from '../../domain/account.ts';
import { isApiKey } from '../../domain/apiKey.ts';
import { normaliseEmail } from '../../domain/email.ts';
import { isId, type IdPrefix } from '../../domain/ids.ts';
import type { GenerationLine, StaffQueries } from './ports.ts';
import type { StaffDeps } from './staffDeps.ts';

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
const maxLength = 300;

/**
 * Reads a search: an id anywhere in what was pasted (an address, a line of a log, a mail), a whole API
 * key or the end of one as the site shows it, an e-mail address, else words to look for as they are.
 * @returns null when there is nothing to look for.
 */
export function parseSearch(typed: string): Search | null {
  const text = typed.trim().slice(0, maxLength);
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

const maxFound = 50;

/** An account that was found, and the key by which it was. */
export interface FoundAccount {
  account: Account;
  key: ApiKey | null;
}

/** What a search found. */
export interface Found {
  generations: GenerationLine[];
  accounts: FoundAccount[];
}

const nothing: Found = { generations: [], accounts: [] };

/** Runs a search of the console; every query uses an index. */
export async function searchAll(deps: StaffDeps, typed: string): Promise<Found> {
  const search = parseSearch(typed);
  return search === null ? nothing : find(deps, search);
}

async function find(deps: StaffDeps, { kind, value }: Search): Promise<Found> {
  const { queries } = deps;
  const { accounts } = deps.work.database;
  const one = (account: Account | null, keyOf: (key: ApiKey) => boolean = () => false): Found => ({
    generations: [],
    accounts: account ? [{ account, key: account.keys.find(keyOf) ?? null }] : [],
  });
  switch (kind) {
    case 'generation':
      return generations(queries, value);
    case 'job': {
      const generationId = await queries.byJobId(value);
      return generationId === null ? words(deps, value) : generations(queries, generationId);
    }
    case 'request':
      return { ...nothing, generations: await queries.byRequestId(value) };
    case 'account':
      return one(await accounts.find(value));
    case 'key':
      return one(await accounts.findByKeyId(value), ({ id }) => id === value);
    case 'email':
      return one(await accounts.findByEmail(value));
    case 'apiKey': {
      const hashes = deps.keyHashes(value);
      const holder = await accounts.findByKeyHash(hashes);
      const account = holder && (await accounts.find(holder.id));
      return one(account, ({ hash }) => hashes.includes(hash));
    }
    case 'lastFour':
      return { ...nothing, accounts: await byLastFour(queries, value) };
    case 'text':
      return words(deps, value);
  }
}

async function generations(queries: StaffQueries, id: string): Promise<Found> {
  const found = await queries.generation(id);
  return { ...nothing, generations: found ? [found] : [] };
}

async function words({ queries }: StaffDeps, text: string): Promise<Found> {
  const [upstream, consents, accounts] = await Promise.all([
    queries.byUpstreamId(text, maxFound),
    queries.byConsentReference(text, maxFound),
    /^[0-9A-Za-z]{4}$/.test(text) ? byLastFour(queries, text) : [],
  ]);
  const all = new Map([...upstream, ...consents].map((line) => [line.id, line]));
  return { generations: [...all.values()], accounts };
}

async function byLastFour(queries: StaffQueries, lastFour: string): Promise<FoundAccount[]> {
  const found = await queries.byLastFour(lastFour, maxFound);
  return found.map((account) => ({
    account,
    key: account.keys.find((key) => key.lastFour === lastFour) ?? null,
  }));
}
