import { createHash } from 'node:crypto';
import { catalogue as builtIn, type Log } from '@framegate/contract';
import { repeatEvery } from '@framegate/limits';
import {
  type CatalogueVersion,
  successionProblems,
  versionAfter,
  versionAt,
} from '../../domain/catalogue/catalogue.ts';
import { FileProblemsError } from '../../domain/installation/fileProblems.ts';
import type { CatalogueStore, RequestedCatalogue } from '../ports/catalogue.ts';
import type { Clock } from '../ports/system.ts';

/** Versions held in memory, including the one in force and all future ones. */
const maxLoaded = 50;
/** Maximum number of future versions. */
const maxComing = 20;

/**
 * Result of publishing a wanted catalogue. `former`: it was once in force, and the same file does not bring it back.
 */
export type Publication = 'published' | 'unchanged' | 'former' | 'follows';

/** The versions of the catalogue, shared by all processes on the database. */
export interface Catalogues {
  /** The version in force at a recent moment, among all that can be in force then. @throws Database trouble. */
  findAt(nowMs: number): Promise<CatalogueVersion>;
  /** The version in force by this process's own copy, which may lag slightly; for pages. */
  localVersion(nowMs: number): CatalogueVersion;
  /** The next version; null if no change is known. */
  next(nowMs: number): CatalogueVersion | null;
  /** All versions in memory: in force, future, and some former ones. */
  localVersions(): readonly CatalogueVersion[];
  /**
   * Makes a wanted catalogue the newest version, unless it is or was one already.
   * @param isExplicit Whether a person requests it: this also brings back a former catalogue.
   * @throws FileProblemsError if it may not follow the newest.
   */
  publish(request: RequestedCatalogue, isExplicit?: boolean): Promise<Publication>;
  /** Calls a listener when there are new versions. */
  onNew(listener: () => void): void;
  stop(): void;
}

/**
 * Holds the versions in memory. A version begins at least `noticeMs` after the database received it, so a process that
 * has read the versions within half of that time knows every version that can be in force: prices need no query and
 * change everywhere at the same database time. A process whose last read is older asks the database first.
 * @param deps.noticeMs In ms.
 * @param deps.publisher This process, for the record.
 */
export async function openCatalogues(deps: {
  store: CatalogueStore;
  clock: Pick<Clock, 'now'>;
  log: Log;
  noticeMs: number;
  publisher: string;
}): Promise<Catalogues> {
  const { store, clock, log, noticeMs, publisher } = deps;
  let loaded: readonly CatalogueVersion[] = [];
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;
  const listeners: (() => void)[] = [];

  async function read(): Promise<void> {
    const startedAt = clock.now();
    for (;;) {
      const last = loaded.at(-1);
      const newer = last
        ? await store.listAfter(last.number, maxLoaded)
        : (await store.listPage(null, maxLoaded)).toReversed();
      loaded = [...loaded, ...newer].slice(-maxLoaded);
      for (const { number, from } of last ? newer : []) {
        log.info({ version: number, from: new Date(from) }, 'read a new version of the catalogue');
      }
      if (newer.length > 0) for (const listener of listeners) listener();
      if (!last || newer.length < maxLoaded) break;
    }
    readAt = startedAt;
  }

  function refresh(): Promise<void> {
    reading ??= read().finally(() => (reading = null));
    return reading;
  }

  function knownVersion(nowMs: number): CatalogueVersion {
    const version = versionAt(loaded, nowMs) ?? loaded[0];
    if (version === undefined) throw new Error('no version of the catalogue was published');
    return version;
  }

  async function publish(request: RequestedCatalogue, isExplicit = false): Promise<Publication> {
    const { catalogue, from, isOperators } = request;
    const hash = hashOf(request);
    for (;;) {
      await refresh();
      const nowMs = clock.now();
      const newest = loaded.at(-1);
      const isNewest = newest && [hash, hashOf(request, newest.number)].includes(newest.hash);
      if (isNewest) return 'unchanged';
      if (newest?.isOperators && !isOperators && !isExplicit) return 'follows';
      const isFormer = newest !== undefined && (await store.has(hash));
      if (isFormer && !isExplicit) return 'former';
      if (newest === undefined && from !== null && from > nowMs) {
        // The catalogue until then: the file describes only the future one.
        await publish({
          catalogue: { models: builtIn, groups: {} },
          from: null,
          isOperators: false,
        });
        continue;
      }
      const problems = newest ? successionProblems(newest, catalogue, nowMs) : [];
      if (loaded.filter((each) => each.from > nowMs).length >= maxComing) {
        problems.push(`${maxComing} versions wait for their time already: let one of them begin.`);
      }
      if (problems.length > 0) throw new FileProblemsError(problems);
      const number = (newest?.number ?? 0) + 1;
      const version = {
        ...catalogue,
        number,
        hash: isFormer ? hashOf(request, number) : hash,
        isOperators,
        from,
        publishedBy: publisher,
      };
      const isInserted = await store.insert(version, newest ? noticeMs : null);
      await refresh();
      if (isInserted) return 'published';
    }
  }

  await refresh();
  const stop = repeatEvery(noticeMs / 4, refresh, (error) => {
    log.warn({ error }, 'failed to read the versions of the catalogue');
  });
  return {
    async findAt(nowMs) {
      const isLate = () => nowMs >= readAt + noticeMs / 2;
      if (isLate()) await refresh();
      // That read may have begun long before, for another request.
      if (isLate()) await refresh();
      return knownVersion(nowMs);
    },
    localVersion: knownVersion,
    next: (nowMs) => versionAfter(loaded, nowMs),
    localVersions: () => loaded,
    publish,
    onNew: (listener) => listeners.push(listener),
    stop,
  };
}

/** @param again Number of a version that brings back a former catalogue: hashes are unique. */
function hashOf({ catalogue, from }: RequestedCatalogue, again?: number): string {
  const content = [
    catalogue.models,
    catalogue.groups,
    from,
    ...(again === undefined ? [] : [again]),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
