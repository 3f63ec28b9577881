import type { RealPersonAuditStore } from '../../application/ports/realPersonAuditStore.ts';
import type { RealPersonAudit } from '../../domain/realPersonAudit.ts';
import type { Collections } from './collections.ts';
import { fromDocument } from './documents.ts';

const batchSize = 500;

/** Audit records of real-person mode; inserted by the unit of work, removed by a TTL index. */
export function createRealPersonAuditStore({
  realPersonAudit,
}: Pick<Collections, 'realPersonAudit'>): RealPersonAuditStore {
  return {
    async noteInputs(generationId, hashes) {
      const named = hashes.map((sha256, index) => [`inputs.${index}.sha256`, sha256] as const);
      await realPersonAudit.updateOne({ _id: generationId }, { $set: Object.fromEntries(named) });
    },
    async *since(sinceMs) {
      const found = realPersonAudit.find(
        { at: { $gte: new Date(sinceMs) } },
        // Left alone, the server sends 16 MB of small ones at once.
        { sort: { at: 1, _id: 1 }, batchSize },
      );
      for await (const document of found) yield fromDocument<RealPersonAudit>(document);
    },
  };
}
