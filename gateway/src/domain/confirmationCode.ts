import { createHmac } from 'node:crypto';
import { equalInConstantTime } from './equalInConstantTime.ts';

/** Digits of a code that a mail brings; with five tries a guess succeeds once in twenty million. */
const digits = 8;

/** A code from random bytes, at least eight. */
export function formatCode(random: Uint8Array): string {
  const number = random.slice(0, 8).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return String(number % 10n ** BigInt(digits)).padStart(digits, '0');
}

/** A code as people read it: two groups of four. */
export function spaceCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** What is stored of a code: bound to its question, and useless without our secret. */
export function hashCode(confirmationId: string, code: string, secret: string): string {
  return createHmac('sha256', secret).update(`code ${confirmationId} ${code}`).digest('hex');
}

/** Whether what was typed is the code; spaces and hyphens in it do not matter. */
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
