import { answerJson } from '../answer.ts';
import { callerAddress, callerOf, type HttpMiddleware } from '../context.ts';
import type { UseCases } from './useCases.ts';

/**
 * POST /videos and POST /images: hands the parsed body on and sends the answer, first or replayed,
 * as the use case gives it.
 * @param path Part of the idempotency scope, whatever the base path.
 */
export function createGeneration(
  { createGeneration: create }: Pick<UseCases, 'createGeneration'>,
  path: '/v1/videos' | '/v1/images',
): HttpMiddleware {
  return async (ctx) => {
    const header = ctx.req.headers['idempotency-key'];
    const answer = await create({
      caller: callerOf(ctx),
      path,
      idempotencyKey: Array.isArray(header) ? header.join(', ') : header,
      body: ctx.state.json,
      requestId: ctx.state.requestId,
      callerAddress: callerAddress(ctx),
    });
    ctx.set(answer.headers);
    if (answer.replayed) ctx.set('Idempotent-Replayed', 'true');
    answerJson(ctx, 202, answer.body);
  };
}
