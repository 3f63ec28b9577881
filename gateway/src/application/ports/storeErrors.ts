/**
 * A write met a generation that has changed since it was read: its lease went to another process, or it
 * has ended. Leave it alone.
 */
export class StaleWrite extends Error {
  /** @param generationIds The generation, or the ones among which it is, as text. */
  constructor(generationIds: string) {
    super(`generation ${generationIds} has changed since it was read`);
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

/**
 * The database cannot be reached or does not answer in time, as we have found ourselves; most trouble is
 * an error of the driver. `Database.isTrouble` recognises both.
 */
export class DatabaseUnavailable extends Error {}

/** There is no account with this id. */
export class NoSuchAccount extends Error {
  constructor(accountId: string) {
    super(`there is no account ${accountId}`);
  }
}
