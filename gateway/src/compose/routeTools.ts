import { RoutesFileError } from '@framegate/provider-routes';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleFolder, samplePictures } from '../adapters/net/sampleHost.ts';
import { createRandom } from '../adapters/system/random.ts';
import { PlainRefusal } from '../domain/refusal.ts';
import type { Log } from '../application/ports/system.ts';
import { smallestRequest, tryRoute } from '../application/generations/tryRoute.ts';
import type { Config } from '../config.ts';
import { composeMedia } from './media.ts';
import type { RoutePlan } from '@framegate/provider-routes';
import { composeRoutes } from './routes.ts';

/** Dependencies of an operator's route commands, which need no database. */
export interface RouteTools {
  config: Config;
  log: Log;
  tell: (text: string) => void;
  /** Aborted when the process receives a stop signal. */
  signal: AbortSignal;
}

/** Local time, since there is no database time; only for people. */
const clock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  skewMs: () => 0,
};

/** Checks ROUTES_FILE as a start does. @returns The resulting offer of each model. @throws PlainRefusal */
export async function checkRoutes(deps: Pick<RouteTools, 'config' | 'log'>) {
  const composed = await openRoutes(deps);
  try {
    const models = composed.narrowed(deps.config.catalogue.catalogue.models);
    const offered = models.flatMap((model) => {
      const routes = composed.routes.of(model.id);
      if (routes.length === 0) return [];
      const plans = composed.plansOf(model.id);
      const { modes = null, duration = null } = model.type === 'video' ? model : {};
      return {
        model: model.id,
        ...(modes && { modes }),
        ...(duration && { duration_seconds: duration }),
        resolutions: model.resolutions,
        aspect_ratios: model.aspectRatios,
        routes: routes.map(({ provider, model: upstream, weight, limits, keys }, i) => ({
          provider,
          model: upstream,
          ...(weight !== null && { weight }),
          ...(limits && { limits }),
          ...(keys && { keys }),
          row: rowOf(plans[i]),
          supports: plans[i]?.support,
        })),
      };
    });
    return { models: offered };
  } finally {
    await composed.close();
  }
}

/** The row that a route uses; null if none describes its model. */
function rowOf(plan: RoutePlan | undefined) {
  if (!plan?.row) return null;
  const { match, source, readOn } = plan.row;
  return { match, source, read_on: readOn };
}

async function openRoutes({ config, log }: Pick<RouteTools, 'config' | 'log'>) {
  try {
    return await composeRoutes(config, {
      log,
      clock,
      random: createRandom(clock),
      catalogue: () => config.catalogue.catalogue.models,
    });
  } catch (error) {
    throw error instanceof RoutesFileError ? new PlainRefusal(error.message) : error;
  }
}

/**
 * Places one real order at a route, the smallest that it covers, and checks the result.
 * @param seconds Time limit.
 * @throws PlainRefusal
 */
export async function orderOnce(
  deps: RouteTools,
  { provider, model: upstream }: { provider: string; model: string },
  seconds: number,
) {
  const composed = await openRoutes(deps);
  const folder = await mkdtemp(join(tmpdir(), 'framegate-try-'));
  const config = { ...deps.config, dataDir: folder, mediaStore: { kind: 'disk', folder } } as const;
  const secrets = { keyPeppers: [], mediaSigningKeys: [], sessionKeys: [] };
  const media = composeMedia(config, { secrets, clock, log: deps.log });
  try {
    const models = composed.narrowed(deps.config.catalogue.catalogue.models);
    const found = models.flatMap((model) =>
      composed.routes
        .of(model.id)
        .filter((each) => each.provider === provider && each.model === upstream)
        .map((route) => ({ model, route })),
    );
    const [first] = found;
    if (!first) throw new PlainRefusal(`No route leads to ${upstream} at ${provider}.`);
    const bytes = await readFile(join(sampleFolder, samplePictures[0]));
    const picture = {
      mediaType: 'image/jpeg',
      read: async () => bytes,
      url: () => `data:image/jpeg;base64,${bytes.toString('base64')}`,
    };
    const request = smallestRequest(first.model, first.route, picture);
    if (!request) throw new PlainRefusal('The route covers no order without a real person.');
    const tools = { storeOutput: media.storeOutput, nowMs: clock.now, tell: deps.tell };
    const limit = AbortSignal.any([deps.signal, AbortSignal.timeout(seconds * 1000)]);
    const tried = await tryRoute(tools, first.route, request, limit);
    return {
      provider,
      model: upstream,
      mode: tried.mode,
      parameters: tried.parameters,
      accepted_ms: tried.acceptedMs,
      finished_ms: tried.finishedMs,
      files: tried.files.map(({ mediaType, bytes: size, measured }) => ({
        media_type: mediaType,
        bytes: size,
        ...measured,
      })),
      differences: tried.differences,
      folder,
    };
  } finally {
    media.close();
    await composed.close();
  }
}
