import { createHmac } from 'node:crypto';
import { dayMs } from '@framegate/contract';
import { firstSecret, type VersionedSecret } from '../../domain/accounts/apiKey.ts';
import type { Generation } from '../../domain/generations/generation.ts';
import { Refusal } from '../../domain/refusal.ts';
import { tokenHash } from '../../domain/signIn/token.ts';
import type { App } from '../app.ts';
import { removalOf } from '../generations/presentGeneration.ts';
import type { Share } from '../ports/wall.ts';

/** Validity periods of links, in days. */
export const shareDays = [1, 7, 30] as const;

/** Whether a link that lasts this many days ends before the files are deleted. */
const fits = ({ outputsRemoveAt }: Generation, days: number, nowMs: number) =>
  outputsRemoveAt === null || nowMs + days * dayMs <= outputsRemoveAt;

/** The periods that a link can have, and the shortest one that would outlast the files, with which it ends then. */
export function shareChoices(generation: Generation, nowMs: number) {
  const longer = shareDays.findIndex((days) => !fits(generation, days, nowMs));
  const last = longer < 0 ? shareDays.length : longer + 1;
  return shareDays.slice(0, last).map((days, index) => ({ days, endsWithFiles: index === longer }));
}

/** The form of a token: 32 bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/;

/**
 * The token of a link, derived from a stored random value under SESSION_KEYS: its owner can see the link again, while
 * the database alone opens nothing.
 */
const tokenOf = ({ id, salt }: Pick<Share, 'id' | 'salt'>, { secret }: VersionedSecret) =>
  createHmac('sha256', secret).update(`share ${id} ${salt}`).digest('base64url');

type ShareDeps = Pick<App, 'shares' | 'database' | 'clock' | 'random' | 'sessionKeys'>;

/**
 * Makes a link through which anyone may see a finished generation; it replaces an earlier link.
 * @param form.days One of `shareDays`; any other value means the shortest. It ends with the files at the latest.
 * @throws Refusal if it has no files.
 */
export async function shareGeneration(
  { shares, clock, actor, random, sessionKeys }: ShareDeps & Pick<App, 'actor'>,
  generation: Generation,
  form: { days: string; showsPrompt: boolean },
): Promise<void> {
  if (!canShare(generation, clock.now())) {
    throw new Refusal('shared_files_not_found');
  }
  const { id, accountId } = generation;
  const days = shareDays.find((each) => String(each) === form.days) ?? shareDays[0];
  const salt = Buffer.from(random.bytes(16)).toString('base64url');
  const createdAt = clock.now();
  const share = {
    id,
    accountId,
    salt,
    tokenHash: tokenHash(tokenOf({ id, salt }, firstSecret(sessionKeys))),
    showsPrompt: form.showsPrompt,
    createdAt,
    expiresAt: Math.min(createdAt + days * dayMs, generation.outputsRemoveAt ?? Infinity),
  };
  await shares.put(share, actor.signature(createdAt));
}

/** Whether a generation has files that a link can show. */
export const canShare = (generation: Generation, nowMs: number): boolean =>
  generation.status === 'completed' &&
  generation.outputs.length > 0 &&
  !removalOf(generation, nowMs).isRemoved;

/** The token of a link for its owner; null if its secret is no longer among SESSION_KEYS. */
export function tokenFor(
  { sessionKeys }: Pick<App, 'sessionKeys'>,
  share: Pick<Share, 'id' | 'salt' | 'tokenHash'>,
): string | null {
  const tokens = sessionKeys.map((secret) => tokenOf(share, secret));
  return tokens.find((token) => tokenHash(token) === share.tokenHash) ?? null;
}

/** Finds the generation of a link; null if the link is unknown, expired or revoked, or the files are deleted. */
export async function findShared(
  { shares, database, clock }: ShareDeps,
  token: string,
): Promise<{ share: Share; generation: Generation } | null> {
  const share = tokenPattern.test(token) ? await shares.findByToken(tokenHash(token)) : null;
  if (!share) return null;
  const [generation, account] = await Promise.all([
    database.generations.find(share.id, share.accountId),
    database.accounts.find(share.accountId),
  ]);
  const isOpen =
    generation?.accountId === share.accountId &&
    account?.status === 'active' &&
    canShare(generation, clock.now());
  return isOpen ? { share, generation } : null;
}
