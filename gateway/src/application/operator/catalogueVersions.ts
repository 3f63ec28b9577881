import {
  type CatalogueVersion as ShownVersion,
  type Page,
  pageLimits,
  type QueryOf,
} from '@framegate/contract/operator';
import { versionAt } from '../../domain/catalogue/catalogue.ts';
import { parseNumberCursor } from '../../domain/feed/cursor.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import type { App } from '../app.ts';
import { presentPage } from './present.ts';

/** Maximum number of versions in force or upcoming. */
const maxVersions = 100;

/** Versions of models and prices, newest first. @throws Refusal `cursor_invalid`. */
export async function listCatalogueVersions(
  { catalogues, clock }: Pick<App, 'catalogues' | 'clock'>,
  { after, limit = pageLimits.usual }: QueryOf<'listCatalogueVersions'>,
): Promise<Page<ShownVersion>> {
  const list = 'catalogue';
  const before = parseNumberCursor(list, after) || null;
  const versions = await catalogues.listPage(before, limit + 1);
  const current = versionAt(await catalogues.listPage(null, maxVersions), clock.now());
  return presentPage(versions, {
    list,
    limit,
    begin: null,
    cursorValueOf: ({ number }) => number,
    present: (version) => ({
      object: 'catalogue_version',
      version: version.number,
      in_force: version.number === current?.number,
      from: isoTime(version.from),
      published_at: isoTime(version.publishedAt),
      published_by: version.publishedBy,
      from_file: version.isOperators,
      hash: version.hash,
      models: version.models.map(({ id }) => id),
      groups: Object.keys(version.groups),
    }),
  });
}
