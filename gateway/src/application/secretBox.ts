import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { firstSecret, type VersionedSecret } from '../domain/accounts/apiKey.ts';

/** The purpose of a seal, each with its own keys. */
export type Purpose = 'staff second factor' | 'customer second factor' | 'mail' | 'sign-on token';

const keyFor = ({ secret }: VersionedSecret, purpose: Purpose) =>
  createHmac('sha256', secret).update(purpose).digest();

/**
 * Encrypts a string for its owner (AES-256-GCM) under the first of SESSION_KEYS, prefixed with the key's version to
 * allow rotation.
 */
export function seal(
  text: string,
  ownerId: string,
  keys: readonly VersionedSecret[],
  purpose: Purpose,
): string {
  const key = firstSecret(keys);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyFor(key, purpose), iv);
  cipher.setAAD(Buffer.from(ownerId));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
  return [key.version, ...parts].join(':');
}

/** Decrypts a string from `seal`; null if its key is no longer among SESSION_KEYS or the string was altered. */
export function unseal(
  sealed: string,
  ownerId: string,
  keys: readonly VersionedSecret[],
  purpose: Purpose,
): string | null {
  const [version, ...parts] = sealed.split(':');
  const key = keys.find((each) => each.version === version);
  const [iv, tag, data] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (!key || !iv || !tag || !data) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(key, purpose), iv, {
      authTagLength: 16,
    });
    decipher.setAAD(Buffer.from(ownerId));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
