import { generateURI, ScureBase32Plugin, verifySync } from 'otplib';
import type { Totp } from '../../application/ports/staff.ts';

const periodSeconds = 30;
const base32 = new ScureBase32Plugin();

/** Time-based codes through otplib. @param issuer The name shown by apps. */
export const createTotp = (issuer: string): Totp => ({
  encode: (secret) => base32.encode(secret, { padding: false }),
  setupUrl: (secret, email) => generateURI({ issuer, label: email, secret }),
  check(secret, code, nowMs, afterStep) {
    const token = code.replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return null;
    const result = verifySync({
      secret,
      token,
      period: periodSeconds,
      strategy: 'totp',
      epoch: Math.floor(nowMs / 1000),
      epochTolerance: periodSeconds,
      afterTimeStep: afterStep,
    });
    return result.valid && 'timeStep' in result ? result.timeStep : null;
  },
});
