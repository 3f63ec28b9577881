import { type CertainAspect, type Difference, isDoubtful } from '../generations/delivery.ts';
import type { OrderedResult } from '../generations/order.ts';

/** The part of an order that determines the capabilities required of a route. */
type RequiringOrder = Pick<OrderedResult, 'type' | 'parameters'>;

/** A capability that a route sells: a resolution, a ratio, sound, a minimum length or number of files, or a type. */
export type Capability =
  | { of: 'resolution'; value: string }
  | { of: 'ratio'; value: string }
  | { of: 'sound' }
  | { of: 'seconds'; from: number }
  | { of: 'files'; from: number }
  | { of: 'type'; value: RequiringOrder['type'] };

/** A capability that a route failed to deliver. Times in ms since the epoch, database time. */
export interface UndeliveredCapability {
  capability: Capability;
  /** The generations of these consecutive failures, each once. */
  generations: string[];
  /** When the route stopped selling it; null if it still does. */
  withheldAt: number | null;
}

/** The deliveries of one route that differed grossly from their orders, shared by all processes. */
export interface DeliveryRecord {
  undelivered: UndeliveredCapability[];
}

/** The record of a route that delivers as ordered. */
export const noUndelivered: DeliveryRecord = { undelivered: [] };

/** Consecutive gross differences after which a route no longer covers the capability. */
export const maxGross = 3;

/** The capabilities that an order requires of its route. */
function requiredBy({ type, parameters }: RequiringOrder): Capability[] {
  return [
    { of: 'resolution', value: parameters.resolution },
    { of: 'ratio', value: parameters.aspect_ratio },
    { of: 'type', value: type },
    ...('n' in parameters ? [{ of: 'files' as const, from: parameters.n }] : []),
    ...('duration_seconds' in parameters
      ? [{ of: 'seconds' as const, from: parameters.duration_seconds }]
      : []),
    ...('generate_audio' in parameters && parameters.generate_audio
      ? [{ of: 'sound' as const }]
      : []),
  ];
}

const capabilityIn: Readonly<Record<CertainAspect, Capability['of']>> = {
  size: 'resolution',
  ratio: 'ratio',
  length: 'seconds',
  sound: 'sound',
  files: 'files',
  type: 'type',
};

/** The missing capabilities revealed by gross differences. */
function missedIn(differences: readonly Difference[]): Set<Capability['of']> {
  return new Set(
    differences.flatMap(({ in: aspect, isGross }) =>
      isGross && !isDoubtful(aspect) ? [capabilityIn[aspect]] : [],
    ),
  );
}

/**
 * The record after a delivery. A gross difference counts against the missing capability, once per generation; a
 * delivery with the capability ends the series. A withheld capability stays withheld.
 */
export function afterDelivery(
  record: DeliveryRecord,
  {
    generationId,
    order,
    differences,
  }: {
    generationId: string;
    order: RequiringOrder;
    differences: readonly Difference[];
  },
  nowMs: number,
): DeliveryRecord | null {
  const missed = missedIn(differences);
  let { undelivered } = record;
  for (const capability of requiredBy(order)) {
    const earlier = undelivered.find((each) => isSame(each.capability, capability));
    if (earlier && earlier.withheldAt !== null) continue;
    const others = undelivered.filter((each) => each !== earlier);
    if (!missed.has(capability.of)) {
      if (earlier) undelivered = others;
      continue;
    }
    const generations = earlier?.generations ?? [];
    if (generations.includes(generationId)) continue;
    const all = [...generations, generationId];
    const withheldAt = all.length >= maxGross ? nowMs : null;
    undelivered = [...others, { capability, generations: all, withheldAt }];
  }
  return undelivered === record.undelivered ? null : { undelivered };
}

/** The record after staff, or a reload of the routes, let the route sell everything again. */
export function restoreAll({ undelivered }: DeliveryRecord): DeliveryRecord | null {
  return undelivered.length === 0 ? null : noUndelivered;
}

/** The capabilities that a route no longer sells. */
export function withheldBy({
  undelivered,
}: DeliveryRecord): (UndeliveredCapability & { withheldAt: number })[] {
  return undelivered.flatMap(({ withheldAt, ...each }) =>
    withheldAt === null ? [] : [{ ...each, withheldAt }],
  );
}

/** Whether an order's route still sells everything that the order needs. */
export function sells(record: DeliveryRecord, order: RequiringOrder): boolean {
  const required = requiredBy(order);
  return withheldBy(record).every(
    ({ capability }) => !required.some((each) => includes(each, capability)),
  );
}

const isSame = (a: Capability, b: Capability) => describeCapability(a) === describeCapability(b);

/** Whether an order that requires one capability also requires the other. */
function includes(required: Capability, other: Capability): boolean {
  if ('from' in required && 'from' in other) {
    return required.of === other.of && required.from >= other.from;
  }
  return isSame(required, other);
}

/** The capability as a phrase, for staff. */
export function describeCapability(capability: Capability): string {
  switch (capability.of) {
    case 'resolution':
      return `resolution ${capability.value}`;
    case 'ratio':
      return `ratio ${capability.value}`;
    case 'sound':
      return 'sound';
    case 'seconds':
      return `${capability.from} seconds or more`;
    case 'files':
      return `${capability.from} ${capability.from === 1 ? 'file' : 'files'} or more`;
    case 'type':
      return `every ${capability.value}`;
  }
}
