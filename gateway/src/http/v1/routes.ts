import type { Router, RouterMiddleware } from '@koa/router';
import type { CreditBalance, GenerationRecord, ModelList } from '@framegate/contract';
import { type Allowances, refuseBeyond } from '../../application/allowances.ts';
import type { Authenticate, Caller } from '../../application/authenticate.ts';
import type { CreateCommand } from '../../application/generations/create/createGeneration.ts';
import type { CreateResponse } from '../../application/generations/create/runIdempotently.ts';
import type { WorkSlots } from '../../application/workKinds.ts';
import type { Limits } from '../../domain/accounts/limits.ts';
import { once } from '../../domain/once.ts';
import { atWork, atWorkByKey, needsNoSlot } from '../atWork.ts';
import {
  callerAddress,
  callerOf,
  type HttpMiddleware,
  type RequestState,
  sendJson,
  staticResponse,
} from '../context.ts';
import { parseJsonBody } from '../jsonBody.ts';
import type { ApiDocument } from '../site/docs/apiDocument.ts';
import { strictRouter } from '../strictRouter.ts';

/** Use cases of the API with their ports bound. All may throw a Refusal. */
export interface UseCases {
  authenticate: Authenticate;
  createGeneration: (command: CreateCommand) => Promise<CreateResponse>;
  getGeneration: (caller: Caller, generationId: string) => Promise<GenerationRecord>;
  listModels: (caller: Caller) => Promise<ModelList>;
  getBalance: (caller: Caller) => Promise<CreditBalance>;
}

/** Dependencies of the API. */
export interface V1Deps {
  useCases: UseCases;
  /** The OpenAPI document, made when it is first asked for. */
  openApi: () => ApiDocument;
  /** Path prefix of the API, such as `/v1`. */
  basePath: string;
  allowances: Allowances;
  slots: WorkSlots;
}

type Step = RouterMiddleware<RequestState>;

/** Endpoints of the API. Paths are case-sensitive, and a trailing slash matters. */
export function v1Routes(deps: V1Deps): Router<RequestState> {
  const { useCases, allowances } = deps;
  const authenticate: Step = authenticateCaller(useCases.authenticate);
  const json: Step = parseJsonBody(allowances);
  const statusReads: Step = limitReads(allowances, 'status-reads');
  const otherReads: Step = limitReads(allowances, 'other-reads');
  const work: Step = atWork(atWorkByKey(deps.slots), 'api');

  const router = strictRouter<RequestState>(deps.basePath);
  router.post('/videos', authenticate, json, work, createGeneration(useCases, '/v1/videos'));
  router.post('/images', authenticate, json, work, createGeneration(useCases, '/v1/images'));
  router.get('/generations/:id', authenticate, statusReads, work, getGeneration(useCases));
  router.get('/models', authenticate, otherReads, work, respondWith(useCases.listModels));
  router.get('/credits/balance', authenticate, otherReads, work, respondWith(useCases.getBalance));
  const description = once(() => staticResponse(JSON.stringify(deps.openApi())));
  router.get('/openapi.json', needsNoSlot, async (ctx, next) => {
    await description()(ctx, next);
  });
  return router;
}

function respondWith(useCase: UseCases['listModels'] | UseCases['getBalance']): HttpMiddleware {
  return async (ctx) => {
    sendJson(ctx, 200, JSON.stringify(await useCase(callerOf(ctx))));
  };
}

/**
 * POST /videos and POST /images.
 * @param path Part of the idempotency scope; independent of the base path.
 */
function createGeneration(
  { createGeneration: create }: Pick<UseCases, 'createGeneration'>,
  path: '/v1/videos' | '/v1/images',
): HttpMiddleware {
  return async (ctx) => {
    const header = ctx.req.headers['idempotency-key'];
    const response = await create({
      caller: callerOf(ctx),
      path,
      idempotencyKey: Array.isArray(header) ? header.join(', ') : header,
      body: ctx.state.json,
      requestId: ctx.state.requestId,
      callerAddress: callerAddress(ctx),
    });
    ctx.set(response.headers);
    if (response.wasReplayed) ctx.set('Idempotent-Replayed', 'true');
    sendJson(ctx, 202, response.body);
  };
}

/** GET /generations/{id}. `Retry-After` repeats the record's polling hint. */
function getGeneration({
  getGeneration: get,
}: Pick<UseCases, 'getGeneration'>): RouterMiddleware<RequestState> {
  return async (ctx) => {
    const record = await get(callerOf(ctx), ctx.params['id'] ?? '');
    if (record.retry_after_seconds !== undefined) {
      ctx.res.setHeader('Retry-After', String(record.retry_after_seconds));
    }
    sendJson(ctx, 200, JSON.stringify(record));
  };
}

/** Authenticates the caller by API key. @throws Refusal `invalid_api_key`, `rate_limited`. */
export function authenticateCaller(authenticate: Authenticate): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.caller = await authenticate(ctx.req.headers.authorization, callerAddress(ctx));
    await next();
  };
}

const limitOf = {
  'status-reads': (limits: Limits) => limits.statusReadsPerMinute,
  'other-reads': (limits: Limits) => limits.otherReadsPerMinute,
};

/** Takes one read from a caller's allowance. @throws Refusal `rate_limited`. */
export function takeRead(
  allowances: Pick<Allowances, 'take'>,
  { accountId, limits }: Caller,
  kind: keyof typeof limitOf,
): void {
  const perMinute = limitOf[kind](limits);
  refuseBeyond(kind, perMinute, allowances.take(accountId, kind, perMinute));
}

/** Middleware for `takeRead`. @throws Refusal `rate_limited`. */
export function limitReads(
  allowances: Pick<Allowances, 'take'>,
  kind: keyof typeof limitOf,
): HttpMiddleware {
  return (ctx, next) => {
    takeRead(allowances, callerOf(ctx), kind);
    return next();
  };
}
