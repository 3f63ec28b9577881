import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@framegate/contract';
import {
  type ProviderRequest,
  type Route,
  type RoutePlan,
  RoutesFileError,
} from '@framegate/provider-routes';
import { sampleFolder, samplePictures } from '../adapters/net/sampleHost.ts';
import { createRandom } from '../adapters/system/random.ts';
import {
  placeTestOrder,
  type SamplePicture,
  smallestRequests,
} from '../application/generations/run/placeTestOrder.ts';
import type { Config } from '../config.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { findUnsentValues } from './findUnsentValues.ts';
import { composeMedia } from './media.ts';
import { type ComposedRoutes, composeRoutes } from './routes.ts';

/** The parts of an operator's route commands, which need no database. */
export interface RouteParts {
  config: Config;
  log: Log;
  report: (text: string) => void;
  /** Aborted when the process receives a stop signal. */
  signal: AbortSignal;
}

/** Local time, since there is no database time; only for display. */
export const localClock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  skewMs: () => 0,
  wrongClock: () => null,
};

/**
 * Checks ROUTES_FILE as at startup, and warns of options without effect and of promises that are not sent.
 * @returns The resulting offer of each model, and the values that models offer but no route sends.
 * @throws CommandError
 */
export async function checkRoutes(parts: Pick<RouteParts, 'config' | 'log' | 'signal'>) {
  return withRoutes(parts, async (routeSet) => {
    const models = routeSet.narrowModels(parts.config.catalogue.catalogue.models);
    const picture = await readPicture();
    for (const model of models) {
      for (const route of routeSet.routes.forModel(model.id)) {
        await warnOfOmissions(parts, route, smallestRequests(model, route, picture));
      }
    }
    const offered = models.flatMap((model) => {
      const routes = routeSet.routes.forModel(model.id);
      if (routes.length === 0) return [];
      const plans = routeSet.plansOf(model.id);
      const { modes = null, duration = null } = model.type === 'video' ? model : {};
      return {
        model: model.id,
        ...(modes && { modes }),
        ...(duration && { duration_seconds: duration }),
        resolutions: model.resolutions,
        aspect_ratios: model.aspectRatios,
        order: routeSet.routes.rankingOf(model.id),
        routes: routes.map(
          ({ provider, model: providerModel, weight, limits, keys, ...route }, index) => ({
            provider,
            model: providerModel,
            ...(weight !== null && { weight }),
            ...(route.region !== undefined && { region: route.region }),
            ...(route.groups && { groups: route.groups }),
            ...(limits && { limits }),
            ...(keys && { keys }),
            row: rowOf(plans[index]),
            supports: plans[index]?.support,
          }),
        ),
      };
    });
    const unsent = findUnsentValues(routeSet, parts.config.catalogue.catalogue.models);
    for (const each of unsent) {
      parts.log.warn(each, 'model sells a value that none of its routes sends');
    }
    return { models: offered, not_sent: unsent };
  });
}

/** Warns of a route's options and promises that its package leaves out of its requests. */
async function warnOfOmissions(
  { log, signal }: Pick<RouteParts, 'log' | 'signal'>,
  route: Route,
  requests: readonly ProviderRequest[],
): Promise<void> {
  const where = { provider: route.provider, providerModel: route.model };
  const sentRequests = await Promise.all(requests.map(async (each) => route.show?.(each, signal)));
  const [first = [], ...others] = sentRequests.flatMap((each) => (each ? [each.ignored] : []));
  const ignored = first.filter((name) => others.every((each) => each.includes(name)));
  if (ignored.length > 0) {
    log.warn(
      { ...where, options: ignored },
      'some options of a route have no effect on its requests',
    );
  }
  const warned = new Set<string>();
  for (const [index, request] of requests.entries()) {
    const { dropped: all = [] } = sentRequests[index] ?? {};
    const dropped = all.filter((each) => !warned.has(`${String(request.mode)} ${each}`));
    for (const each of dropped) warned.add(`${String(request.mode)} ${each}`);
    if (dropped.length === 0) continue;
    const text =
      'a route accepts no orders, because its package omits some values; correct its "send" or "does"';
    log.warn({ ...where, ...(request.mode && { mode: request.mode }), notSentOn: dropped }, text);
  }
}

/** A picture for these commands' orders. */
export async function readPicture(): Promise<SamplePicture> {
  const bytes = await readFile(join(sampleFolder, samplePictures[0]));
  return {
    mediaType: 'image/jpeg',
    read: async () => bytes,
    url: () => `data:image/jpeg;base64,${bytes.toString('base64')}`,
  };
}

/** The row used by a route; null if none describes its model. */
function rowOf(plan: RoutePlan | undefined) {
  if (!plan?.row) return null;
  const { match, source, readOn } = plan.row;
  return { match, source, read_on: readOn };
}

/** Runs work with the routes of the file. @throws CommandError with every problem of the file. */
export async function withRoutes<T>(
  { config, log }: Pick<RouteParts, 'config' | 'log'>,
  work: (routeSet: ComposedRoutes) => Promise<T>,
): Promise<T> {
  const routeSet = await composeRoutes({
    config,
    log,
    clock: localClock,
    random: createRandom(localClock),
    catalogue: () => config.catalogue.catalogue.models,
  }).catch((error: unknown) => {
    throw error instanceof RoutesFileError ? new CommandError(error.message) : error;
  });
  try {
    return await work(routeSet);
  } finally {
    await routeSet.stop();
  }
}

/**
 * Places one real order, the smallest that a route covers, and checks the result.
 * @param seconds Time limit.
 * @throws CommandError
 */
export async function placeTestOrderAt(
  parts: RouteParts,
  { provider, model: providerModel }: { provider: string; model: string },
  seconds: number,
) {
  return withRoutes(parts, async (routeSet) => {
    const models = routeSet.narrowModels(parts.config.catalogue.catalogue.models);
    const [match] = models.flatMap((model) =>
      routeSet.routes
        .forModel(model.id)
        .filter((each) => each.provider === provider && each.model === providerModel)
        .map((route) => ({ model, route })),
    );
    if (!match) throw new CommandError(`No route uses ${providerModel} at ${provider}.`);
    const [request] = smallestRequests(match.model, match.route, await readPicture());
    if (!request) {
      throw new CommandError(
        'This route accepts only orders in real-person mode, which cannot be tried.',
      );
    }
    return orderIn(await mkdtemp(join(tmpdir(), 'framegate-try-')), parts, match.route, request, {
      seconds,
    });
  });
}

/** Places an order, and stores its files in a folder. */
async function orderIn(
  folder: string,
  parts: RouteParts,
  route: Route,
  request: ProviderRequest,
  { seconds: orderedSeconds }: { seconds: number },
) {
  const config = {
    ...parts.config,
    dataDir: folder,
    mediaStore: { kind: 'disk', folder },
  } as const;
  const allSecrets = { keyPeppers: [], mediaSigningKeys: [], sessionKeys: [] };
  const media = await composeMedia({ config, allSecrets, clock: localClock, log: parts.log });
  try {
    const tools = {
      storeOutput: media.files.storeOutput,
      nowMs: localClock.now,
      report: parts.report,
    };
    const limit = AbortSignal.any([parts.signal, AbortSignal.timeout(orderedSeconds * 1000)]);
    const testOrder = await placeTestOrder(tools, route, request, limit);
    return {
      provider: route.provider,
      model: route.model,
      mode: testOrder.mode,
      parameters: testOrder.parameters,
      accepted_ms: testOrder.acceptedMs,
      finished_ms: testOrder.finishedMs,
      files: testOrder.files.map(
        ({ mediaType, bytes, measures: { width, height, seconds, sound } }) => ({
          media_type: mediaType,
          bytes,
          width,
          height,
          seconds,
          sound,
        }),
      ),
      differences: testOrder.differences,
      folder,
    };
  } finally {
    media.stop();
  }
}
