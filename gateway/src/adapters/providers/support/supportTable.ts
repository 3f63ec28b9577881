import { literalPattern } from '../../../domain/foldText.ts';
import {
  leastSupport,
  mergeSupport,
  type RouteSupport,
  type SupportsJson,
} from '../routeSupport.ts';

/** What models of a provider can do, as far as its documents say. */
export interface SupportRow {
  type: 'video' | 'image';
  /** The provider's model ids that it is about, whole; `*` stands for any text. */
  models: readonly string[];
  /** What they do beyond the least, in the form of a route's `supports`. */
  does: SupportsJson;
  /** The document that says so. */
  source: string;
  /** The day on which the document was read, as YYYY-MM-DD. */
  readOn: string;
  /** Set for models that the provider has shut down, or has said that it will. */
  retired?: Retirement;
}

/** When a provider shuts a model down, and what takes its place. */
export interface Retirement {
  /** YYYY-MM-DD. */
  on: string;
  /** A model that is alive; null where none is known that the provider's package reaches. */
  replacement: string | null;
}

/** The rows of one provider kind; of those that fit a model the first counts. */
export type SupportTable = readonly SupportRow[];

/** The row of a model; undefined where the table has none. */
export function rowOf(
  table: SupportTable,
  type: SupportRow['type'],
  model: string,
): SupportRow | undefined {
  return table.find(
    (row) => row.type === type && row.models.some((pattern) => fits(pattern, model)),
  );
}

/** What a model can do as far as it is known; the least where the table has no row for it. */
export function supportOf(
  table: SupportTable,
  type: SupportRow['type'],
  model: string,
): RouteSupport {
  return mergeSupport(leastSupport, rowOf(table, type, model)?.does ?? {});
}

function fits(pattern: string, model: string): boolean {
  const parts = pattern.split('*').map(literalPattern);
  return new RegExp(`^${parts.join('.*')}$`).test(model);
}
