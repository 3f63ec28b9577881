import type { RouterMiddleware } from '@koa/router';
import { answerJson } from '../answer.ts';
import { callerOf, type RequestState } from '../context.ts';
import type { UseCases } from './useCases.ts';

/** GET /generations/{id}: the record; `Retry-After` mirrors its polling hint. */
export function getGeneration({
  getGeneration: get,
}: Pick<UseCases, 'getGeneration'>): RouterMiddleware<RequestState> {
  return async (ctx) => {
    const record = await get(callerOf(ctx), ctx.params['id'] ?? '');
    if (record.retry_after_seconds !== undefined) {
      ctx.res.setHeader('Retry-After', String(record.retry_after_seconds));
    }
    answerJson(ctx, 200, JSON.stringify(record));
  };
}
