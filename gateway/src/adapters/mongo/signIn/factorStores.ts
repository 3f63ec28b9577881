import type { CustomerFactorStore } from '../../../application/ports/site.ts';
import type { PasskeyStore, SecondFactorStore } from '../../../application/ports/staff.ts';
import { maxPasskeys } from '../../../domain/signIn/passkey.ts';
import type { Models } from '../collections.ts';
import { customerFactorCodec, passkeyCodec, staffFactorCodec } from '../models/factors.ts';
import { afterNowExpression, createRecords } from '../records.ts';

/** Makes `useStep` for a collection of second factors: a code works once. */
function createUseStep(
  factors: Models['customerFactors'] | Models['staffFactors'],
): CustomerFactorStore['useStep'] {
  return async ({ id, secret }, step, sealedAnew) => {
    const result = await (factors as Models['customerFactors']).updateOne(
      { _id: id, secret, lastStep: { $lt: step } },
      { $set: { lastStep: step, secret: sealedAnew } },
    );
    return result.modifiedCount === 1;
  };
}

/** Second factors of customers in MongoDB, by account id. */
export function createCustomerFactorStore({
  customerFactors,
}: Pick<Models, 'customerFactors'>): CustomerFactorStore {
  const { insertNew, find, change } = createRecords(customerFactors, customerFactorCodec);
  return {
    find,
    async findHaving(accountIds) {
      const filter = { _id: { $in: [...accountIds] } };
      const documents = await customerFactors.find(filter, { _id: 1 }).lean();
      return new Set(documents.map(({ _id }) => _id));
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

/** Second factors of staff in MongoDB, by account id. */
export function createSecondFactorStore({
  staffFactors,
}: Pick<Models, 'staffFactors'>): SecondFactorStore {
  const { find, findOne } = createRecords(staffFactors, staffFactorCodec);
  const openFilter = { $expr: afterNowExpression('linkUntil') };
  return {
    find,
    async openLink(accountId, { linkHash, linkUntil, setsPassword }) {
      await staffFactors.updateOne(
        { _id: accountId },
        {
          $set: { linkHash, linkUntil: new Date(linkUntil), setsPassword },
          $setOnInsert: { secret: null, lastStep: 0 },
        },
        { upsert: true },
      );
    },
    findByLink: (linkHash) => findOne({ linkHash, ...openFilter }),
    async enrol(linkHash, secret, lastStep) {
      const result = await staffFactors.updateOne(
        { linkHash, ...openFilter },
        { $set: { secret, lastStep, linkHash: null, setsPassword: false } },
      );
      return result.modifiedCount === 1;
    },
    useStep: createUseStep(staffFactors),
  };
}

/** Passkeys of staff in MongoDB. */
export function createPasskeyStore({ passkeys }: Pick<Models, 'passkeys'>): PasskeyStore {
  const { find, list, insertNew, remove } = createRecords(passkeys, passkeyCodec);
  return {
    find,
    list: (accountId) => list({ accountId }, { sort: { _id: 1 }, limit: maxPasskeys }),
    insert: insertNew,
    async use(passkeyId, next) {
      const used = await passkeys.updateOne(
        { _id: passkeyId, counter: next === 0 ? 0 : { $lt: next } },
        [{ $set: { counter: next, lastUsedAt: '$$NOW' } }],
        { updatePipeline: true },
      );
      return used.matchedCount === 1;
    },
    remove,
    async removeOthers(accountId, keptId) {
      await passkeys.deleteMany({ accountId, ...(keptId !== null && { _id: { $ne: keptId } }) });
    },
  };
}
