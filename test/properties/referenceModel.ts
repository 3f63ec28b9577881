import { dayMs, sum } from '@framegate/contract';

/** Credits of one account by the published rules, without a database, a queue or a process. */
interface ModelLot {
  kind: 'promotional' | 'subscription' | 'purchased';
  left: number;
  expiresAt: number;
}

/** A generation as its customer may expect it. */
export interface ModelGeneration {
  id: string;
  text: string;
  credits: number;
  paid: { lot: ModelLot; amount: number }[];
  state: 'open' | 'completed' | 'failed';
}

const kinds = ['promotional', 'subscription', 'purchased'];
const refundMs = 30 * dayMs;

/** The reference: a customer's credits and permitted responses. Times in ms; the test moves `now`. */
export function createReferenceModel(slots: number) {
  let nowMs = 0;
  const lots: ModelLot[] = [];
  const byKey = new Map<string, ModelGeneration>();
  const live = () => lots.filter(({ expiresAt }) => expiresAt > nowMs);
  const all = () => [...byKey.values()];
  const inOrder = () =>
    live().toSorted((a, b) => {
      if (a.expiresAt !== b.expiresAt) return a.expiresAt < b.expiresAt ? -1 : 1;
      return kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
    });
  const model = {
    generations: all,
    of: (key: string) => byKey.get(key),
    pass: (ms: number) => void (nowMs += ms),
    grant: (kind: ModelLot['kind'], left: number, livesMs: number) =>
      void lots.push({ kind, left, expiresAt: nowMs + livesMs }),
    available: () => sum(live().map(({ left }) => left)),
    inFlight: () => sum(model.open().map(({ credits }) => credits)),
    open: () => all().filter(({ state }) => state === 'open'),
    /** Expected response to a create request with a new key. */
    verdict(credits: number): 'accepted' | 'concurrency_limited' | 'insufficient_credits' {
      if (model.open().length >= slots) return 'concurrency_limited';
      return model.available() < credits ? 'insufficient_credits' : 'accepted';
    },
    accept(key: string, id: string, text: string, credits: number): void {
      const paid: ModelGeneration['paid'] = [];
      let owed = credits;
      for (const lot of inOrder()) {
        const amount = Math.min(owed, lot.left);
        lot.left -= amount;
        owed -= amount;
        if (amount > 0) paid.push({ lot, amount });
      }
      byKey.set(key, { id, text, credits, paid, state: 'open' });
    },
    end(generation: ModelGeneration, state: 'completed' | 'failed'): void {
      generation.state = state;
      if (state === 'completed') return;
      for (const { lot, amount } of generation.paid) {
        if (lot.expiresAt > nowMs) lot.left += amount;
        else lots.push({ kind: lot.kind, left: amount, expiresAt: nowMs + refundMs });
      }
    },
  };
  return model;
}
