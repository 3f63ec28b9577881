import type {
  AuditedEntry,
  AuditedGeneration,
  GenerationToCheck,
} from '../../ports/ledgerAudit.ts';
import { auditGeneration, chargesOf } from './auditGeneration.ts';

/** A generation, and the entries read so far that name it. */
interface WaitingPair {
  generation: AuditedGeneration | null;
  own: AuditedEntry[];
}

/**
 * Pairs generations with the entries that name them as both streams arrive. Most pairs soon complete and agree, and are
 * forgotten. The rest are doubtful, and everything about them is read again.
 */
export function matchEntries() {
  const waiting = new Map<string, WaitingPair>();
  const doubts = new Map<string, GenerationToCheck>();
  function reportDoubt(generationId: string, { generation, own }: WaitingPair): void {
    for (const { accountId } of generation ? [generation, ...own] : own) {
      doubts.set(`${generationId} ${accountId}`, { generationId, accountId });
    }
  }
  /** Number of waiting items without their generation. */
  let lacking = 0;

  function waitFor(id: string) {
    const item = waiting.get(id);
    if (item) return item;
    const fresh: WaitingPair = { generation: null, own: [] };
    waiting.set(id, fresh);
    lacking += 1;
    return fresh;
  }

  function settle(generation: AuditedGeneration, own: AuditedEntry[]): void {
    if (own.length < chargesOf(generation) * (generation.status === 'failed' ? 2 : 1)) return;
    waiting.delete(generation.id);
    auditGeneration(generation, own, () => {
      reportDoubt(generation.id, { generation, own });
    });
  }

  return {
    addEntry(entry: AuditedEntry): void {
      if (typeof entry.generationId !== 'string') return;
      const { generation, own } = waitFor(entry.generationId);
      own.push(entry);
      if (generation) settle(generation, own);
    },
    addGeneration(generation: AuditedGeneration): void {
      const each = waitFor(generation.id);
      each.generation = generation;
      lacking -= 1;
      settle(generation, each.own);
    },
    /** Whether more items lack their generation than their entries. */
    lacksGenerations: () => lacking > waiting.size - lacking,
    doubts(): GenerationToCheck[] {
      for (const [id, each] of waiting) reportDoubt(id, each);
      return [...doubts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
    },
  };
}
