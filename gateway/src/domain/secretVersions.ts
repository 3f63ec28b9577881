import type { VersionedSecret } from './apiKey.ts';
import { outputUrlMs } from './mediaUrl.ts';
import { invitationMs, sessionIdleMs } from './signIn.ts';

/** The secrets of an installation, each list in order: the first makes, all verify. */
export interface Secrets {
  keyPeppers: readonly VersionedSecret[];
  mediaSigningKeys: readonly VersionedSecret[];
  sessionKeys: readonly VersionedSecret[];
}

/** The name of a list of secrets. */
export type SecretName = keyof Secrets;

/** A version of a list. */
export interface SecretVersion {
  name: SecretName;
  version: string;
}

/**
 * The setting of each list, and for how long what a version made, and nobody stores, has to be verified after the
 * last was made, in ms: addresses of files; sessions, which each visit signs anew, and invitations.
 */
export const rotatedSecrets: Readonly<
  Record<SecretName, { setting: string; unstoredMs: number | null }>
> = {
  keyPeppers: { setting: 'KEY_PEPPERS', unstoredMs: null },
  mediaSigningKeys: { setting: 'MEDIA_SIGNING_KEYS', unstoredMs: outputUrlMs },
  sessionKeys: { setting: 'SESSION_KEYS', unstoredMs: Math.max(sessionIdleMs, invitationMs) },
};

/** The texts that are sealed under a version lie in this range: it stands in front of them, with a colon. */
export function sealedTexts(version: string): { from: string; before: string } {
  return { from: `${version}:`, before: `${version};` };
}

/** The version under which a text was sealed. */
export function sealedVersion(sealed: string): string {
  return sealed.split(':', 1)[0] ?? '';
}

/** How often a process notes which versions it makes with, in ms. */
export const notedEveryMs = 600_000;

/** Knowledge of the database about one version. */
export interface StoredVersion extends SecretVersion {
  /** Documents that only this version opens or verifies, by kind; each counted up to a bound. */
  held: Readonly<Record<string, number>>;
  /** Accounts that hold it, some of them. */
  accountIds: readonly string[];
  /** When a process last noted that it made with it, in ms since the epoch; null: never. */
  madeUntil: number | null;
}

/** Whether a version can be taken out of its list. */
export interface JudgedVersion extends StoredVersion {
  /** In this process's settings: the first of its list, another of it, or not there. */
  state: 'makes' | 'verifies' | 'missing';
  /** Until when signatures that are stored nowhere have to be verified, in ms since the epoch; null: no longer. */
  neededUntil: number | null;
  /** Whether something that it made would stop working without it. */
  isNeeded: boolean;
}

/** Judges a version by the stored documents and by the settings. */
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
  const isHeld = Object.values(stored.held).some((count) => count > 0);
  return {
    ...stored,
    state,
    neededUntil,
    isNeeded: state === 'makes' || isHeld || neededUntil !== null,
  };
}
