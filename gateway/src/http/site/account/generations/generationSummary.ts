import {
  presentGeneration,
  presentPosters,
  removalOf,
} from '../../../../application/generations/presentGeneration.ts';
import type { GenerationLabel, HistoryItem } from '../../../../application/ports/generations.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { startOfHour } from '../../../../domain/generations/mediaUrl.ts';
import { isRemovedSoon } from '../../../../domain/generations/retention.ts';
import { peopleOf } from '../../../../domain/teams/team.ts';
import { mayInTeam } from '../../../../domain/teams/teamRoles.ts';
import { text } from '../../../../texts/text.ts';
import { formatNumber } from '../../../pages/html.ts';
import { namedKeys } from '../keys/keyTeamParts.ts';
import { labelOf } from '../pictures.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import { describeFailure } from './labels.ts';

/** Summary of a generation for its owner. */
export type GenerationSummary = ReturnType<typeof summarise>;

/** The name of a key, and the address of the team member who made it, if any. */
export interface KeyLabel {
  /** Null if the person may not see it. */
  name: string | null;
  maker?: string | undefined;
}

/** Names of the makers of an account's generations, by id. */
export interface Makers {
  keys: ReadonlyMap<string, KeyLabel>;
  /** Addresses of a team's people. */
  people: ReadonlyMap<string, string>;
}

/** The makers of a page that names none. */
export const noMakers: Makers = { keys: new Map(), people: new Map() };

/**
 * All dependencies of a part of a page about an ended generation, for `cachePart`: the generation, the name of its
 * model, and the time, because the URLs of its files change each hour until the files are deleted.
 */
export function summaryDependencies(site: Site, item: HistoryItem): unknown {
  const nowMs = site.deps.clock.now();
  return [item, site.modelName(item.model), startOfHour(nowMs), removalOf(item, nowMs).isRemoved];
}

/** Summarises a generation for its owner. */
export function summarise(site: Site, item: HistoryItem, makers: Makers) {
  const nowMs = site.deps.clock.now();
  const record = presentGeneration(item, site.deps.publicUrls, nowMs, null);
  const { cost_credits: cost, refunded_credits: refunded } = record.billing;
  const person = personIn(item, item.accountId, makers.people);
  const byKey = item.channel === 'pc' ? null : describeKey(makers.keys.get(item.keyId ?? ''));
  return {
    id: item.id,
    type: item.type,
    modelName: site.modelName(item.model),
    status: item.status,
    label: labelOf(item),
    isFavourite: item.isFavourite === true,
    createdAt: item.createdAt,
    cost: describeCost(cost, refunded),
    refundedCredits: refunded,
    madeBy: byKey ?? bySite(person),
    /** A short form for lists; null for the site if the person is unknown. */
    maker: byKey ?? (person === null ? null : text('generation.by', { name: person })),
    title: shorten(item.prompt),
    output: record.output,
    /** When its files are deleted, in ms since the epoch, if that is soon. */
    removedSoonAt:
      record.output?.urls && isRemovedSoon(item.outputsRemoveAt, nowMs)
        ? item.outputsRemoveAt
        : null,
    poster: presentPosters(item, site.deps.publicUrls, nowMs, 320)[0] ?? null,
    parameters: item.parameters,
    // One that its owner took back is not a failure to explain.
    error:
      item.failure?.wasCancelled || !record.error
        ? undefined
        : { ...record.error, message: describeFailure(record.error.code, item.failure?.wrongFile) },
  };
}

/**
 * The address of the person who made a generation at the site.
 * @returns Null if unknown, and for the owner of an account without a team.
 */
export function personIn(
  { madeBy }: Pick<HistoryItem, 'madeBy'>,
  accountId: string,
  people: Makers['people'],
): string | null {
  if (madeBy === undefined) return null;
  return people.get(madeBy) ?? (madeBy === accountId ? null : text('generation.formerMember'));
}

/** @param person See `personIn`. */
export function bySite(person: string | null): string {
  return person === null ? text('site.studio') : text('generation.thisSiteBy', { name: person });
}

function describeKey(key: KeyLabel | undefined): string {
  if (key === undefined) return text('generation.byRemovedKey');
  const { name, maker } = key;
  if (name === null) {
    return maker === undefined
      ? text('generation.byOtherKey')
      : text('generation.byOtherKeyOf', { maker });
  }
  return maker === undefined
    ? text('generation.byKey', { name })
    : text('generation.byKeyOf', { name, maker });
}

/** A cost with its refund. */
function describeCost(cost: number, refunded: number | undefined): string {
  const credits = formatNumber(cost);
  if (refunded === undefined) return text('generation.cost', { credits });
  if (refunded === cost) return text('generation.costRefunded', { credits });
  return text('generation.costPartlyRefunded', { credits, refunded: formatNumber(refunded) });
}

/** Names of the keys that created the items, by id, including removed keys. */
export async function loadKeyNames(
  { deps }: Site,
  { id: accountId, keys }: Account,
  items: readonly Pick<HistoryItem, 'keyId'>[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const former = items.flatMap(({ keyId }) => (keyId === null || names.has(keyId) ? [] : [keyId]));
  if (former.length === 0) return names;
  const formerNames = await deps.database.formerKeys.findNames(accountId, [...new Set(former)]);
  return new Map([...names, ...formerNames]);
}

/** Names of the keys and people that created the items, of those the person may see. */
export async function findMakers(
  site: Site,
  ctx: SiteContext,
  items: readonly Pick<HistoryItem, 'keyId'>[],
): Promise<Makers> {
  const account = accountOf(ctx);
  const makers = new Map(account.keys.map(({ id, madeBy }) => [id, madeBy?.email || undefined]));
  const seesAll = mayInTeam(ctx.state.role, 'see key names');
  const named = new Set(namedKeys(ctx, account).map(({ id }) => id));
  const names = await loadKeyNames(site, account, items);
  const keys = new Map(
    [...names].map(([id, name]) => {
      const visibleName = seesAll || named.has(id) ? name : null;
      return [id, { name: visibleName, maker: makers.get(id) }];
    }),
  );
  return { keys, people: peopleOf(account) };
}

/** Title of a generation in a list: its prompt on one line, or its id once the prompt is deleted. */
export const listTitle = ({ id, prompt }: Pick<GenerationLabel, 'id' | 'prompt'>): string =>
  prompt === '' ? id : shorten(prompt);

/** Shortens a prompt to one line. */
export function shorten(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ');
  if (line.length <= maxCharacters) return line;
  // A character has two units at most.
  const characters = [...line.slice(0, 2 * (maxCharacters + 1))];
  return characters.length <= maxCharacters
    ? line
    : `${characters.slice(0, maxCharacters - 2).join('')}…`;
}

const maxCharacters = 90;
