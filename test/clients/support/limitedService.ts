import {
  rateLimitHeaders,
  takeToken,
  type TokenBucket,
} from '../../../gateway/src/domain/network/rateLimit.ts';
import { generation } from './wildResponses.ts';

const rate = { perMinute: 60, burst: 10 };
const lineMs = 40;

/** A service with the gateway's own rule for create requests; reads are answered immediately. */
export function limitedService({ tellsRate = true } = {}) {
  let bucket: TokenBucket | null = null;
  const creates: { at: number; isTaken: boolean }[] = [];
  const reads: number[] = [];
  async function fetch(_: unknown, { method }: RequestInit = {}): Promise<Response> {
    await new Promise((resolve) => setTimeout(resolve, lineMs));
    const at = Date.now();
    if (method !== 'POST') {
      reads.push(at);
      return Response.json(generation('completed'));
    }
    const taken = takeToken(bucket, rate, at);
    bucket = taken.bucket;
    creates.push({ at, isTaken: taken.ok });
    if (taken.ok) return Response.json(generation('queued'), { status: 202 });
    const { retryAfterSeconds } = taken;
    const told = rateLimitHeaders('create', { quota: 60, windowSeconds: 60 }, retryAfterSeconds);
    const headers = { 'retry-after': String(retryAfterSeconds), ...(tellsRate ? told : {}) };
    const about = { type: 'rate_limit_error', code: 'rate_limited', message: 'Too many creates.' };
    const error = { ...about, param: null, request_id: 'req_1', retryable: true, details: [] };
    return Response.json({ error }, { status: 429, headers });
  }
  return { fetch, creates, reads };
}
