import type { Models } from './collections.ts';
import { confirmationCodec } from './models/confirmations.ts';
import { customerFactorCodec } from './models/factors.ts';
import { createRecords, isAfterNow } from './records.ts';
import type { Clock, Log } from '../../application/ports/system.ts';
import type {
  ConfirmationStore,
  CustomerFactorStore,
  KeyUseStore,
} from '../../application/ports/site.ts';

/** Minimum time between writes of a key's use, in ms. */
const notedEveryMs = 60_000;
/** Maximum number of keys whose last recorded use is remembered. */
const maxKeysRemembered = 10_000;

/** Confirmations by mail in MongoDB; a TTL index removes them a day after their end. */
export function createConfirmationStore({
  confirmations,
}: Pick<Models, 'confirmations'>): ConfirmationStore {
  const { insert, find, change } = createRecords(confirmations, confirmationCodec);
  return {
    insert,
    find,
    takeTry: (confirmationId) =>
      change(
        {
          _id: confirmationId,
          usedAt: null,
          triesLeft: { $gt: 0 },
          $expr: isAfterNow('expiresAt'),
        },
        { $inc: { triesLeft: -1 } },
      ),
    async markUsed(confirmationId) {
      await change({ _id: confirmationId }, [{ $set: { usedAt: '$$NOW' } }]);
    },
  };
}

/** Notes the time step of a code of a second factor, in the collection that holds it. */
export function createUseStep(
  factors: Models['customerFactors'] | Models['staffFactors'],
): CustomerFactorStore['useStep'] {
  return async ({ id, secret }, step, sealedAnew) => {
    const done = await (factors as Models['customerFactors']).updateOne(
      { _id: id, secret, lastStep: { $lt: step } },
      { $set: { lastStep: step, secret: sealedAnew } },
    );
    return done.modifiedCount === 1;
  };
}

/** Second factors of customers in MongoDB, by account id. */
export function createCustomerFactorStore({
  customerFactors,
}: Pick<Models, 'customerFactors'>): CustomerFactorStore {
  const { insertNew, find, change } = createRecords(customerFactors, customerFactorCodec);
  return {
    find,
    async having(accountIds) {
      const asked = { _id: { $in: [...accountIds] } };
      const found = await customerFactors.find(asked, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
    insert: insertNew,
    useStep: createUseStep(customerFactors),
    async useRecoveryCode(accountId, hash) {
      const used = await change(
        { _id: accountId, recoveryHashes: hash },
        { $pull: { recoveryHashes: hash } },
      );
      return used && used.recoveryHashes.length;
    },
    async replaceRecoveryCodes(accountId, hashes) {
      const recoveryHashes = [...hashes];
      await customerFactors.updateOne({ _id: accountId }, { $set: { recoveryHashes } });
    },
  };
}

/**
 * When keys were last used, in documents of their own, so that a request does not change its account's. A use that
 * cannot be written is lost, which is harmless.
 */
export function createKeyUseStore(
  { keyUses }: Pick<Models, 'keyUses'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
): KeyUseStore {
  const noted = new Map<string, number>();
  return {
    note(keyId, address) {
      const now = clock.now();
      if ((noted.get(keyId) ?? 0) > now - notedEveryMs) return;
      if (noted.size >= maxKeysRemembered) noted.clear();
      noted.set(keyId, now);
      keyUses
        .updateOne(
          { _id: keyId },
          [{ $set: { usedAt: '$$NOW', address: { $literal: address } } }],
          {
            upsert: true,
            updatePipeline: true,
          },
        )
        .then(undefined, (error: unknown) => {
          noted.delete(keyId);
          log.debug({ error, keyId }, 'failed to record the use of a key');
        });
    },
    async find(keyIds) {
      if (keyIds.length === 0) return new Map();
      const found = await keyUses.collection.find({ _id: { $in: [...keyIds] } }).toArray();
      return new Map(
        found.map(({ _id, usedAt, address }) => [_id, { at: usedAt.getTime(), address }]),
      );
    },
  };
}
