import { messageOf } from '@framegate/contract';
import type { PasskeyReader } from '../../application/ports/staff.ts';
import { passkeyAlgorithms, type PasskeyProblem } from '../../domain/signIn/passkey.ts';

/** Loaded with the first response from a known passkey: it takes a fifth of a second. */
const load = () => import('@simplewebauthn/server');

/** The package's messages for refused responses; test/staff/passkeys.test.ts has a case for each. */
const problemsByText: readonly (readonly [RegExp, PasskeyProblem])[] = [
  [/challenge/i, 'expired'],
  [/origin/i, 'origin'],
  [/RP ID/, 'site'],
  [/verified|not present/, 'unconfirmed'],
  [/counter/, 'counter'],
];

function problemOf(error: unknown): PasskeyProblem {
  const message = messageOf(error);
  return problemsByText.find(([words]) => words.test(message))?.[1] ?? 'invalid';
}

/** @returns Null for text that is not a response; ids have at most 1,023 bytes. */
function parse(response: string): { id: string } | null {
  try {
    const parsed: unknown = JSON.parse(response);
    const { id } = (parsed ?? {}) as { id?: unknown };
    return typeof id === 'string' && /^[\w-]{1,1400}$/.test(id)
      ? { ...(parsed as object), id }
      : null;
  } catch {
    return null;
  }
}

/**
 * Reads responses of passkeys by @simplewebauthn/server.
 * @param accountUrl ACCOUNT_URL: its origin must be the page's, and its host is the site of the passkeys (RP ID).
 */
export function createPasskeyReader(accountUrl: string): PasskeyReader {
  const { origin, hostname } = new URL(accountUrl);

  async function read<T extends object>(
    response: string,
    takes: (challenge: string) => Promise<boolean>,
    check: (
      webauthn: Awaited<ReturnType<typeof load>>,
      options: ReturnType<typeof optionsOf>,
    ) => Promise<T | null>,
  ): Promise<T | { problem: PasskeyProblem }> {
    const parsed = parse(response);
    if (!parsed) return { problem: 'unreadable' };
    const webauthn = await load();
    const failures: unknown[] = [];
    const options = optionsOf(parsed, (challenge) =>
      takes(Buffer.from(challenge, 'base64url').toString('utf8')).catch((error: unknown) => {
        failures.push(error);
        return false;
      }),
    );
    try {
      return (await check(webauthn, options)) ?? { problem: 'invalid' };
    } catch (error) {
      if (failures.length > 0) throw failures[0];
      return { problem: problemOf(error) };
    }
  }

  const optionsOf = (
    response: object,
    expectedChallenge: (challenge: string) => Promise<boolean>,
  ) => ({
    response: response as never,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
  });

  return {
    idOf: (response) => parse(response)?.id ?? null,

    readMade: (response, takes) =>
      read(response, takes, async ({ verifyRegistrationResponse }, options) => {
        const { registrationInfo } = await verifyRegistrationResponse({
          ...options,
          supportedAlgorithmIDs: [...passkeyAlgorithms],
        });
        if (!registrationInfo) return null;
        const { id, publicKey, counter } = registrationInfo.credential;
        return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
      }),

    readUsed: (response, takes, passkey) =>
      read(response, takes, async ({ verifyAuthenticationResponse }, options) => {
        const { id, counter } = passkey;
        const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'));
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          ...options,
          credential: { id, counter, publicKey },
        });
        return verified ? { counter: authenticationInfo.newCounter } : null;
      }),
  };
}
