import type { ResultMeasures } from '@framegate/media';
import type { Route, RoutedRequest } from '@framegate/provider-routes';
import { type Attempt, withLastAttempt } from '../../../domain/generations/attempt.ts';
import {
  compareDelivery,
  describeDifferences,
  type Difference,
  type ExpectedDelivery,
  refusedFor,
  typeDifference,
} from '../../../domain/generations/delivery.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { expectedFormat, orderedFileCount } from '../../../domain/generations/mediaFiles.ts';
import { modelBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import {
  afterDelivery,
  describeCapability,
  withheldBy,
} from '../../../domain/providers/withheld.ts';
import type { AppCore } from '../../app.ts';

/** The result of comparing a delivery with its order. */
export interface CheckedDelivery {
  /** The attempts, the last one with the differences. */
  attempts: Attempt[];
  /** The problem if the result must not be delivered; null otherwise. */
  refused: string | null;
}

/** The differences of a delivery from its order (I13), and those for which it is refused. */
interface DeliveryComparison {
  differences: Difference[];
  refused: Difference[];
}

/** Compares the delivered files with the order. */
export function compareWithOrder(
  { routes }: Pick<AppCore, 'routes'>,
  generation: Generation,
  attempts: readonly Attempt[],
  files: readonly ResultMeasures[],
): DeliveryComparison {
  // Staff know how it differs.
  if (generation.replaces !== undefined) return { differences: [], refused: [] };
  const { provider = '', model = '', key } = attempts.at(-1) ?? {};
  const route = routes.find(provider, model, key);
  const differences = compareDelivery(expectedDelivery(generation, route), files);
  return { differences, refused: refusedFor(differences, route?.delivery.rule ?? 'refund') };
}

/** Why a delivery is refused, for staff; null if it is not. */
export const refusalReason = ({ differences, refused }: DeliveryComparison): string | null =>
  refused.length > 0 ? describeDifferences(differences) : null;

/**
 * Compares the delivered files with the order and records the outcome. Gross differences raise an alert and count
 * against the route, which stops selling the capability after several in a row.
 */
export async function checkDelivery(
  deps: AppCore,
  generation: Generation,
  attempts: Attempt[],
  files: readonly ResultMeasures[],
): Promise<CheckedDelivery> {
  const compared = compareWithOrder(deps, generation, attempts, files);
  return {
    attempts: await recordDelivery(deps, generation, attempts, compared),
    refused: refusalReason(compared),
  };
}

/** Records a file whose media type differs from the order. @returns The attempts with the difference. */
export function recordOtherType(
  deps: AppCore,
  generation: Generation,
  attempts: Attempt[],
  type: string,
): Promise<Attempt[]> {
  const differences = [typeDifference(expectedFormat(generation), type)];
  return recordDelivery(deps, generation, attempts, { differences, refused: differences });
}

/** The order of a request, in the form compared with the delivery. */
export function expectedDelivery(
  request: RoutedRequest,
  route: Pick<Route, 'delivery'> | null,
): ExpectedDelivery {
  const { parameters } = request;
  const expected = route?.delivery.sizesOf(request) ?? { sizes: [], ratioFrom: 'order' };
  const isVideo = 'duration_seconds' in parameters;
  return {
    ...expected,
    files: orderedFileCount(request),
    seconds: isVideo ? parameters.duration_seconds : null,
    sound: isVideo ? parameters.generate_audio : null,
  };
}

async function recordDelivery(
  deps: AppCore,
  generation: Generation,
  attempts: Attempt[],
  { differences, refused }: DeliveryComparison,
): Promise<Attempt[]> {
  const last = attempts.at(-1);
  if (!last || generation.replaces !== undefined) return attempts;
  const { provider, model, number: attempt } = last;
  if (refused.length > 0 || differences.some(({ isGross }) => isGross)) {
    deps.log.error(
      {
        alert: 'not_as_ordered',
        generationId: generation.id,
        provider,
        model,
        attempt,
        differences,
      },
      "provider's result differs from its order",
    );
  }
  // The operator chose to deliver despite a difference, so the route keeps selling the capability.
  await recordForRoute(deps, generation, last, refused);
  return differences.length === 0
    ? attempts
    : withLastAttempt(attempts, { differences: [...differences] });
}

/**
 * Records the route's delivery. Each generation counts once, so a repeat after a crash changes nothing. A failed write
 * is logged: it must not delay the refund.
 */
async function recordForRoute(
  { deliveries, log, reachFaultPoint }: AppCore,
  order: Generation,
  { provider, model }: Pick<Attempt, 'provider' | 'model'>,
  differences: readonly Difference[],
): Promise<void> {
  const key = modelBreakerKey({ provider, model });
  const delivery = { generationId: order.id, order, differences };
  const before = deliveries.get(key);
  const isNews = differences.some(({ isGross }) => isGross) || before.undelivered.length > 0;
  if (!isNews) return;
  await reachFaultPoint('deliver.beforeNoted');
  try {
    const after = await deliveries.change(key, (record, nowMs) =>
      afterDelivery(record, delivery, nowMs),
    );
    const withheldBefore = withheldBy(before).map(({ capability }) =>
      describeCapability(capability),
    );
    const withheld = withheldBy(after ?? before)
      .map(({ capability }) => describeCapability(capability))
      .filter((text) => !withheldBefore.includes(text));
    if (withheld.length > 0) {
      log.error(
        { alert: 'capability_withheld', provider, providerModel: model, withheld },
        'route delivered three wrong results in a row and no longer receives orders that need the same capability',
      );
    }
  } catch (error) {
    log.warn({ error, provider }, 'failed to write the delivery record of a route');
  }
  await reachFaultPoint('deliver.afterNoted');
}
