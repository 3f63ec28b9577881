import type { Account } from '../../domain/accounts/account.ts';
import { type ApiKey, hashApiKey, shownStart } from '../../domain/accounts/apiKey.ts';
import { operatorReference } from '../../domain/credits/credits.ts';
import { timePrefixOf } from '../../domain/ids.ts';
import { parseSearch, type Search } from '../../domain/staff/staffSearch.ts';
import type { App } from '../app.ts';
import type { GenerationLine, StaffQueries } from '../ports/staffQueries.ts';

const maxFound = 50;
/** Generations created at the moment that a missing id states. */
const maxNear = 5;

/** A found account, and the key that matched. */
export interface AccountMatch {
  account: Account;
  key: ApiKey | null;
  /** Number of the matching payment's ledger entry. */
  entry?: number | undefined;
}

interface Matches {
  generations: GenerationLine[];
  accounts: AccountMatch[];
}

const nothing: Matches = { generations: [], accounts: [] };

/** The answer to a search. */
export interface SearchResult extends Matches {
  /** Ids in the text that do not exist. */
  missing: string[];
  /** Generations of the moments in missing ids: most of an id's characters are random, and one may be mistyped. */
  near: GenerationLine[];
  /** Number of ids in the text beyond the limit. */
  idsLeftOut: number;
}

/** Runs a search of the console with indexed queries only. */
export async function searchAll(deps: App, typed: string): Promise<SearchResult> {
  const { groups, idsLeftOut } = parseSearch(typed);
  const missing: string[] = [];
  const near = new Map<string, GenerationLine>();
  for (const group of groups) {
    const generations = new Map<string, GenerationLine>();
    const accounts = new Map<string, AccountMatch>();
    for (const search of group) {
      const matches = await find(deps, search);
      for (const line of matches.generations) generations.set(line.id, line);
      for (const each of matches.accounts) accounts.set(each.account.id, each);
      const isNothing = matches.generations.length + matches.accounts.length === 0;
      if (!isNothing || !idKinds.has(search.kind)) continue;
      missing.push(search.value);
      if (search.kind !== 'generation' || near.size >= maxFound) continue;
      const start = timePrefixOf(search.value);
      for (const line of await deps.staffQueries.findLinesFrom('id', start, maxNear)) {
        near.set(line.id, line);
      }
    }
    if (generations.size + accounts.size > 0) {
      const matches = { generations: [...generations.values()], accounts: [...accounts.values()] };
      return { ...matches, missing, near: [...near.values()], idsLeftOut };
    }
  }
  return { ...nothing, missing, near: [...near.values()], idsLeftOut };
}

/** Kinds of complete ids. */
const idKinds: ReadonlySet<Search['kind']> = new Set(['generation', 'account', 'key', 'request']);

async function find(deps: App, { kind, value }: Search): Promise<Matches> {
  const { staffQueries } = deps;
  const { accounts } = deps.database;
  const one = (
    account: Account | null,
    keyByStart: (key: ApiKey) => boolean = () => false,
  ): Matches => ({
    generations: [],
    accounts: account ? [{ account, key: account.keys.find(keyByStart) ?? null }] : [],
  });
  switch (kind) {
    case 'generation':
      return searchGenerations(staffQueries, value);
    case 'request':
      return {
        ...nothing,
        generations: await staffQueries.findLinesFrom('requestId', value, maxFound),
      };
    case 'account':
      return one(await accounts.find(value));
    case 'key':
      return one(await accounts.findByKeyId(value), ({ id }) => id === value);
    case 'email':
      return one(await accounts.findByEmail(value));
    case 'start':
      return searchByStart(staffQueries, value);
    case 'apiKey': {
      const hashes = deps.keyPeppers.map((pepper) => hashApiKey(value, pepper));
      const holder = await accounts.findByKeyHash(hashes);
      const account = holder && (await accounts.find(holder.id));
      return one(account, ({ hash }) => hashes.includes(hash));
    }
    case 'lastFour':
      return { ...nothing, accounts: await findByLastFour(staffQueries, value) };
    case 'reference':
      return searchReference(deps, value);
    case 'text':
      return searchWords(deps, value);
  }
}

async function searchGenerations(queries: StaffQueries, id: string): Promise<Matches> {
  const generation = await queries.findGeneration(id);
  if (!generation) return nothing;
  return {
    ...nothing,
    generations: [{ ...generation, provider: generation.attempts.at(-1)?.provider ?? null }],
  };
}

async function searchReference(deps: App, value: string): Promise<Matches> {
  const { staffQueries, database } = deps;
  const { accounts, ledger } = database;
  const [submitted, consents, jobOf, entry, customer] = await Promise.all([
    staffQueries.findByOperationId(value, maxFound),
    staffQueries.findByConsentReference(value, maxFound),
    /^[0-9a-f]{24}$/i.test(value) ? staffQueries.findByJobId(value) : null,
    ledger.findByReference(operatorReference(value)),
    accounts.findByExternalId(value),
  ]);
  const ofJob = jobOf === null ? [] : (await searchGenerations(staffQueries, jobOf)).generations;
  const payer = entry && (await accounts.find(entry.accountId));
  const all = new Map([...submitted, ...consents, ...ofJob].map((line) => [line.id, line]));
  return {
    generations: [...all.values()],
    accounts: [
      ...(customer ? [{ account: customer, key: null }] : []),
      ...(payer ? [{ account: payer, key: null, entry: entry.number }] : []),
    ],
  };
}

async function searchWords(deps: App, text: string): Promise<Matches> {
  const { staffQueries } = deps;
  const [{ generations, accounts }, ending, withEmail] = await Promise.all([
    searchReference(deps, text),
    /^[0-9A-Za-z]{4}$/.test(text) ? findByLastFour(staffQueries, text) : [],
    /^\S{3,}$/.test(text)
      ? staffQueries.findAccountsFrom('email', text.toLowerCase(), maxFound)
      : [],
  ]);
  const byEmail = withEmail.map((account) => ({ account, key: null }));
  return { generations, accounts: [...accounts, ...ending, ...byEmail] };
}

/** Finds ids and keys by their start. */
async function searchByStart(queries: StaffQueries, start: string): Promise<Matches> {
  const prefix = start.slice(0, start.indexOf('_'));
  if (prefix === 'gen' || prefix === 'req') {
    const by = prefix === 'gen' ? 'id' : 'requestId';
    return { ...nothing, generations: await queries.findLinesFrom(by, start, maxFound) };
  }
  if (prefix === 'fg') {
    const keyStart = shownStart(start);
    const byPrefix = await queries.findAccountsFrom('keyPrefix', keyStart, maxFound);
    const accounts = byPrefix.map((account) => ({
      account,
      key: account.keys.find((key) => key.prefix.startsWith(keyStart)) ?? null,
    }));
    return { ...nothing, accounts };
  }
  const by = prefix === 'acct' ? 'id' : 'keyId';
  const byStart = await queries.findAccountsFrom(by, start, maxFound);
  const keyByStart = ({ keys }: Account) => keys.find(({ id }) => id.startsWith(start)) ?? null;
  return {
    ...nothing,
    accounts: byStart.map((account) => ({ account, key: keyByStart(account) })),
  };
}

async function findByLastFour(queries: StaffQueries, lastFour: string): Promise<AccountMatch[]> {
  const accounts = await queries.findByLastFour(lastFour, maxFound);
  return accounts.map((account) => ({
    account,
    key: account.keys.find((key) => key.lastFour === lastFour) ?? null,
  }));
}
