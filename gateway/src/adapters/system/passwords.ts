import { hash, verify } from '@node-rs/argon2';
import type { Passwords } from '../../application/ports/passwords.ts';
import { isKnownPassword } from './knownPasswords.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 50 ms. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Passwords by argon2id, which is the library's default variant. */
export const argon2Passwords: Passwords = {
  hash: (password) => hash(password.normalize('NFC'), cost),
  isKnown: isKnownPassword,
  verify: (passwordHash, password) => verify(passwordHash, password.normalize('NFC')),
};
