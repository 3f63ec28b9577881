import { pageLimits } from '@framegate/contract/operator';
import { versionAt } from '../../domain/catalogue/catalogue.ts';
import { parseNumberCursor } from '../../domain/feed/cursor.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import type { OperatorUseCases } from './operatorCall.ts';
import { presentPage } from './present.ts';

/** Maximum number of versions in force or upcoming. */
const maxVersions = 100;

export const catalogueUseCases = {
  /** Versions of models and prices, newest first. @throws Refusal `cursor_invalid`. */
  async listCatalogueVersions(
    { catalogues, clock },
    { query: { after, limit = pageLimits.usual } },
  ) {
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
  },
} satisfies Partial<OperatorUseCases>;
