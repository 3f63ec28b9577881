import type { EndOfAccess } from '../../../application/ports/database.ts';
import type { ErasedPerson, ErasedTraces, TraceKind } from '../../../domain/accounts/erasure.ts';
import type { ExternalAccessKind } from '../../../domain/signIn/access.ts';
import { rowsEndedBy } from '../../../domain/signIn/accessEnds.ts';
import type { Collections } from '../collections.ts';
import type { InTransaction } from '../transactions.ts';
import { recordErasure } from './erasureStore.ts';

interface Removal {
  kind: TraceKind;
  /** @returns The number removed. */
  remove: (
    collections: Collections,
    end: { accountId: string } & Omit<EndOfAccess, 'by'>,
    options: InTransaction,
  ) => Promise<number>;
}

const removals: Readonly<Record<ExternalAccessKind, Removal>> = {
  'site session': {
    kind: 'sessions',
    async remove({ sessions }, { accountId, keptSessionId }, options) {
      const exceptKept = keptSessionId === undefined ? {} : { _id: { $ne: keptSessionId } };
      return (await sessions.deleteMany({ accountId, ...exceptKept }, options)).deletedCount;
    },
  },
  'console session': {
    kind: 'console sessions',
    remove: async ({ staffSessions }, { accountId }, options) =>
      (await staffSessions.deleteMany({ accountId }, options)).deletedCount,
  },
  'mailed code': {
    kind: 'mailed codes',
    remove: async ({ confirmations }, { accountId }, options) =>
      (await confirmations.deleteMany({ accountId }, options)).deletedCount,
  },
  'sign-in link': {
    kind: 'sign-in links',
    remove: async ({ signInLinks }, { accountId }, options) =>
      (await signInLinks.deleteMany({ accountId }, options)).deletedCount,
  },
  // Sessions of the site and of the console.
  'second factor': {
    kind: 'second factors',
    async remove({ customerFactors, staffFactors }, { accountId }, options) {
      const site = await customerFactors.deleteMany({ _id: accountId }, options);
      const console = await staffFactors.deleteMany({ _id: accountId }, options);
      return site.deletedCount + console.deletedCount;
    },
  },
  passkey: {
    kind: 'passkeys',
    async remove({ passkeys }, { accountId, passkeyId, keptPasskeyId }, options) {
      const one = passkeyId === undefined ? {} : { _id: passkeyId };
      const exceptKept = keptPasskeyId === undefined ? {} : { _id: { $ne: keptPasskeyId } };
      return (await passkeys.deleteMany({ accountId, ...one, ...exceptKept }, options))
        .deletedCount;
    },
  },
  'enrolment link': {
    kind: 'enrolment links',
    remove: async ({ staffFactors }, { accountId }, options) =>
      (
        await staffFactors.updateMany(
          { _id: accountId, linkHash: { $type: 'string' } },
          { $set: { linkHash: null } },
          options,
        )
      ).modifiedCount,
  },
  // Deleted with the document of the factor.
  'recovery codes': {
    kind: 'recovery codes',
    remove: async ({ customerFactors }, { accountId }, options) =>
      (
        await customerFactors.updateMany(
          { _id: accountId },
          { $set: { recoveryHashes: [] } },
          options,
        )
      ).modifiedCount,
  },
  'shared link': {
    kind: 'shared links',
    remove: async ({ shares }, { accountId }, options) =>
      (await shares.deleteMany({ accountId }, options)).deletedCount,
  },
};

/** Removes access stored outside the accounts' documents, and records the erasures among the ends with these counts. */
export async function endAccess(
  collections: Collections,
  units: readonly {
    before: { id: string };
    accessEnds: readonly EndOfAccess[];
    erasures: readonly (ErasedPerson | null)[];
  }[],
  options: InTransaction,
): Promise<void> {
  for (const { before, accessEnds, erasures } of units) {
    const accountId = before.id;
    const traces: ErasedTraces[] = [];
    for (const { by, ...but } of accessEnds) {
      for (const row of rowsEndedBy(by)) {
        const { kind, remove } = removals[row];
        const count = await remove(collections, { accountId, ...but }, options);
        traces.push({ kind, count });
      }
    }
    for (const person of erasures) {
      await recordErasure(collections, { accountId, person, traces: traces.splice(0) }, options);
    }
  }
}
