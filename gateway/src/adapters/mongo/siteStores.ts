import { fromDocument, toDocument, type Collections } from './collections.ts';
import { isDuplicate } from './errors.ts';
import type { Clock, Log } from '../../application/ports/system.ts';
import type {
  ConfirmationStore,
  CustomerFactor,
  CustomerFactorStore,
  KeyUseStore,
  MailStore,
  QueuedMail,
  SessionStore,
  UndeliveredMail,
} from '../../application/site/ports.ts';

/** A session's visit, and a key's use, is written at most this often, in ms. */
const notedEveryMs = 60_000;
/** Keys whose last noted use is remembered. */
const maxKeysRemembered = 10_000;

/** Sessions of the account site in MongoDB; a TTL index removes those that are over. */
export function createSessionStore({ sessions }: Pick<Collections, 'sessions'>): SessionStore {
  const since = (idleMs: number) => ({ $subtract: ['$$NOW', idleMs] });
  const live = (idleMs: number) => ({
    $expr: {
      $and: [{ $gt: ['$expiresAt', '$$NOW'] }, { $gt: ['$seenAt', since(idleMs)] }],
    },
  });
  return {
    async visit(sessionId, idleMs) {
      const found = await sessions.findOne({ _id: sessionId, ...live(idleMs) });
      if (!found) return null;
      await sessions.updateOne(
        { _id: sessionId, $expr: { $lt: ['$seenAt', since(notedEveryMs)] } },
        [{ $set: { seenAt: '$$NOW' } }],
      );
      return fromDocument(found);
    },
    async insert(session) {
      await sessions.insertOne(toDocument(session));
    },
    async keep(sessionId, data) {
      await sessions.updateOne({ _id: sessionId }, { $set: { data } });
    },
    async remove(sessionId) {
      await sessions.deleteOne({ _id: sessionId });
    },
    async list(accountId, idleMs) {
      const found = sessions.find({ accountId, ...live(idleMs) }, { sort: { seenAt: -1 } });
      return (await found.toArray()).map((document) => fromDocument(document));
    },
    async removeOthers(accountId, keptId) {
      await sessions.deleteMany({
        accountId,
        ...(keptId !== null && { _id: { $ne: keptId } }),
      });
    },
  };
}

/** Confirmations by mail in MongoDB; a TTL index removes them a day after their end. */
export function createConfirmationStore({
  confirmations,
}: Pick<Collections, 'confirmations'>): ConfirmationStore {
  return {
    async insert(confirmation) {
      await confirmations.insertOne(toDocument(confirmation));
    },
    async find(confirmationId) {
      const found = await confirmations.findOne({ _id: confirmationId });
      return found && fromDocument(found);
    },
    async takeTry(confirmationId) {
      const found = await confirmations.findOneAndUpdate(
        {
          _id: confirmationId,
          usedAt: null,
          triesLeft: { $gt: 0 },
          $expr: { $gt: ['$expiresAt', '$$NOW'] },
        },
        [{ $set: { triesLeft: { $subtract: ['$triesLeft', 1] } } }],
        { returnDocument: 'after' },
      );
      return found && fromDocument(found);
    },
    async markUsed(confirmationId) {
      await confirmations.updateOne({ _id: confirmationId }, [{ $set: { usedAt: '$$NOW' } }]);
    },
  };
}

/** Notes the time step of a code of a second factor, in the collection that holds it. */
export function createUseStep(
  factors: Collections['customerFactors'],
): CustomerFactorStore['useStep'] {
  return async ({ id, secret }, step, sealedAnew) => {
    const done = await factors.updateOne(
      { _id: id, secret, lastStep: { $lt: step } },
      { $set: { lastStep: step, secret: sealedAnew } },
    );
    return done.modifiedCount === 1;
  };
}

/** Second factors of customers in MongoDB, by account id. */
export function createCustomerFactorStore({
  customerFactors,
}: Pick<Collections, 'customerFactors'>): CustomerFactorStore {
  return {
    async find(accountId) {
      const found = await customerFactors.findOne({ _id: accountId });
      return found && fromDocument<CustomerFactor>(found);
    },
    async insert(factor) {
      try {
        await customerFactors.insertOne(toDocument(factor));
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return false;
      }
    },
    useStep: createUseStep(customerFactors),
    async useRecoveryCode(accountId, hash) {
      const used = await customerFactors.findOneAndUpdate(
        { _id: accountId, recoveryHashes: hash },
        { $pull: { recoveryHashes: hash } as never },
        { returnDocument: 'after' },
      );
      return used && fromDocument<CustomerFactor>(used).recoveryHashes.length;
    },
    async replaceRecoveryCodes(accountId, hashes) {
      const recoveryHashes = [...hashes];
      await customerFactors.updateOne({ _id: accountId }, { $set: { recoveryHashes } });
    },
    async remove(accountId) {
      return (await customerFactors.deleteOne({ _id: accountId })).deletedCount === 1;
    },
  };
}

/**
 * When keys were last used, in documents of their own: a request must not change its account's. A use
 * that cannot be written is lost, which does no harm.
 */
export function createKeyUseStore(
  { keyUses }: Pick<Collections, 'keyUses'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
): KeyUseStore {
  const noted = new Map<string, number>();
  return {
    note(keyId) {
      const now = clock.now();
      if ((noted.get(keyId) ?? 0) > now - notedEveryMs) return;
      if (noted.size >= maxKeysRemembered) noted.clear();
      noted.set(keyId, now);
      keyUses
        .updateOne({ _id: keyId }, [{ $set: { usedAt: '$$NOW' } }], { upsert: true })
        .catch((error: unknown) => {
          noted.delete(keyId);
          log.debug({ error, keyId }, 'the use of a key could not be noted');
        });
    },
    async find(keyIds) {
      const found = await keyUses.find({ _id: { $in: [...keyIds] } }).toArray();
      return new Map(
        found.map((document) => {
          const { id, usedAt } = fromDocument<{ id: string; usedAt: number }>(document);
          return [id, usedAt];
        }),
      );
    },
  };
}

/** Mails under way, and those that could not be delivered; a TTL index removes what is over. */
export function createMailStore({ mails }: Pick<Collections, 'mails'>): MailStore {
  return {
    async insert(mail) {
      await mails.insertOne(toDocument(mail));
    },
    async findDue(nowMs, limit) {
      const found = mails.find(
        { nextTryAt: { $lte: new Date(nowMs) } },
        { hint: 'due', sort: { nextTryAt: 1 }, limit },
      );
      return (await found.toArray()).map((document) => fromDocument<QueuedMail>(document));
    },
    async claim({ id, nextTryAt }, untilMs) {
      const claimed = await mails.findOneAndUpdate(
        { _id: id, nextTryAt: new Date(nextTryAt) },
        [{ $set: { nextTryAt: new Date(untilMs), tries: { $add: ['$tries', 1] } } }],
        { returnDocument: 'after' },
      );
      return claimed && fromDocument<QueuedMail>(claimed);
    },
    async remove(id) {
      await mails.deleteOne({ _id: id });
    },
    async postpone(id, untilMs, problem) {
      await mails.updateOne({ _id: id }, { $set: { nextTryAt: new Date(untilMs), problem } });
    },
    async giveUp(id, problem) {
      await mails.updateOne({ _id: id }, [
        { $set: { givenUpAt: '$$NOW', problem } },
        { $unset: ['sealed', 'nextTryAt'] },
      ]);
    },
    async findUndelivered(limit) {
      const projection = { sealed: 0 };
      const found = mails.find(
        { isDecoy: { $ne: true } },
        { sort: { _id: -1 }, limit, projection },
      );
      return (await found.toArray()).map((document) => fromDocument<UndeliveredMail>(document));
    },
  };
}
