import type { Log } from '@framegate/contract';
import { argon2Passwords, createLeakedPasswords } from '../adapters/system/passwords.ts';
import type { Passwords } from '../application/ports/system.ts';
import type { Config } from '../config.ts';
import { expectedWords } from '../domain/signIn/password.ts';

/**
 * Adds this installation's rules to passwords: its own names add little strength, and leaked passwords are refused if a
 * service is configured.
 * @param parts.passwords Hashes them.
 */
export function composePasswords({
  config,
  log,
  passwords = argon2Passwords,
}: {
  config: Config;
  log: Pick<Log, 'warn'>;
  passwords?: Passwords | undefined;
}): Passwords {
  const { leakedPasswordsUrl, brand, urls } = config;
  const hosts = [urls.base, urls.account, urls.media].map((url) => new URL(url).hostname);
  const isLeaked =
    leakedPasswordsUrl === null
      ? () => Promise.resolve(false)
      : createLeakedPasswords(leakedPasswordsUrl, log);
  return {
    ...passwords,
    words: expectedWords(['framegate', brand.name, ...hosts]),
    isKnown: async (password) => (await passwords.isKnown(password)) || (await isLeaked(password)),
  };
}
