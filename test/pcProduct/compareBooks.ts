import { MongoClient } from 'mongodb';
import { sum } from '@framegate/contract';
import { operatorReference } from '../../gateway/src/domain/credits/credits.ts';
import { shownEntryId } from '../../gateway/src/domain/credits/ledgerChain.ts';
import type { ProductWorld } from './productWorld.ts';
import { failing, type Traffic } from './traffic.ts';

/** Result of a run. */
export interface Outcome {
  /** Everything that is wrong, in words. */
  wrong: string[];
  /** Credits; `lost` were spent before their payment was refunded. */
  figures: Record<'granted' | 'charged' | 'refunded' | 'takenBack' | 'lost' | 'difference', number>;
}

/** An entry of either ledger. */
interface Entry {
  id: string;
  kind: string;
  amount: number;
  reference: string | null;
}

/** Compares payments, the product's books and the gateway's ledger, and the orders with the generations. */
export async function compareBooks(world: ProductWorld, traffic: Traffic): Promise<Outcome> {
  const there = await ledgerOfGateway(world);
  const here = await booksOfProduct(world);
  const wrong = [
    ...compareEntries(here, there),
    ...comparePayments(world, there),
    ...compareKeys(world),
    ...(await compareOrders(world, traffic)),
  ];
  const total = (entries: readonly Entry[]) => sum(entries.map(({ amount }) => amount));
  const sumOf = (entries: readonly Entry[], kind: string) =>
    total(entries.filter((each) => each.kind === kind));
  const takenBack = -sumOf(here, 'adjustment');
  const returned = world.payments.paid().filter((each) => each.isRefunded || each.isDisputed);
  const figures = {
    granted: sumOf(here, 'grant'),
    charged: -sumOf(here, 'charge'),
    refunded: sumOf(here, 'refund'),
    takenBack,
    lost: sum(returned.map(({ credits }) => credits)) - takenBack,
    difference: total(here) - total(there),
  };
  return { wrong, figures };
}

async function ledgerOfGateway({ gateway }: ProductWorld): Promise<Entry[]> {
  const entries = await gateway.mongo.collections.ledger.find({}).toArray();
  return entries.map(({ _id, hash, kind, amount, reference }) => ({
    id: shownEntryId({ id: _id, hash }),
    kind,
    amount,
    reference: reference ?? null,
  }));
}

async function booksOfProduct({ productUri }: ProductWorld): Promise<Entry[]> {
  const client = new MongoClient(productUri);
  try {
    return await client.db().collection<Entry>('books').find().toArray();
  } finally {
    await client.close();
  }
}

/** Both have the same entries. */
function compareEntries(here: readonly Entry[], there: readonly Entry[]): string[] {
  const amounts = new Map(there.map(({ id, amount }) => [id, amount]));
  const strange = here.filter(({ id, amount }) => amounts.get(id) !== amount);
  const known = new Set(here.map(({ id }) => id));
  return [
    ...strange.map(({ id, amount }) => `${id}: ${amount} is in the books and not in the ledger`),
    ...there.filter(({ id }) => !known.has(id)).map(({ id }) => `${id}: is missing in the books`),
  ];
}

/** Each payment was granted once; refunded and disputed ones were taken back once, and no others. */
function comparePayments({ payments }: ProductWorld, ledger: readonly Entry[]): string[] {
  const wrong: string[] = [];
  const paid = payments.paid();
  for (const { id, credits, isRefunded, isDisputed } of paid) {
    const amounts = (name: string) =>
      ledger
        .filter(({ reference }) => reference === operatorReference(`${name}-${id}`))
        .map(({ amount }) => amount);
    const [granted, back] = [amounts('payment'), amounts('take-back')];
    const isRight = granted.length === 1 && granted[0] === credits;
    if (!isRight) {
      wrong.push(`${id}: ${credits} credits were granted as ${JSON.stringify(granted)}`);
    }
    // Nothing is booked if the customer has spent all of it.
    const max = isRefunded || isDisputed ? 1 : 0;
    if (back.length > max) wrong.push(`${id}: was taken back as ${JSON.stringify(back)}`);
    if (back.some((amount) => amount >= 0 || -amount > credits)) {
      wrong.push(`${id}: took ${back[0]}`);
    }
  }
  const grants = ledger.filter((each) => each.kind === 'grant').length;
  if (grants !== paid.length) {
    wrong.push(`${grants} grants of ${paid.length} payments`);
  }
  return wrong;
}

/** Each attempt of a credit write had the key of its payment. */
function compareKeys({ line }: ProductWorld): string[] {
  return line.seen.flatMap(({ path, headers, body }) => {
    if (!/\/credits\/(grants|adjustments)$/.test(path)) return [];
    const { reference } = JSON.parse(body) as { reference?: string };
    const key = headers['idempotency-key'];
    return key === reference ? [] : [`${path}: ${String(reference)} was sent with ${String(key)}`];
  });
}

/** Each accepted order is one ended generation, made at most once by the provider. */
async function compareOrders({ gateway }: ProductWorld, { orders }: Traffic): Promise<string[]> {
  const wrong: string[] = [];
  const { generations } = gateway.mongo.collections;
  for (const { prompt, outcome } of orders) {
    const made = await generations.find({ prompt }).toArray();
    const [generation] = made;
    const expected = outcome === 'accepted' ? 1 : 0;
    if (made.length !== expected) wrong.push(`${prompt}: ${outcome}, and ${made.length} were made`);
    if (!generation) continue;
    const { _id: id, status, channel } = generation;
    if (channel !== 'pc') wrong.push(`${id}: has the channel ${channel}`);
    if (prompt.includes(failing) && status !== 'failed') wrong.push(`${id}: is ${status}`);
    if (!['completed', 'failed'].includes(status)) wrong.push(`${id}: is still ${status}`);
    const accepted = gateway.ark.accepted(`${prompt.split('.')[0] ?? ''}.`);
    if (accepted > 1) wrong.push(`${id}: was made ${accepted} times`);
  }
  if (
    orders.filter(({ outcome }) => outcome === 'accepted').length !==
    (await generations.countDocuments({}))
  ) {
    wrong.push('there are generations that nobody ordered');
  }
  return wrong;
}
