import type { Account } from '../../domain/account.ts';

/** A key, as the only one in `keys`, with the limits of its account. */
export type KeyHolder = Pick<Account, 'id' | 'limits' | 'keys'>;

/** Accounts, each with its wallet and keys in one document. */
export interface AccountStore {
  find(accountId: string): Promise<Account | null>;
  /** The key with one of these hashes, and of its account what a read asks for: neither lots nor other keys. */
  findByKeyHash(hashes: readonly string[]): Promise<KeyHolder | null>;
  findByKeyId(keyId: string): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** @throws DuplicateValue when the e-mail address is taken. */
  insert(account: Account): Promise<void>;
}
