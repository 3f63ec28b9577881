import { allExtras, dayMs } from '@framegate/contract';
import type { RouteEntry } from './configuredRoutes.ts';
import { coveredBy } from './coveredBy.ts';
import {
  type Abilities,
  type ExtraLimit,
  mergeSupport,
  noSupport,
  type RouteSupport,
} from './routeSupport.ts';
import { meantPattern, type ProviderRows, type Row, rowOf } from './rows.ts';
import { mergeSend, type SendRules } from './sendRules.ts';

/** The abilities of a route, and how orders request them. */
export interface RoutePlan {
  /** The row of its model; null if none describes it. */
  row: Row | null;
  /** The pattern of another row that its model was probably meant to match, or null. */
  meant: string | null;
  /** The promises kept by its orders; nothing else is covered. */
  support: RouteSupport;
  send: SendRules;
  /** The fields that its entry must state before the route covers anything; empty if complete. */
  missing: readonly string[];
}

/**
 * The plan of a route: the row of its model, with fields replaced by those that its entry states. Without a row the
 * entry states everything. Options for real-person mode mean that the provider has agreed to real people.
 */
export function planOf(
  models: ProviderRows,
  type: Row['type'],
  { model, does, send: stated, realPersonOptions }: RouteEntry,
): RoutePlan {
  const row = rowOf(models, type, model) ?? null;
  const rowSupport = mergeSupport(noSupport, row?.does ?? {});
  const realPerson = rowSupport.realPerson || Object.keys(realPersonOptions).length > 0;
  const send = mergeSend(row?.send ?? models.send[type] ?? {}, stated);
  const whole = mergeSupport({ ...rowSupport, realPerson }, does);
  const support = coveredBy(whole, send, row?.keepsPictureRatio);
  const missing = missingIn({ support, send }, type, does);
  return { row, meant: meantPattern(models, type, model), send, support, missing };
}

/** The fractions and texts that a route's entry states, but its orders do not send. */
export function unsentExtras({ support }: Pick<RoutePlan, 'support'>, does: Abilities): string[] {
  return allExtras.flatMap(({ support: { name } }) => {
    const [stated, supported] = [does[name as ExtraLimit], support[name as ExtraLimit]];
    return stated !== undefined && stated !== false && (supported === false || isNone(supported))
      ? [name]
      : [];
  });
}

/** Two values of each parameter; a model without a field for the parameter can have only one. */
const several = mergeSupport(noSupport, {
  seconds: [1, 2],
  resolutions: ['720p', '1080p'],
  aspectRatios: ['16:9', '9:16'],
});

function missingIn(
  { support, send }: Pick<RoutePlan, 'support' | 'send'>,
  type: Row['type'],
  does: Abilities,
): string[] {
  const covered = coveredBy(several, send);
  const needed = {
    ...(type === 'video' && { modes: 'firstFrame, images or videos', seconds: 'duration' }),
    resolutions: 'resolution or size',
    aspectRatios: 'ratio or size',
  } as const;
  return Object.entries(needed).flatMap(([key, promise]) => {
    const name = key as keyof typeof needed;
    if (!isNone(support[name])) return [];
    if (does[name] !== undefined) return [`send.${promise}`];
    const isCovered = name === 'modes' || !isNone(covered[name]);
    return [isCovered ? `does.${name}` : `does.${name} (for several values also send.${promise})`];
  });
}

function isNone(limit: RouteSupport[keyof RouteSupport]): boolean {
  return Array.isArray(limit) && limit.length === 0;
}

/** Days after which a row is old: its provider may have changed the models. */
const oldAfterDays = 180;

/** Whether the document of a row was read so long ago that it may have changed. */
export function isOld({ readOn }: Pick<Row, 'readOn'>, nowMs: number): boolean {
  return nowMs - Date.parse(readOn) > oldAfterDays * dayMs;
}
