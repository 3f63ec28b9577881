import { sum } from '@framegate/contract';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { shownEntryId } from '../../gateway/src/domain/credits/ledgerChain.ts';
import type { Act } from './schedule.ts';
import type { SharedWorld, SimulatedProcess } from './simulatedProcess.ts';
import type { Doc } from './statements.ts';

/** A reader of the ledger with its books. */
export interface Follower {
  cursor: string | undefined;
  last: number;
  /** Amounts and positions by the entries' ids. */
  books: Map<string, { amount: number; position: number }>;
}

/** Records of the outside world, by which a schedule is judged. */
export interface OutsideRecords {
  accountId: string;
  /** First responses by their keys, with the requests. */
  responses: Map<string, { id: string; text: string }>;
  payments: Map<string, Extract<Act, { does: 'grant' }>>;
  followers: Follower[];
  /** Broken promises that were seen during the schedule. */
  wrong: string[];
}

type ResponseOf = <T>(work: Promise<T>) => Promise<T | Error | null>;

/** The ledger as `ledger verify` sees it at this moment. */
async function checkBooks(process: SimulatedProcess, responseOf: ResponseOf): Promise<string[]> {
  const report = await responseOf(verifyLedger(process));
  if (report === null || report instanceof Error) return [];
  return report.problems.map((problem) => `ledger verify: ${JSON.stringify(problem)}`);
}

/** Checks the promises after the end of all work, by the documents and the witnesses. */
async function end({
  around,
  outside,
  process,
  responseOf,
}: {
  around: SharedWorld;
  outside: OutsideRecords;
  process: SimulatedProcess;
  responseOf: ResponseOf;
}): Promise<string[]> {
  const { database, provider } = around;
  const all = (name: string): Doc[] => [...(database.tables.get(name)?.values() ?? [])];
  const wrong = await checkBooks(process, responseOf);
  const entries = all('ledger');

  for (const { _id, running, waiting, inFlightCredits, lots } of all('accounts')) {
    if (running !== 0 || waiting !== 0 || inFlightCredits !== 0) {
      wrong.push(`${String(_id)} counts ${String(running)}, ${String(waiting)} at the end`);
    }
    const left = sum((lots as { remaining: number }[]).map(({ remaining }) => remaining));
    const booked = sum(
      entries.filter((each) => each['accountId'] === _id).map(({ amount }) => Number(amount)),
    );
    if (left < 0) wrong.push(`I9: a balance of ${left}`);
    if (left !== booked) wrong.push(`I1: lots of ${left}, entries of ${booked}`);
  }

  for (const generation of all('generations')) {
    const { _id, status, costCredits, prompt, failure } = generation;
    const id = String(_id);
    const amounts = (kind: string) =>
      entries
        .filter((each) => each['generationId'] === id && each['kind'] === kind)
        .map(({ amount }) => Number(amount));
    const [charged, refunded] = [amounts('charge'), amounts('refund')];
    if (charged.length !== 1 || charged[0] !== -Number(costCredits)) {
      wrong.push(`I2: ${id} costs ${String(costCredits)} and was charged ${charged.join()}`);
    }
    const back = status === 'failed' ? [Number(costCredits)] : [];
    if (refunded.join() !== back.join()) {
      wrong.push(`I2: ${id} is ${String(status)} and was refunded ${refunded.join()}`);
    }
    const orders = provider.accepted.get(id) ?? 0;
    if (orders > 1) wrong.push(`I6: ${id} was ordered ${orders} times`);
    if ((failure as { wasCancelled?: boolean } | null)?.wasCancelled && orders > 0) {
      wrong.push(`I2: ${id} was cancelled although it was ordered`);
    }
    const verdict = provider.verdicts.get(id);
    if (status === 'completed' && (orders !== 1 || verdict !== 'completed')) {
      wrong.push(`${id} (${String(prompt)}) is completed without a result`);
    }
  }

  for (const [key, { id, text }] of outside.responses) {
    const replay = database.tables.get('generations')?.get(id)?.['replay'];
    if ((replay as { body?: string } | null)?.body !== text) wrong.push(`I4: ${key} has no ${id}`);
  }
  for (const { payment, amount } of outside.payments.values()) {
    const booked = entries.filter(({ reference }) => reference === `payment-${payment}`);
    if (booked.length !== 1 || booked[0]?.['amount'] !== amount) {
      wrong.push(`${payment} of ${amount} is booked ${booked.length} times`);
    }
  }
  for (const [index, follower] of outside.followers.entries()) {
    for (const { _id, hash, amount, position } of entries) {
      const held = follower.books.get(shownEntryId({ id: String(_id), hash: String(hash) }));
      if (held?.amount !== amount || held?.position !== position) {
        wrong.push(`follower ${index} holds ${JSON.stringify(held)} as ${String(_id)}`);
      }
    }
    const more = follower.books.size - entries.length;
    if (more > 0) wrong.push(`follower ${index} has ${more} entries too many`);
  }
  return wrong;
}

/** The checks of the books during a schedule, and of all promises after it. */
export const judge = { books: checkBooks, end };
