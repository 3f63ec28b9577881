import type { RealPersonAudit } from '../../domain/realPersonAudit.ts';

/** Audit records of real-person mode, one for each accepted use; a unit of work inserts them. */
export interface RealPersonAuditStore {
  /** Adds the SHA-256 of the inputs, in their order, once they have been taken over. */
  noteInputs(generationId: string, hashes: readonly string[]): Promise<void>;
  /** Those made since a moment (ms since the epoch), the oldest first. */
  since(sinceMs: number): AsyncIterable<RealPersonAudit>;
}
