import type { Account, ApiKey } from '../../domain/account.ts';
import type { GenerationLine, StaffQueries } from './ports.ts';
import { readSearch, type Search } from './readSearch.ts';
import type { StaffDeps } from './staffDeps.ts';

const atMost = 50;

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

/** Looks for whatever the search box was given; every question goes through an index. */
export async function searchAll(deps: StaffDeps, typed: string): Promise<Found> {
  const search = readSearch(typed);
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
    queries.byUpstreamId(text, atMost),
    queries.byConsentReference(text, atMost),
    /^[0-9A-Za-z]{4}$/.test(text) ? byLastFour(queries, text) : [],
  ]);
  const all = new Map([...upstream, ...consents].map((line) => [line.id, line]));
  return { generations: [...all.values()], accounts };
}

async function byLastFour(queries: StaffQueries, lastFour: string): Promise<FoundAccount[]> {
  const found = await queries.byLastFour(lastFour, atMost);
  return found.map((account) => ({
    account,
    key: account.keys.find((key) => key.lastFour === lastFour) ?? null,
  }));
}
