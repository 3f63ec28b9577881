import { createHash } from 'node:crypto';

/** A secret for a cookie or a link: 32 random bytes in base64url, never stored. */
export function newToken(random: { bytes(count: number): Uint8Array }): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}

/** The stored form of a token: its SHA-256 in hex, so that the database alone opens nothing. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
