import type { CatalogueStore } from '../../../application/ports/catalogue.ts';
import type { Catalogue, CatalogueVersion } from '../../../domain/catalogue/catalogue.ts';
import { type Collections, shortReadMs } from '../collections.ts';
import { ignoreDuplicate } from '../errors.ts';
import type { catalogueSchema } from '../models/catalogues.ts';
import type { StoredOf } from '../models/schema.ts';

const idOf = (number: number) => String(number).padStart(8, '0');

/** Versions of the catalogue. */
export function createCatalogueStore({
  catalogues,
}: Pick<Collections, 'catalogues'>): CatalogueStore {
  return {
    async listPage(before, limit) {
      const isEarlier = before === null ? {} : { _id: { $lt: idOf(before) } };
      const cursor = catalogues.find(isEarlier, {
        sort: { _id: -1 },
        limit,
        maxTimeMS: shortReadMs,
      });
      return (await cursor.toArray()).map(versionOf);
    },

    async listAfter(number, limit) {
      const laterFilter = { _id: { $gt: idOf(number) } };
      const cursor = catalogues.find(laterFilter, {
        sort: { _id: 1 },
        limit,
        maxTimeMS: shortReadMs,
      });
      return (await cursor.toArray()).map(versionOf);
    },

    has: async (hash) =>
      (await catalogues.findOne({ hash }, { projection: { _id: 1 }, maxTimeMS: shortReadMs })) !==
      null,

    insert({ number, hash, isOperators, from, publishedBy, models, groups }, noticeMs) {
      const soonest = { $add: ['$$NOW', noticeMs ?? 0] };
      const content = JSON.stringify({ models, groups } satisfies Catalogue);
      // A filter that matches no document: the upsert inserts, or finds the number taken. An update, because only the
      // server can set the time at which the version became known.
      return ignoreDuplicate(
        catalogues.updateOne(
          { _id: idOf(number), hash: '' },
          [
            {
              $set: {
                number: { $literal: number },
                hash: { $literal: hash },
                isOperators: { $literal: isOperators },
                from:
                  noticeMs === null
                    ? new Date(0)
                    : { $max: [soonest, ...(from === null ? [] : [new Date(from)])] },
                publishedAt: '$$NOW',
                publishedBy: { $literal: publishedBy },
                content: { $literal: content },
              },
            },
          ],
          { upsert: true, maxTimeMS: shortReadMs },
        ),
      );
    },
  };
}

function versionOf({
  content,
  from,
  publishedAt,
  number,
  hash,
  isOperators,
  publishedBy,
}: StoredOf<typeof catalogueSchema>): CatalogueVersion {
  return {
    ...(JSON.parse(content) as Catalogue),
    number,
    hash,
    isOperators,
    from: from.getTime(),
    publishedAt: publishedAt.getTime(),
    publishedBy,
  };
}
