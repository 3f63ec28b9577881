import type { Log } from '@framegate/contract';
import { repeatEvery } from '@framegate/limits';
import {
  type JudgedVersion,
  judgeVersion,
  notedEveryMs,
  rotatedSecrets,
  type SecretName,
  type Secrets,
  type SecretVersion,
} from '../../domain/installation/secretVersions.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import type { SecretStore } from '../ports/secrets.ts';
import type { Clock } from '../ports/system.ts';

/** Maximum documents counted per kind and version: for the command, and at startup. */
const maxCounted = 100_000;
const maxCountedAtStart = 1_000;

interface SecretDeps {
  store: SecretStore;
  clock: Pick<Clock, 'now'>;
  /** Secrets from this process's settings. */
  secrets: Secrets;
}

/** All versions that are configured or still needed, in the order of the settings; missing ones last. */
export function judgeSecrets(deps: SecretDeps): Promise<JudgedVersion[]> {
  return judge(deps, maxCounted, () => true);
}

async function judge(
  { store, clock, secrets }: SecretDeps,
  limit: number,
  isAsked: (version: SecretVersion) => boolean,
): Promise<JudgedVersion[]> {
  const { stored, recordedVersions, countUses } = await store.look();
  const judged: JudgedVersion[] = [];
  for (const name of Object.keys(rotatedSecrets) as SecretName[]) {
    const own = secrets[name].map(({ version }) => version);
    const others = [...stored, ...recordedVersions].filter((each) => each.name === name);
    for (const version of new Set([...own, ...others.map((each) => each.version)])) {
      if (!isAsked({ name, version })) continue;
      const note = recordedVersions.find((each) => each.name === name && each.version === version);
      const uses = await countUses({ name, version }, limit);
      const madeUntil = note?.madeUntil ?? null;
      judged.push(judgeVersion({ name, version, ...uses, madeUntil }, secrets, clock.now()));
    }
  }
  return judged.filter(({ state, isNeeded }) => state !== 'missing' || isNeeded);
}

/**
 * Starts to record which versions this process uses for new values, and warns once about needed versions missing from
 * its settings.
 * @returns Stops the recording.
 */
export function watchSecrets(deps: SecretDeps & { log: Pick<Log, 'warn'> }): () => void {
  const { store, secrets, log } = deps;
  let isOver = false;
  const record = () => store.recordMaking(secrets);
  const fail = (error: unknown) => {
    if (!isOver) log.warn({ error }, 'failed to record or check secret versions');
  };
  record()
    .then(() => warnOfMissing(deps))
    .catch(fail);
  const stop = repeatEvery(notedEveryMs, record, fail);
  return () => {
    isOver = true;
    stop();
  };
}

async function warnOfMissing(deps: SecretDeps & { log: Pick<Log, 'warn'> }): Promise<void> {
  const isMissing = ({ name, version }: SecretVersion) =>
    deps.secrets[name].every((each) => each.version !== version);
  for (const missing of await judge(deps, maxCountedAtStart, isMissing)) {
    const { name, version, uses, neededUntil } = missing;
    const until = neededUntil === null ? {} : { needed_until: isoTime(neededUntil) };
    deps.log.warn(
      { setting: rotatedSecrets[name].setting, version, uses, ...until },
      'secret version that is still in use is missing: append it to its list again until "admin secrets status" reports that it can be removed',
    );
  }
}
