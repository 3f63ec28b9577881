import { normaliseEmail } from '../../../domain/signIn.ts';
import { isDuplicate } from '../errors.ts';
import type { Migration } from './migration.ts';

/** Addresses that may have another form: not plain ASCII, or with a dot at the end. */
const odd = /[^\x21-\x7e]|\.$/;

/**
 * Stores addresses in the one form of their mailbox. Of several accounts of one mailbox the others keep theirs and
 * are named in the log: an operator decides about them.
 */
export const addresses: Migration = {
  version: 6,
  name: 'one form of addresses',
  worksWith: 3,
  async run({ collections: { accounts }, log, assertHeld }) {
    const found = accounts.find({ email: odd }, { hint: 'email', projection: { email: 1 } });
    for await (const { _id, email } of found) {
      assertHeld();
      const plain = normaliseEmail(email);
      if (plain === email) continue;
      try {
        if (plain !== null) {
          await accounts.updateOne(
            { _id, email },
            { $set: { email: plain }, $inc: { version: 1 } },
          );
          continue;
        }
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
      log.warn(
        { accountId: _id },
        'the address of this account is another spelling of one, or none',
      );
    }
  },
};
