import { messageOf, minuteMs } from '@framegate/contract';
import { giveUpAfter } from '@framegate/limits';
import type { ProviderRequest, Route } from '@framegate/provider-routes';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import type { PolledGeneration } from '../../../domain/generations/generation.ts';
import type { GenerationOrder, GenerationRef } from '../../../domain/generations/order.ts';
import type { WaitsFor } from '../../../domain/generations/slots.ts';
import type { WorkState } from '../../../domain/generations/work.ts';
import { admits } from '../../../domain/providers/breaker.ts';
import { breakerKeys, modelBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import { holdsBack } from '../../../domain/providers/identicalRefusals.ts';
import type { AppCore } from '../../app.ts';
import { routeLimit } from './providerLimits.ts';

/**
 * The request for a provider, without customers' URLs or anything that identifies the customer. A poll needs no prompt.
 */
export function providerRequest(
  { media, inputUrl }: Pick<AppCore, 'media' | 'inputUrl'>,
  generation: PolledGeneration & { prompt?: string },
): ProviderRequest {
  return {
    generationId: generation.id,
    type: generation.type,
    mode: generation.mode,
    prompt: generation.prompt ?? '',
    parameters: generation.parameters,
    ...(generation.attempts.some(({ outcome }) => outcome === 'unknown') && { isRepeated: true }),
    inputs: (generation.storedInputs ?? []).flatMap((copy, index) => {
      const input = generation.inputs[index];
      if (!input) return [];
      return {
        type: input.type,
        role: input.role,
        mediaType: copy.mediaType,
        ...(copy.seconds !== undefined && { seconds: copy.seconds }),
        url: () => inputUrl(generation.id, index, extensionOf(copy.key)),
        read: async () => {
          const file = await media.open(copy.key);
          if (!file) throw new Error(`input ${copy.key} is gone`);
          const chunks: Uint8Array[] = [];
          for await (const chunk of file.stream as AsyncIterable<Uint8Array>) chunks.push(chunk);
          return Buffer.concat(chunks);
        },
      };
    }),
  };
}

const extensionOf = (key: string) => key.slice(key.lastIndexOf('.') + 1);

/** The routes of a generation's model for its account's group. */
export function routesFor(
  { routes }: Pick<AppCore, 'routes'>,
  { model, priceGroup }: Pick<GenerationOrder, 'model' | 'priceGroup'>,
): readonly Route[] {
  return routes.forModel(model, priceGroup ?? null);
}

/**
 * The routes that may make a generation: they cover it and have not refused it. After an unknown outcome only the route
 * that may have accepted it qualifies (I6).
 */
export function eligibleRoutes(
  routes: readonly Route[],
  request: ProviderRequest,
  attempts: readonly Attempt[],
): Route[] {
  // A route that refused the operator may accept the order later.
  const hasRefused = (route: Route) =>
    attempts.some(
      ({ outcome, provider, model, refusedFor }) =>
        outcome === 'refused' &&
        refusedFor === undefined &&
        provider === route.provider &&
        model === route.model,
    );
  const unknown = attempts.find(({ outcome }) => outcome === 'unknown');
  const mayBeAskedNow = ({ provider, model }: Route) =>
    !unknown || (unknown.provider === provider && unknown.model === model);
  return routes.filter(
    (route) => route.covers(request) && !hasRefused(route) && mayBeAskedNow(route),
  );
}

/** How long an order waits before a route that dropped one of its parameters is asked again, in ms. */
const droppedAgainMs = 2 * minuteMs;

/**
 * Breaker keys that hold up a parked generation with these eligible routes: providers, models or budgets with an open
 * circuit, or models with their own limits. They keep slots from being offered in vain. A route that holds back only
 * this order, or only its account's, has a key that nothing wakes: the decision is renewed every minute.
 */
export function waitsForOf(
  { breakers, clock }: Pick<AppCore, 'breakers' | 'clock'>,
  { accountId, attempts }: Pick<GenerationRef, 'accountId'> & Pick<WorkState, 'attempts'>,
  routes: readonly Route[],
): WaitsFor {
  const at = clock.now();
  const isHeldBack = ({ provider, model }: Route) => {
    const breaker = breakers.get(modelBreakerKey({ provider, model }));
    if (holdsBack(breaker, accountId, at) === 'yes') return true;
    const last = attempts.findLast((each) => each.provider === provider && each.model === model);
    return last?.refusedFor === 'parameter_dropped' && last.startedAt > at - droppedAgainMs;
  };
  const keys = routes.map((route) => {
    if (isHeldBack(route)) return `held back: ${modelBreakerKey(route)}`;
    const openKey = breakerKeys(route).find((key) => admits(breakers.get(key), at) !== 'yes');
    return openKey ?? routeLimit(route)?.key ?? route.provider;
  });
  return { providers: [...new Set(keys)], at };
}

/** Time limit for a provider's response, in ms. */
const cancelWithinMs = 10_000;

/**
 * Asks the provider to stop working on a generation that ended without its result, so that the operator does not pay
 * for it, and records the response in the attempt. Call it after the end, so that the refund does not wait. Best
 * effort: one attempt, never throws.
 * @param generation As it was before its end.
 */
export async function cancelAtProvider(
  { routes, database, clock, log }: Pick<AppCore, 'routes' | 'database' | 'clock' | 'log'>,
  generation: GenerationRef & Pick<WorkState, 'attempts'>,
): Promise<void> {
  const { id, attempts } = generation;
  const attempt = attempts.at(-1);
  const { operation = null, provider = '', key } = attempt ?? {};
  if (!attempt || operation === null) return;
  try {
    const route = routes.find(provider, attempt.model, key);
    if (!route?.cancel) return;
    const limit = AbortSignal.timeout(cancelWithinMs);
    const result = await giveUpAfter(cancelWithinMs, route.cancel(operation, limit, key)).catch(
      (error: unknown) => ({ isAccepted: false, note: messageOf(error) }),
    );
    const cancel = { at: clock.now(), ...result };
    await database.generations.recordCancel(generation, attempt.number, cancel);
    log.info(
      { generationId: id, provider, accepted: cancel.isAccepted },
      'provider was asked to cancel a job',
    );
  } catch (error) {
    log.warn({ generationId: id, provider, error }, 'failed to cancel a job');
  }
}
