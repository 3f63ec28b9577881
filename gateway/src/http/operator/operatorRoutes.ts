import type { Router, RouterContext } from '@koa/router';
import {
  isWrite,
  type OperatorOperation,
  type OperatorOperationId,
  operatorOperations,
  pageLimits,
} from '@framegate/contract/operator';
import { validateBody, validateQuery } from '@framegate/contract/schemas';
import { takeSteps } from '@framegate/limits';
import { type Allowances, refuseBeyond } from '../../application/allowances.ts';
import type { App } from '../../application/app.ts';
import type { NoteRead } from '../../application/operator/auditEntries.ts';
import type { OperatorResponse } from '../../application/operator/operatorCall.ts';
import type { AuthenticateOperator } from '../../application/operator/operatorKeys.ts';
import { requireScope } from '../../application/operator/requireScope.ts';
import { operatorUseCases } from '../../application/operator/useCases.ts';
import { requireRightClock } from '../../application/requireRightClock.ts';
import type { WorkSlots } from '../../application/workKinds.ts';
import { mayComeFrom, type OperatorKey } from '../../domain/accounts/operatorKey.ts';
import { once } from '../../domain/once.ts';
import { invalidFieldRefusal, invalidRequestRefusal, Refusal } from '../../domain/refusal.ts';
import { callerNamed, does, exchangeSlot, needsNoSlot, runInSlot } from '../atWork.ts';
import {
  callerAddress,
  disconnectSignalOf,
  type RequestState,
  sendJson,
  staticResponse,
} from '../context.ts';
import { createJsonParser } from '../jsonBody.ts';
import { strictRouter } from '../strictRouter.ts';

/** The operator API with its dependencies. */
export interface OperatorApi {
  operator: App;
  /** Aborted when the process stops. */
  stopSignal: AbortSignal;
  authenticateOperator: AuthenticateOperator;
  /** The steps that make the OpenAPI document, at its first request. */
  operatorOpenApi: () => Generator<unknown, object>;
  allowances: Pick<Allowances, 'take'>;
  noteRead: NoteRead;
  slots: WorkSlots;
}

/** Path prefix of the operator API. */
const basePath = '/operator/v1';
/** Maximum size of a body, in bytes, after decompression. */
const maxBodyBytes = 64 * 1024;
/** Names in a query, far more than any operation has: a validator takes milliseconds for thousands. */
const maxQueryNames = 100;
/** Requests of one key per minute in one process: limits mistakes, far above the needs of bookkeeping. */
const perMinute = 6_000;

type Context = RouterContext<RequestState>;
type Params = Readonly<Record<string, string>>;
type AnyUseCase = (deps: App, input: object) => Promise<object | string>;

/** Endpoints of the operator API, one for each operation of the contract. */
export function operatorRoutes(api: OperatorApi): Router<RequestState> {
  const readJson = createJsonParser(maxBodyBytes);
  const router = strictRouter<RequestState>(basePath);
  const { slots } = api;
  for (const [id, operation] of Object.entries<OperatorOperation>(operatorOperations)) {
    const handle = operatorUseCases[id as OperatorOperationId] as AnyUseCase;
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const usualKind = operation.path.startsWith('/reports/') ? 'report' : 'operator';
    const respond = async (ctx: Context) => {
      const key = await authenticate(api, ctx, operation);
      const params = checkParams(ctx.params);
      if (isWrite(operation)) requireRightClock(api.operator.clock);
      if (!operation.query) requireNoQuery(ctx);
      const query = operation.query && parseQuery(operation.query, ctx);
      const kind = isLongPage(query) ? 'report' : usualKind;
      const json = operation.body ? await readJson(ctx) : undefined;
      const call = {
        operation: id as OperatorOperationId,
        key,
        requestId: ctx.state.requestId,
        address: callerAddress(ctx),
        target: `${operation.method} ${fill(operation.path, params)}`,
        idempotencyKey: ctx.req.headersDistinct['idempotency-key']?.join(', '),
        body: json,
      };
      const body = operation.body && requireValid(validateBody(operation.body, json));
      const caller = callerNamed(key.id);
      await runInSlot(ctx, slots, { kind, caller }, async (slot) => {
        const response = await handle(api.operator, {
          params,
          query,
          body,
          call,
          signal: AbortSignal.any([api.stopSignal, disconnectSignalOf(ctx.res)]),
          beginWait: () => exchangeSlot(slot, slots, { kind: 'eventWait', caller }),
        });
        if (operation.showsPrompts === true) await api.noteRead(call, accountOf(params, response));
        if (isWrite(operation)) {
          respondToWrite(ctx, response as OperatorResponse);
        } else if (operation.media === undefined) {
          sendJson(ctx, operation.status, JSON.stringify(response));
        } else {
          sendText(ctx, operation.media, response as string);
        }
      });
    };
    router.register(path, [operation.method], [does(usualKind), respond]);
  }
  const description = once(async () =>
    staticResponse(JSON.stringify(await takeSteps(api.operatorOpenApi()))),
  );
  router.get('/openapi.json', needsNoSlot, async (ctx, next) => {
    const respond = await description();
    await respond(ctx, next);
  });
  return router;
}

/** Whether a page of a list holds more than usual: such pages read many documents, as reports do. */
const isLongPage = (query: { limit?: number } | undefined) =>
  (query?.limit ?? 0) > pageLimits.usual;

/** The account whose prompts a response shows; null for all accounts. */
function accountOf({ account_id: idOfPath }: Params, response: object | string): string | null {
  const { account_id: idOfResponse } = response as { account_id?: string };
  return idOfPath ?? idOfResponse ?? null;
}

/** @throws Refusal `invalid_api_key`, `address_not_allowed`, `insufficient_scope`, `rate_limited`. */
async function authenticate(
  { authenticateOperator, allowances }: OperatorApi,
  ctx: Context,
  { scope }: OperatorOperation,
): Promise<OperatorKey> {
  const address = callerAddress(ctx);
  const key = await authenticateOperator(ctx.req.headers.authorization, address);
  ctx.state.operatorKey = key;
  if (!mayComeFrom(key, address)) {
    throw new Refusal('address_not_allowed', {
      message: `The operator key may not be used from your address, ${address}.`,
    });
  }
  refuseBeyond('operator', perMinute, allowances.take(key.id, 'operator', perMinute));
  requireScope(key, scope);
  return key;
}

const pathTextPattern = /^[!-~]{1,128}$/;

/** @throws Refusal `invalid_request` for a parameter that cannot be an id. */
function checkParams(params: Params): Params {
  for (const [param, value] of Object.entries(params)) {
    if (pathTextPattern.test(value)) continue;
    const message = 'Must be 1 to 128 visible ASCII characters.';
    throw invalidFieldRefusal(param, 'invalid_value', message);
  }
  return params;
}

const fill = (path: string, params: Params) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');

/** @throws Refusal `invalid_request` for unknown, invalid or repeated names. */
function parseQuery(schema: NonNullable<OperatorOperation['query']>, ctx: Context): object {
  const pairs = [...new URLSearchParams(ctx.querystring)];
  if (pairs.length > maxQueryNames) {
    const message = `Has more than ${maxQueryNames} names.`;
    throw invalidFieldRefusal('query', 'too_many', message);
  }
  const names = new Set<string>();
  const twice = pairs.find(([name]) => names.size === names.add(name).size);
  if (twice) {
    const message = 'Is given twice.';
    throw invalidFieldRefusal(twice[0].slice(0, 200), 'too_many', message);
  }
  return requireValid(validateQuery(schema, Object.fromEntries(pairs)));
}

/** @throws Refusal `invalid_request`. */
function requireNoQuery(ctx: Context): void {
  if (ctx.querystring === '') return;
  const message = 'This operation accepts no query parameters.';
  throw invalidFieldRefusal('query', 'unknown_field', message);
}

function requireValid(validated: ReturnType<typeof validateBody>): object {
  if (validated.ok) return validated.value as object;
  throw invalidRequestRefusal(validated.problems);
}

function sendText(ctx: Context, media: string, text: string): void {
  ctx.status = 200;
  ctx.res.setHeader('Content-Type', `${media}; charset=utf-8`);
  ctx.body = text;
}

function respondToWrite(ctx: Context, { status, body, wasReplayed }: OperatorResponse): void {
  if (wasReplayed) ctx.set('Idempotent-Replayed', 'true');
  sendJson(ctx, status, body);
}
