import type { Passwords } from '../../application/ports/system.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 50 ms. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes passwords with argon2id, the library's default variant. The library is loaded on first use. */
export const argon2Passwords: Passwords = {
  async hash(password) {
    const { hash } = await import('@node-rs/argon2');
    return hash(password.normalize('NFC'), cost);
  },
  isKnown: isKnownPassword,
  async verify(passwordHash, password) {
    const { verify } = await import('@node-rs/argon2');
    return verify(passwordHash, password.normalize('NFC'));
  },
};

let knownPasswords: Promise<ReadonlySet<string>> | null = null;

/**
 * Whether a password is on the list of common passwords, ignoring case. The list, some 18,000 of eight
 * characters or more, is loaded on first use (about 0.1 s) and stays in memory.
 */
async function isKnownPassword(password: string): Promise<boolean> {
  knownPasswords ??= loadKnownPasswords();
  return (await knownPasswords).has(password.normalize('NFC').trim().toLowerCase());
}

async function loadKnownPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  // Shorter ones are refused anyway.
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= 8));
}
