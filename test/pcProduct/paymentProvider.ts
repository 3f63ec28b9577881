import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../faults/chance.ts';

/** A payment made at the checkout, and its later course. */
export interface Payment {
  id: string;
  customer: string;
  credits: number;
  isPaid: boolean;
  isRefunded: boolean;
  isDisputed: boolean;
}

type EventType = 'payment.succeeded' | 'payment.refunded' | 'dispute.opened';

/** A payment provider that delivers each event three times, in no order. */
export interface PaymentProvider {
  url: string;
  key: string;
  /** Signs the events. */
  secret: string;
  /** Lists the completed payments. */
  paid(): readonly Payment[];
  /** Deliveries that were acknowledged. */
  deliveries(): number;
  /** Starts the refunds and disputes that come long after the payment. */
  refundLate(): void;
  /** Waits until everything is delivered. */
  delivered(): Promise<void>;
  close(): Promise<void>;
}

const copies = 3;
const pauseMs = 100;
const responseMs = 10_000;

/** Courses of payments, in turn: half of them are never refunded. */
const courses: readonly { early?: EventType[]; late?: EventType[]; refundFirst?: boolean }[] = [
  {},
  { early: ['payment.refunded'], refundFirst: true },
  {},
  { late: ['payment.refunded'] },
  {},
  { early: ['dispute.opened'], late: ['payment.refunded'] },
  {},
  { early: ['payment.refunded', 'dispute.opened'] },
];

/** Starts the provider. @param deliverTo The webhook. */
export async function startPaymentProvider(
  deliverTo: string,
  chance: Chance,
): Promise<PaymentProvider> {
  const payments = new Map<string, Payment>();
  const late: (() => void)[] = [];
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();
  const key = 'payments-test-key';
  const secret = 'payments-test-secret';
  let acknowledged = 0;
  let settled = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (request.method === 'POST' && path === '/payments') {
      if (request.headers.authorization !== `Bearer ${key}`) {
        end(response, 401);
        return;
      }
      const { customer, credits } = (await readJson(request)) as Payment;
      const id = `pay_${String(payments.size + 1).padStart(5, '0')}`;
      const state = { isPaid: false, isRefunded: false, isDisputed: false };
      payments.set(id, { id, customer, credits, ...state });
      end(response, 201, { id, checkout_url: `${url}/checkout/${id}` });
      return;
    }
    const payment = payments.get(/^\/checkout\/(\w+)$/.exec(path)?.[1] ?? '');
    if (payment) pay(payment);
    end(response, payment ? 200 : 404);
  }

  function pay(payment: Payment): void {
    if (payment.isPaid) return;
    payment.isPaid = true;
    const { early = [], late: later = [], refundFirst } = courses[settled % courses.length] ?? {};
    settled += 1;
    if (refundFirst) {
      keep(deliver(payment, early).then(() => deliver(payment, ['payment.succeeded'])));
    } else {
      keep(deliver(payment, ['payment.succeeded', ...early]));
    }
    if (later.length > 0) late.push(() => keep(deliver(payment, later)));
  }

  function keep(work: Promise<void>): void {
    const done = work.finally(() => underWay.delete(done));
    underWay.add(done);
  }

  /** Sends the copies of these events, shuffled, all at once. */
  async function deliver(payment: Payment, types: readonly EventType[]): Promise<void> {
    if (types.includes('payment.refunded')) payment.isRefunded = true;
    if (types.includes('dispute.opened')) payment.isDisputed = true;
    const left = types.flatMap((type) => Array.from({ length: copies }, () => type));
    const shuffled = left.splice(0).map((type) => ({ type, at: chance.fraction() }));
    shuffled.sort((one, other) => one.at - other.at);
    await Promise.all(shuffled.map(({ type }) => deliverOne(payment, type)));
  }

  /** Sends an event until it is acknowledged. */
  async function deliverOne({ id, customer, credits }: Payment, type: EventType): Promise<void> {
    const body = JSON.stringify({ type, payment: { id, customer, credits } });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'payment-signature': signature };
    while (!closing.signal.aborted) {
      const signal = AbortSignal.timeout(responseMs);
      const response = await fetch(deliverTo, { method: 'POST', headers, body, signal }).catch(
        () => null,
      );
      await response?.arrayBuffer().catch(() => undefined);
      if (response?.ok) {
        acknowledged += 1;
        return;
      }
      await pause(pauseMs);
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => end(response, 500));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    key,
    secret,
    paid: () => [...payments.values()].filter(({ isPaid }) => isPaid),
    deliveries: () => acknowledged,
    refundLate() {
      for (const begin of late.splice(0)) begin();
    },
    async delivered() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function end(response: ServerResponse, status: number, body: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
