import type { mongo } from 'mongoose';
import type { WithoutPosition } from '../../../domain/feed/feed.ts';
import type { Collections } from '../collections.ts';
import type { InTransaction } from '../transactions.ts';

/** The index of items by position, on each of their collections. */
export const hint = 'feed';

/** One kind of items, with its own collection and an index that lists those without a position first. */
export interface Source {
  kind: WithoutPosition['kind'];
  collection: mongo.Collection<{ _id: string }>;
  /** Filter for documents without a position. */
  withoutPosition: mongo.Filter<{ _id: string }>;
  sort: Record<string, 1>;
  /** The fields that determine its order, by their names in the collection. */
  subject: string;
  number: string;
  sequence?: string;
}

/** The kinds of items in the feed. */
export function sourcesOf({
  ledger,
  generations,
  operatorEvents,
}: Pick<Collections, 'ledger' | 'generations' | 'operatorEvents'>): Source[] {
  const untypedCollection = (collection: { collectionName: string }) =>
    collection as unknown as Source['collection'];
  return [
    {
      kind: 'entry',
      collection: untypedCollection(ledger),
      withoutPosition: { position: null },
      sort: { position: 1, _id: 1 },
      subject: 'accountId',
      number: 'number',
    },
    {
      kind: 'end',
      collection: untypedCollection(generations),
      withoutPosition: { open: false, position: null },
      sort: { position: 1, accountId: 1, endNumber: 1 },
      subject: 'accountId',
      number: 'endNumber',
      sequence: 'endSequence',
    },
    {
      kind: 'event',
      collection: untypedCollection(operatorEvents),
      withoutPosition: { position: null },
      sort: { position: 1, subject: 1, number: 1, sequence: 1 },
      subject: 'subject',
      number: 'number',
      sequence: 'sequence',
    },
  ];
}

/** Reads the first items of a kind that have no position. */
export async function findWithoutPosition(
  source: Source,
  limit: number,
  options: InTransaction,
): Promise<WithoutPosition[]> {
  const { kind, collection, withoutPosition, sort, subject, number, sequence } = source;
  const cursor = collection.find(withoutPosition, {
    ...options,
    hint,
    limit,
    sort,
    projection: { [subject]: 1, [number]: 1, ...(sequence && { [sequence]: 1 }) },
  });
  return ((await cursor.toArray()) as Record<string, unknown>[]).map((each) => ({
    id: String(each['_id']),
    kind,
    subject: String(each[subject]),
    number: Number(each[number]),
    sequence: sequence === undefined ? 0 : Number(each[sequence]),
  }));
}
