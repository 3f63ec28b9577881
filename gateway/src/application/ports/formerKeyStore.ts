import type { ApiKey } from '../../domain/account.ts';

/** Revoked keys that have left their account, so that its document stays small: what still names them. */
export interface FormerKeyStore {
  /** Keeps keys that are about to leave their account; a second time does no harm. */
  keep(accountId: string, keys: readonly ApiKey[]): Promise<void>;
  /** Their names, by id. */
  names(accountId: string, keyIds: readonly string[]): Promise<Map<string, string>>;
  /** Whether one of them had this hash: such a key is never made again. */
  hasHash(hash: string): Promise<boolean>;
}
