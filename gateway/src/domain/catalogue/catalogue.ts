import type { Fraction, Model } from '@framegate/contract';
import { reporter } from '../installation/fileProblems.ts';

/** A model's price for a group of accounts: all its prices times a factor, individual prices, or both. */
export interface GroupPrice {
  /** Each price is multiplied and rounded up. */
  factor?: Fraction;
  /** Credits by resolution, replacing the multiplied ones. */
  credits?: Readonly<Record<string, number>>;
}

/** Prices of a group by model id; `*` applies to models not named. */
export type GroupPrices = Readonly<Record<string, GroupPrice>>;

/** Models on sale, with their prices. */
export interface Catalogue {
  /** Models in the order of GET /models. */
  models: readonly Model[];
  /** Prices by group name; everyone else pays the models' own prices. */
  groups: Readonly<Record<string, GroupPrices>>;
}

/** A stored version of the catalogue, which never changes. Times in ms since the epoch, in database time. */
export interface CatalogueVersion extends Catalogue {
  /** Starts at 1. */
  number: number;
  /** SHA-256 of the settings behind it, in hex. */
  hash: string;
  /** Whether it comes from a file of the operator. */
  isOperators: boolean;
  from: number;
  publishedAt: number;
  /** Host and id of the process that published it. */
  publishedBy: string;
}

type DatedVersion = Pick<CatalogueVersion, 'number' | 'from'>;

/**
 * The version in force at a moment: the newest that has begun. A version thus replaces its predecessor and every later
 * change that was published before it.
 */
export function versionAt<V extends DatedVersion>(versions: readonly V[], nowMs: number): V | null {
  return newest(versions.filter(({ from }) => from <= nowMs));
}

/** The version that takes effect next; null if no change is known. */
export function versionAfter<V extends DatedVersion>(
  versions: readonly V[],
  nowMs: number,
): V | null {
  const current = versionAt(versions, nowMs)?.number ?? 0;
  const coming = versions.filter(({ number, from }) => number > current && from > nowMs);
  const soonest = Math.min(...coming.map(({ from }) => from));
  return newest(coming.filter(({ from }) => from === soonest));
}

function newest<V extends DatedVersion>(versions: readonly V[]): V | null {
  return versions.reduce<V | null>(
    (best, each) => (best === null || each.number > best.number ? each : best),
    null,
  );
}

/** The models with a group's prices. @param group Null, or a group without prices, for the models' own. */
export function withGroupPrices(
  models: readonly Model[],
  groups: Catalogue['groups'],
  group: string | null,
): readonly Model[] {
  const prices = group !== null && Object.hasOwn(groups, group) ? groups[group] : undefined;
  if (prices === undefined) return models;
  return models.map((model) => {
    const own = Object.hasOwn(prices, model.id) ? prices[model.id] : prices['*'];
    return own === undefined ? model : withGroupPrice(model, own);
  });
}

/** The model with other prices. Prices of resolutions that it does not offer have no effect. */
export function withGroupPrice(model: Model, { factor, credits = {} }: GroupPrice): Model {
  const change = (prices: Readonly<Record<string, number>>) => ({
    ...Object.fromEntries(
      Object.entries(prices).map(([name, price]) => [name, multipliedUp(price, factor)]),
    ),
    ...credits,
  });
  return model.type === 'video'
    ? { ...model, creditsPerSecond: change(model.creditsPerSecond) }
    : { ...model, creditsPerImage: change(model.creditsPerImage) };
}

function multipliedUp(price: number, { numerator, denominator }: Fraction = unchanged): number {
  return Math.ceil((price * numerator) / denominator);
}

const unchanged: Fraction = { numerator: 1, denominator: 1 };

/** The models still on sale at a moment: those whose `sunsetAt` has not come. */
export function soldAt(models: readonly Model[], nowMs: number): readonly Model[] {
  const isSold = ({ sunsetAt }: Model) => sunsetAt === null || Date.parse(sunsetAt) > nowMs;
  return models.every(isSold) ? models : models.filter(isSold);
}

/**
 * Why a catalogue may not follow a version: model ids are never reused, and a retired model does not return.
 * @returns One sentence each, with the JSON path.
 */
export function successionProblems(
  before: Pick<CatalogueVersion, 'models'>,
  after: Catalogue,
  nowMs: number,
): string[] {
  const problems: string[] = [];
  for (const { id, type, sunsetAt } of before.models) {
    const report = reporter(problems, ['models', id]);
    const next = after.models.find((model) => model.id === id);
    const isGone = sunsetAt !== null && Date.parse(sunsetAt) <= nowMs;
    if (next === undefined) {
      report([], 'is missing: the model was sold, so keep its entry and give it a sunset_at');
    } else if (next.type !== type) {
      report(['type'], `must be "${type}" as before: an id is never used for another model`);
    } else if (isGone && next.sunsetAt !== sunsetAt) {
      report(['sunset_at'], `must be "${sunsetAt}": the model was retired then`);
    }
  }
  return problems;
}
