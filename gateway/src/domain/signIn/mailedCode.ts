import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '../accounts/apiKey.ts';

/** Digits of a mailed code; with five attempts a guess succeeds once in twenty million. */
const codeDigits = 8;

/** A code from at least eight random bytes. */
export function formatCode(random: Uint8Array): string {
  const number = random.slice(0, 8).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return String(number % 10n ** BigInt(codeDigits)).padStart(codeDigits, '0');
}

/** Formats a code in two groups of four characters. */
export function spaceCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** The stored hash of a code, bound to its confirmation and useless without the secret. */
export function hashCode(confirmationId: string, code: string, secret: string): string {
  return createHmac('sha256', secret).update(`code ${confirmationId} ${code}`).digest('hex');
}

/** Whether the typed text is the code, ignoring spaces and hyphens. */
export function isCode(
  typed: string,
  confirmationId: string,
  codeHash: string,
  secrets: readonly { secret: string }[],
): boolean {
  const code = typed.replace(/[\s-]/g, '');
  if (!/^\d{1,20}$/.test(code)) return false;
  return secrets.some(({ secret }) =>
    equalInConstantTime(hashCode(confirmationId, code, secret), codeHash),
  );
}
