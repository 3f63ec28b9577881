import { dayMs } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import { type CaseClues, findClues, matchesOf } from '../../domain/staff/caseClues.ts';
import { emailsIn } from '../../domain/staff/staffSearch.ts';
import type { Language } from '../../domain/text/language.ts';
import type { App } from '../app.ts';
import type { HistoryItem } from '../ports/generations.ts';
import type { StaffGeneration } from '../ports/staffQueries.ts';
import { type PlannedAction, runActionForValue, type StaffActor } from './runAction.ts';
import type { SearchResult } from './search.ts';

/** Generations shown in a case. */
const maxShown = 5;
/** Generations of an account, and of each day that an email names, that are compared with it. */
const maxCompared = 200;
/** Customers that one email may concern. */
const maxCustomers = 10;

/** A generation that an email may mean. */
export interface CaseGeneration {
  generation: StaffGeneration;
  /** Traces of it in the email, for staff. */
  because: string[];
}

/** A customer's email with the generations that it may mean, likeliest first. */
export interface Case {
  account: Account;
  /** The language of the customer's emails. */
  language: Language;
  likely: CaseGeneration[];
  /** Whether the email names none: the newest are shown. */
  isGuess: boolean;
  /** Number of prompts that were compared with the email. */
  compared: number;
}

/** The customers of an email: the owners of the ids, keys, addresses and references in it. */
export async function loadCustomers(
  deps: App,
  result: SearchResult,
  letter: string,
): Promise<Account[]> {
  const { accounts } = deps.database;
  const owners = result.generations.map(({ accountId }) => accountId);
  const matched = new Map(result.accounts.map(({ account }) => [account.id, account]));
  const ownerIds = matched.size > 0 || owners.length === 0 ? [] : owners;
  for (const id of [...new Set(ownerIds)].slice(0, maxCustomers)) {
    const account = await accounts.find(id);
    if (account) matched.set(id, account);
  }
  for (const email of emailsIn(letter)) {
    const account = await accounts.findByEmail(email);
    if (account && account.staffRole === null) matched.set(account.id, account);
  }
  return [...matched.values()];
}

/**
 * Finds the generations of a customer that an email may mean: by ids, else by words of the prompt, amount and time
 * among the newest ones and those of the days that it names. Prompts are compared within a `reveal prompt` action,
 * which the audit log records, and are not returned.
 * @throws Refusal
 */
export async function openCase(
  deps: App,
  actor: StaffActor,
  { account, letter, search }: { account: Account; letter: string; search: SearchResult },
): Promise<Case> {
  const { language = 'en' } = await deps.notices.find(account.id);
  const own = ({ accountId }: { accountId: string }) => accountId === account.id;
  const namedIds = search.generations.filter(own).map(({ id }) => id);
  const near = search.near.filter(own).map(({ id }) => id);
  const ids = [...namedIds, ...near];
  const traceOf = (id: string) =>
    namedIds.includes(id) ? 'its ID' : 'created at the time in the ID';
  if (ids.length > 0) {
    const likely = await findMentioned(
      deps,
      ids.map((id) => ({ id, because: [traceOf(id)] })),
    );
    return { account, language, likely, isGuess: false, compared: 0 };
  }
  const clues = findClues(letter, search.missing, deps.clock.now());
  const plan: PlannedAction = {
    action: 'reveal prompt',
    targets: [account.id],
    reason: 'Compared with an email of the customer',
    formId: null,
  };
  const { items, matches } = await runActionForValue(deps, actor, plan, async () => {
    const compared = await loadCompared(deps, account.id, clues);
    const best = matchesOf(clues, compared).slice(0, maxShown);
    const result = `${compared.length} prompts were compared with the email, and none was shown.`;
    return { value: { items: compared, matches: best }, summary: result };
  });
  const isGuess = matches.length === 0;
  const chosen = isGuess
    ? items.slice(0, maxShown).map(({ id }) => ({ id, because: ['one of the newest'] }))
    : matches.map(({ item, because }) => ({ id: item.id, because }));
  const likely = await findMentioned(deps, chosen);
  return { account, language, likely, isGuess, compared: items.length };
}

/** The newest generations of an account, and those of the days, with a day's margin for time zones. */
async function loadCompared(
  { database }: App,
  accountId: string,
  { days }: CaseClues,
): Promise<HistoryItem[]> {
  const spans = [{}, ...days.map((day) => ({ from: day - dayMs / 2, until: day + 1.5 * dayMs }))];
  const items = new Map<string, HistoryItem>();
  for (const span of spans) {
    const page = await database.generations.searchHistory(accountId, span, null, maxCompared);
    for (const item of page.items) items.set(item.id, item);
  }
  return [...items.values()];
}

async function findMentioned(
  { staffQueries }: App,
  chosen: readonly { id: string; because: string[] }[],
): Promise<CaseGeneration[]> {
  const likely: CaseGeneration[] = [];
  for (const { id, because } of chosen.slice(0, maxShown)) {
    const generation = await staffQueries.findGeneration(id);
    if (generation) likely.push({ generation, because });
  }
  return likely;
}
