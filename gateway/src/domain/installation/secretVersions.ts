import { minuteMs } from '@framegate/contract';
import type { VersionedSecret } from '../accounts/apiKey.ts';
import { outputUrlMs } from '../generations/mediaUrl.ts';
import { invitationMs } from '../signIn/invitation.ts';
import { sessionIdleMs } from '../signIn/session.ts';

/** The secrets of an installation: in each list, the first makes new values and all verify. */
export interface Secrets {
  keyPeppers: readonly VersionedSecret[];
  mediaSigningKeys: readonly VersionedSecret[];
  sessionKeys: readonly VersionedSecret[];
}

/** The name of a list of secrets. */
export type SecretName = keyof Secrets;

/** One version in a list of secrets. */
export interface SecretVersion {
  name: SecretName;
  version: string;
}

/**
 * The setting of each list, and how long values that are stored nowhere must stay verifiable after the last one was
 * made, in ms: URLs of files; sessions, which each visit signs again, and invitations.
 */
export const rotatedSecrets: Readonly<
  Record<SecretName, { setting: string; unstoredMs: number | null }>
> = {
  keyPeppers: { setting: 'KEY_PEPPERS', unstoredMs: null },
  mediaSigningKeys: { setting: 'MEDIA_SIGNING_KEYS', unstoredMs: outputUrlMs },
  sessionKeys: { setting: 'SESSION_KEYS', unstoredMs: Math.max(sessionIdleMs, invitationMs) },
};

/** The range of all texts sealed under a version: they start with the version and a colon. */
export function sealedTexts(version: string): { from: string; before: string } {
  return { from: `${version}:`, before: `${version};` };
}

/** The version under which a string was sealed. */
export function sealedVersion(sealed: string): string {
  return sealed.split(':', 1)[0] ?? '';
}

/** How often a process records the versions that it uses for new values, in ms. */
export const notedEveryMs = 10 * minuteMs;

/** The database's record of one version. */
export interface StoredVersion extends SecretVersion {
  /** Documents that only this version opens or verifies, by kind; each count is capped. */
  uses: Readonly<Record<string, number>>;
  /** Some of the accounts that hold them. */
  accountIds: readonly string[];
  /** When a process last recorded making values with it, in ms since the epoch; null for never. */
  madeUntil: number | null;
}

/** A version with its state in this process and whether it is still needed. */
export interface JudgedVersion extends StoredVersion {
  /** Its position in this process's settings: first of its list, later in it, or absent. */
  state: 'makes' | 'verifies' | 'missing';
  /** How long signatures that are stored nowhere must stay verifiable, in ms since the epoch; null if past. */
  neededUntil: number | null;
  /** Whether removing it would break existing values. */
  isNeeded: boolean;
}

/** Judges whether a version can be removed. */
export function judgeVersion(
  stored: StoredVersion,
  secrets: Secrets,
  nowMs: number,
): JudgedVersion {
  const { name, version, madeUntil } = stored;
  const index = secrets[name].findIndex((each) => each.version === version);
  const state = index === 0 ? 'makes' : index > 0 ? 'verifies' : 'missing';
  const { unstoredMs } = rotatedSecrets[name];
  const until =
    madeUntil === null || unstoredMs === null ? 0 : madeUntil + notedEveryMs + unstoredMs;
  const neededUntil = until > nowMs ? until : null;
  const isUsed = Object.values(stored.uses).some((count) => count > 0);
  return {
    ...stored,
    state,
    neededUntil,
    isNeeded: state === 'makes' || isUsed || neededUntil !== null,
  };
}
