import type { Account, ApiKey } from '../../domain/account.ts';
import { isApiKey, shownStart } from '../../domain/apiKey.ts';
import { normaliseEmail } from '../../domain/signIn.ts';
import { isId, type IdPrefix } from '../../domain/ids.ts';
import type { GenerationLine, StaffQueries } from '../ports/staffQueries.ts';
import type { StaffDeps } from './staffDeps.ts';

/** A parsed search. */
export type Search =
  | { kind: 'generation' | 'account' | 'key' | 'request' | 'email' | 'job'; value: string }
  | { kind: 'apiKey'; value: string }
  | { kind: 'lastFour'; value: string }
  /** The start of an id or of a key. */
  | { kind: 'start'; value: string }
  /** Words: a consent reference, a provider's task id, or the end of a key. */
  | { kind: 'text'; value: string };

const idKinds: Partial<Record<IdPrefix, Search['kind']>> = {
  gen: 'generation',
  acct: 'account',
  key: 'key',
  req: 'request',
};
const idPattern = /\b(gen|acct|key|req)_[0-9a-hjkmnp-tv-z]{26}\b/gi;
/** The start of an id, or of a key, whose letters are case-sensitive. */
const startPattern = /^((gen|acct|key|req)_[0-9a-hjkmnp-tv-z]{3,25}|fg_live_[0-9A-Za-z]{1,37})$/;

/** Characters of a pasted mail or log in which ids are looked for, and of other searches. */
const maxPasted = 10_000;
const maxLength = 300;
/** Ids of one search. */
const maxIds = 20;

/**
 * Parses a search: all ids in pasted text (an address, a log, a mail), a whole API key or its end as the site
 * shows it, an e-mail address, else literal words.
 * @returns One search, or one per id; none for empty text.
 */
export function parseSearch(typed: string): Search[] {
  const ids = idsIn(typed.slice(0, maxPasted));
  if (ids.length > 0) return ids;
  const text = typed.trim().slice(0, maxLength);
  return text === '' ? [] : [searchFor(text)];
}

function idsIn(text: string): Search[] {
  const ids = new Set([...text.matchAll(idPattern)].map(([id]) => id.toLowerCase()));
  return [...ids].slice(0, maxIds).flatMap((value): Search[] => {
    const prefix = value.slice(0, value.indexOf('_')) as IdPrefix;
    const kind = idKinds[prefix];
    return kind && isId(prefix, value) ? [{ kind, value }] : [];
  });
}

function searchFor(text: string): Search {
  if (isApiKey(text)) return { kind: 'apiKey', value: text };
  if (startPattern.test(text)) return { kind: 'start', value: text };
  const end =
    /^fg_live_.*?([0-9A-Za-z]{4})$/.exec(text)?.[1] ?? /^[….]+([0-9A-Za-z]{4})$/.exec(text)?.[1];
  if (end !== undefined) return { kind: 'lastFour', value: end };
  const email = text.includes('@') ? normaliseEmail(text) : null;
  if (email !== null) return { kind: 'email', value: email };
  if (/^[0-9a-f]{24}$/i.test(text)) return { kind: 'job', value: text.toLowerCase() };
  return { kind: 'text', value: text };
}

const maxFound = 50;

/** A found account, and the key that matched. */
export interface FoundAccount {
  account: Account;
  key: ApiKey | null;
}

export interface Found {
  generations: GenerationLine[];
  accounts: FoundAccount[];
}

const nothing: Found = { generations: [], accounts: [] };

/** Runs a search of the console with indexed queries only. */
export async function searchAll(deps: StaffDeps, typed: string): Promise<Found> {
  const generations = new Map<string, GenerationLine>();
  const accounts = new Map<string, FoundAccount>();
  for (const search of parseSearch(typed)) {
    const found = await find(deps, search);
    for (const line of found.generations) generations.set(line.id, line);
    for (const each of found.accounts) accounts.set(each.account.id, each);
  }
  return { generations: [...generations.values()], accounts: [...accounts.values()] };
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
    case 'email': {
      const found = await accounts.findByEmail(value);
      return found ? one(found) : words(deps, value);
    }
    case 'start':
      return starting(queries, value);
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
  if (!found) return nothing;
  return {
    ...nothing,
    generations: [{ ...found, provider: found.attempts.at(-1)?.provider ?? null }],
  };
}

async function words({ queries }: StaffDeps, text: string): Promise<Found> {
  const [upstream, consents, accounts, addresses] = await Promise.all([
    queries.byUpstreamId(text, maxFound),
    queries.byConsentReference(text, maxFound),
    /^[0-9A-Za-z]{4}$/.test(text) ? byLastFour(queries, text) : [],
    /^\S{3,}$/.test(text) ? queries.accountsFrom('email', text.toLowerCase(), maxFound) : [],
  ]);
  const all = new Map([...upstream, ...consents].map((line) => [line.id, line]));
  const byAddress = addresses.map((account) => ({ account, key: null }));
  return { generations: [...all.values()], accounts: [...accounts, ...byAddress] };
}

/**
 * Finds ids and keys by their start. Keys made before starts were stored are found by the end of the typed
 * text.
 */
async function starting(queries: StaffQueries, start: string): Promise<Found> {
  const prefix = start.slice(0, start.indexOf('_'));
  if (prefix === 'gen' || prefix === 'req') {
    const by = prefix === 'gen' ? 'id' : 'requestId';
    return { ...nothing, generations: await queries.linesFrom(by, start, maxFound) };
  }
  if (prefix === 'fg') {
    const kept = shownStart(start);
    const found = await queries.accountsFrom('key', kept, maxFound);
    const accounts = found.map((account) => ({
      account,
      key: account.keys.find((key) => key.prefix.startsWith(kept)) ?? null,
    }));
    const end = start.slice(-4);
    const byEnd = accounts.length === 0 && !end.includes('_') ? byLastFour(queries, end) : [];
    return { ...nothing, accounts: [...accounts, ...(await byEnd)] };
  }
  const by = prefix === 'acct' ? 'id' : 'keyId';
  const found = await queries.accountsFrom(by, start, maxFound);
  const keyOf = ({ keys }: Account) => keys.find(({ id }) => id.startsWith(start)) ?? null;
  return { ...nothing, accounts: found.map((account) => ({ account, key: keyOf(account) })) };
}

async function byLastFour(queries: StaffQueries, lastFour: string): Promise<FoundAccount[]> {
  const found = await queries.byLastFour(lastFour, maxFound);
  return found.map((account) => ({
    account,
    key: account.keys.find((key) => key.lastFour === lastFour) ?? null,
  }));
}
