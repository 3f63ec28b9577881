import { randomUUID } from 'node:crypto';
import type { FaultAccount } from './faultWorld.ts';
import { clipOrder } from './orders.ts';

/** Response to one create request. */
export interface Answered {
  status: number;
  text: string;
  retryAfter: string | null;
  tookMs: number;
}

/** Asks one process for one clip, once. */
export async function createOnce(
  origin: string,
  { apiKey }: FaultAccount,
  key: string = randomUUID(),
): Promise<Answered> {
  const { path, body } = clipOrder('a create');
  const startedAt = performance.now();
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, text, retryAfter, tookMs: performance.now() - startedAt };
}
