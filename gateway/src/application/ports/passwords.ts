/** Passwords of people; only their argon2id hashes are stored. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
  /** Whether it stands on a list of passwords that many people have, in any case of letters. */
  isKnown(password: string): Promise<boolean>;
}
