import type { ProviderRequest, Route } from '@framegate/provider-routes';
import { estimateCost } from '../application/generations/reads.ts';
import { sampleRequest } from '../application/generations/run/placeTestOrder.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { formatMoney } from '../domain/providers/cost.ts';
import { localClock, readPicture, type RouteParts, withRoutes } from './routeTools.ts';

/** An order for `routes show`; without a mode, the model's first one applies. */
export interface ShownOrder {
  model: string;
  mode: string | null;
  /** Parameters as in a create request; missing ones get the model's defaults. */
  parameters: unknown;
}

/**
 * The requests that an order would send over each route of its model; none is sent.
 * @throws Refusal for an order that a create request would refuse; CommandError for an unknown mode.
 */
export async function showRoutes(
  parts: Pick<RouteParts, 'config' | 'log' | 'signal'>,
  { model: id, mode, parameters: chosen }: ShownOrder,
) {
  return withRoutes(parts, async (routeSet) => {
    const models = routeSet.narrowModels(parts.config.catalogue.catalogue.models);
    const listed = { group: null, version: 0, models, next: () => null };
    const offer = { findAt: async () => listed };
    const caller = { models: null, group: null };
    const { parameters: effective, cost_credits } = await estimateCost(
      { offer, routes: routeSet.routes, clock: localClock },
      caller,
      { model: id, parameters: chosen },
    );
    const model = models.find((each) => each.id === id);
    const modes: readonly string[] = model?.type === 'video' ? model.modes : [];
    if (mode !== null && !modes.includes(mode)) {
      throw new CommandError(
        modes.length === 0
          ? `${id} has no modes. Omit --mode.`
          : `--mode must be one of the modes of ${id}: ${modes.join(', ')}.`,
      );
    }
    const parameters = { ...effective, seed: effective.seed ?? 1 };
    const type = model?.type ?? 'video';
    const request = sampleRequest(type, mode ?? modes[0] ?? null, parameters, await readPicture());
    const routes = [];
    for (const route of routeSet.routes.forModel(id)) {
      routes.push(await showRoute(route, request, parts.signal));
    }
    return { model: id, mode: request.mode, parameters, cost_credits, routes };
  });
}

async function showRoute(route: Route, request: ProviderRequest, signal: AbortSignal) {
  const covers = route.covers(request);
  const cost = covers ? await route.findCost(request) : null;
  const preview = covers ? await route.show?.(request, signal) : null;
  return {
    provider: route.provider,
    model: route.model,
    covers: covers && (preview?.dropped ?? []).length === 0,
    ...(cost && { cost: cost === 'nothing' ? cost : formatMoney(cost) }),
    ...(preview && {
      request: { method: preview.method, url: preview.url, body: readableBody(preview.body) },
      ...(preview.ignored.length > 0 && { ignored_options: preview.ignored }),
      ...(preview.dropped.length > 0 && { not_sent_on: preview.dropped }),
    }),
  };
}

/** Maximum length of text shown in full, in characters: files are longer. */
const maxShown = 2_000;

/** A body, parsed if it is JSON, with long texts replaced by their lengths. */
function readableBody(body: string): unknown {
  const shorten = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > maxShown
      ? `${value.slice(0, 40)}… (${value.length} characters)`
      : value;
  try {
    return JSON.parse(body, shorten) as unknown;
  } catch {
    return shorten('', body);
  }
}
