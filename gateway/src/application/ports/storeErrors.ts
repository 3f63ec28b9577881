/**
 * A write met a document that has changed since it was read: an account (read again and decide again)
 * or a generation (its lease went to somebody else, or it has ended: leave it alone).
 */
export class StaleWrite extends Error {
  readonly of: 'account' | 'generation';
  constructor(of: 'account' | 'generation', id: string) {
    super(`${of} ${id} has changed since it was read`);
    this.of = of;
  }
}

/** A unique value is taken: an idempotency scope, an e-mail address, a ledger number. */
export class DuplicateValue extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`a value of ${index} is taken`);
    this.index = index;
  }
}

/** The database cannot be reached or does not answer in time: 503, try again with the same key. */
export class DatabaseUnavailable extends Error {}

/** There is no account with this id. */
export class NoSuchAccount extends Error {
  constructor(accountId: string) {
    super(`there is no account ${accountId}`);
  }
}
