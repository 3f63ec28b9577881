import { createHmac, randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { generationDocument } from '../../gateway/src/adapters/mongo/generationWrites.ts';
import { createSessionStore } from '../../gateway/src/adapters/mongo/sessionStores.ts';
import { sessionIdOf } from '../../gateway/src/http/pages/context.ts';
import type { FaultWorld } from '../../test/faults/faultWorld.ts';
import { generationOf } from '../../test/support/workWorld.ts';

const sessionSecret = randomBytes(32).toString('hex');

/** Settings under which `signIn` makes cookies that the gateway takes for its own. */
export const sessionSettings = { SESSION_KEYS: `1:${sessionSecret}` };

/** Signs an account in, past the limits of sign-ins from one address. @returns the cookie. */
export async function signIn({ mongo }: FaultWorld, accountId: string): Promise<string> {
  const value = randomBytes(32).toString('base64url');
  const now = mongo.clock.now();
  await createSessionStore(mongo.models, mongo.collections).insert({
    id: sessionIdOf(value),
    accountId,
    actsFor: null,
    createdAt: now,
    seenAt: now,
    expiresAt: now + 86_400_000,
    userAgent: 'attack',
    address: '127.0.0.1',
    data: {},
  });
  const cookie = `fg_session=${value}`;
  // As the package `keygrip` signs cookies for Koa.
  const signature = createHmac('sha1', sessionSecret).update(cookie).digest('base64url');
  return `${cookie}; fg_session.sig=${signature}`;
}

/** Gives an account 2,000 ended generations whose prompts of 5,000 letters are slow to search. */
export async function addHistory({ mongo }: FaultWorld, accountId: string): Promise<void> {
  const now = mongo.clock.now();
  const prompt = 'a'.repeat(4_999) + 'c';
  for (let first = 0; first < 2_000; first += 500) {
    const batch = Array.from({ length: 500 }, (_, index) =>
      generationOf(`gen_${randomBytes(13).toString('hex')}`, accountId, now - first - index, {
        status: 'completed',
        step: 'ended',
        endedAt: now,
        prompt,
      }),
    );
    await mongo.collections.generations.insertMany(batch.map(generationDocument));
  }
}

/** A picture of one colour as WebP, in base64; one with alpha is drawn with all of its pixels. */
export async function picture(side: number): Promise<string> {
  const background = { r: 40, g: 90, b: 60, alpha: 0.5 };
  const made = sharp({ create: { width: side, height: side, channels: 4, background } });
  return (await made.webp({ lossless: true }).toBuffer()).toString('base64');
}
