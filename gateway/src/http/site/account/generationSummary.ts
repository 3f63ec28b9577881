import {
  presentGeneration,
  presentPosters,
} from '../../../application/generations/presentGeneration.ts';
import type { HistoryItem } from '../../../application/ports/generations.ts';
import type { Account } from '../../../domain/account.ts';
import { text } from '../../../texts/text.ts';
import { formatNumber } from '../../pages/html.ts';
import { failureText } from './labels.ts';
import { labelOf } from './pictures.ts';
import type { Site } from './site.ts';

/** Summary of a generation for its owner. */
export type GenerationSummary = ReturnType<typeof summarise>;

/** The name of a key, and the address of the member of the team who made it, if one did. */
export interface KeyLabel {
  name: string;
  maker?: string | undefined;
}

/** Summarises a generation for its owner. @param keys Labels of keys by id. */
export function summarise(site: Site, item: HistoryItem, keys: ReadonlyMap<string, KeyLabel>) {
  const record = presentGeneration(item, site.addresses, site.deps.clock.now(), null);
  const { cost_credits: cost, refunded_credits: refunded } = record.billing;
  return {
    id: item.id,
    type: item.type,
    modelName: site.modelName(item.model),
    status: item.status,
    label: labelOf(item),
    isFavourite: item.favourite === true,
    createdAt: item.createdAt,
    cost: costInWords(cost, refunded),
    refundedCredits: refunded,
    isByKey: item.channel === 'api',
    madeBy: item.channel === 'pc' ? text('generation.thisSite') : byKey(keys.get(item.keyId ?? '')),
    title: shorten(item.prompt),
    output: record.output,
    poster: presentPosters(item, site.addresses, site.deps.clock.now(), 320)[0] ?? null,
    parameters: item.parameters,
    // One that its owner took back is no failure to explain.
    error:
      item.failure?.takenBack || !record.error
        ? undefined
        : { ...record.error, message: failureText(record.error.code) },
  };
}

function byKey(key: KeyLabel | undefined): string {
  if (key === undefined) return text('generation.byRemovedKey');
  const { name, maker } = key;
  return maker === undefined
    ? text('generation.byKey', { name })
    : text('generation.byKeyOf', { name, maker });
}

/** A cost with its refund. */
function costInWords(cost: number, refunded: number | undefined): string {
  const credits = formatNumber(cost);
  if (refunded === undefined) return text('generation.cost', { credits });
  if (refunded === cost) return text('generation.costRefunded', { credits });
  return text('generation.costPartlyRefunded', { credits, refunded: formatNumber(refunded) });
}

/** Names of the keys that created the items, by id, including removed keys. */
export async function keyNames(
  { deps }: Site,
  { id: accountId, keys }: Account,
  items: readonly Pick<HistoryItem, 'keyId'>[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const former = items.flatMap(({ keyId }) => (keyId === null || names.has(keyId) ? [] : [keyId]));
  if (former.length === 0) return names;
  return new Map([...names, ...(await deps.database.formerKeys.names(accountId, former))]);
}

/** Labels of the keys that created the items, by id. */
export async function keyLabels(
  site: Site,
  account: Account,
  items: readonly Pick<HistoryItem, 'keyId'>[],
): Promise<ReadonlyMap<string, KeyLabel>> {
  const makers = new Map(account.keys.map(({ id, madeBy }) => [id, madeBy?.email || undefined]));
  const names = await keyNames(site, account, items);
  return new Map([...names].map(([id, name]) => [id, { name, maker: makers.get(id) }]));
}

/** Shortens a prompt to one line. */
export function shorten(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ')];
  return letters.length <= 90 ? letters.join('') : `${letters.slice(0, 88).join('')}…`;
}
