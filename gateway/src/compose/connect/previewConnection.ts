import { capabilitiesOf, type Model } from '@framegate/contract';
import {
  type CostliestOrder,
  findCostliestOrders,
} from '../../application/catalogue/costliestOrders.ts';
import { noLog } from '../../application/ports/system.ts';
import type { Config } from '../../config.ts';
import { widestModel } from '../../domain/catalogue/widestModel.ts';
import { CommandError } from '../../domain/installation/commandError.ts';
import type { Connection } from '../../domain/providers/connection.ts';
import { withRoutes } from '../routeTools.ts';

/** A model that the catalogue lacks. */
export interface NewModel {
  id: string;
  type: Model['type'];
  /** Credits for each second or image, in every resolution. */
  price: number;
}

/** The consequences of a connection. */
export interface ConnectionPreview {
  /** Rows of MODELS_FILE for the new models, with their routes' capabilities. */
  rows: Record<string, object>;
  costliest: CostliestOrder[];
}

/**
 * Previews the routes of a connection, without calling its provider.
 * @param config With the connection in its routes.
 * @throws CommandError with every problem of the routes file.
 */
export async function previewConnection(
  config: Config,
  { name, routes }: Connection,
  newModels: readonly NewModel[],
): Promise<ConnectionPreview> {
  const { catalogue } = config.catalogue;
  const models = [...catalogue.models, ...newModels.map(widest)];
  const whole = {
    ...config,
    catalogue: { ...config.catalogue, catalogue: { ...catalogue, models } },
  };
  // The routes are not checked yet, so their warnings mean nothing.
  const preview = withRoutes({ config: whole, log: noLog }, async (routeSet) => {
    const seen: ConnectionPreview = { rows: {}, costliest: [] };
    const offered = routeSet.narrowModels(models);
    for (const id of new Set(routes.map((each) => each.id))) {
      const model = offered.find((each) => each.id === id);
      for (const route of routeSet.routes.forModel(id)) {
        if (model && route.provider === name) {
          seen.costliest.push(...(await findCostliestOrders(model, route)));
        }
      }
      const price = newModels.find((each) => each.id === id)?.price;
      if (model && price !== undefined) seen.rows[id] = rowOf(model, price);
    }
    return seen;
  });
  return preview.catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`Nothing was written. With this provider added: ${error.message}`);
  });
}

/** A new model with everything that customers can order. */
function widest({ id, type, price }: NewModel): Model {
  const model = widestModel(id, type);
  const prices = Object.fromEntries(model.resolutions.map((each) => [each, price]));
  return model.type === 'video'
    ? { ...model, creditsPerSecond: prices, audioFactor }
    : { ...model, creditsPerImage: prices };
}

/** Sound is free until the operator prices it. */
const audioFactor = { numerator: 1, denominator: 1 };

/** Usual seconds until a result is there, until the operator knows better. */
const typicalSeconds = { video: 60, image: 20 };

function rowOf(model: Model, price: number): object {
  const { type, id, resolutions } = model;
  const words = id.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return {
    type,
    display_name: words.join(' ').slice(0, 60),
    typical_seconds: typicalSeconds[type],
    capabilities: capabilitiesOf(model),
    pricing: {
      credits: Object.fromEntries(resolutions.map((each) => [each, price])),
      ...(type === 'video' && model.generateAudio && { audio: audioFactor }),
    },
  };
}
