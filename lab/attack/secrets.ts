import { randomBytes } from 'node:crypto';
import { dayMs, hourMs } from '@framegate/contract';
import {
  createSessionStore,
  createStaffSessionStore,
} from '../../gateway/src/adapters/mongo/signIn/sessionStores.ts';
import { sessionIdOf } from '../../gateway/src/http/pages/context.ts';
import { cookieKeys } from '../../gateway/src/http/pages/cookieKeys.ts';
import type { FaultWorld } from '../../test/faults/faultWorld.ts';

const sessionSecret = randomBytes(32).toString('hex');
/** The key that signs URLs of files. */
export const mediaKey = { version: '1', secret: randomBytes(32).toString('hex') };
/** The key under which API keys are stored. */
export const pepper = { version: '1', secret: randomBytes(32).toString('hex') };

/** Settings with which the gateway accepts the seeds' cookies and keys. */
export const seedSettings = {
  SESSION_KEYS: `1:${sessionSecret}`,
  KEY_PEPPERS: `1:${pepper.secret}`,
  MEDIA_SIGNING_KEYS: `1:${mediaKey.secret}`,
};

/** Signs in at the site, past the limits of sign-ins. @param actsFor The team that the person acts for. */
export async function signIn(
  { mongo }: Pick<FaultWorld, 'mongo'>,
  accountId: string,
  actsFor: string | null = null,
): Promise<string> {
  const value = randomBytes(32).toString('base64url');
  const nowMs = mongo.clock.now();
  await createSessionStore(mongo.models, mongo.collections).insert({
    id: sessionIdOf(value),
    accountId,
    actsFor,
    createdAt: nowMs,
    seenAt: nowMs,
    expiresAt: nowMs + dayMs,
    userAgent: 'attack',
    address: '127.0.0.1',
    data: {},
  });
  const cookie = `fg_session=${value}`;
  return `${cookie}; fg_session.sig=${cookieKeys([{ secret: sessionSecret }]).sign(cookie)}`;
}

/** Signs in at the console, without a password or a code. @returns The cookie. */
export async function signInStaff({ mongo }: FaultWorld, accountId: string): Promise<string> {
  const value = randomBytes(32).toString('base64url');
  const nowMs = mongo.clock.now();
  await createStaffSessionStore(mongo.models, mongo.collections).insert({
    id: sessionIdOf(value),
    accountId,
    createdAt: nowMs,
    seenAt: nowMs,
    expiresAt: nowMs + 8 * hourMs,
  });
  return `fg_staff=${value}`;
}
