import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { codeVersion, migrate, migrationLock } from '../../gateway/src/adapters/mongo/migrate.ts';
import { migrations } from '../../gateway/src/adapters/mongo/migrations/all.ts';
import type { Migration } from '../../gateway/src/adapters/mongo/migrations/migration.ts';
import {
  judgeDatabase,
  openDatabase,
  requireSchema,
} from '../../gateway/src/compose/openDatabase.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { judgeSchema } from '../../gateway/src/domain/installation/schemaVersion.ts';
import { createTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';
import { plain } from '../support/plainCollection.ts';
import { projectRoot } from '../support/runNode.ts';
import { until } from '../support/until.ts';

const database = createTestDatabase();
const { log, lines } = collectLog();
const applySchemas = async () => undefined;
let mongo: MongoConnection;

beforeAll(async () => {
  const self = { id: 'start', role: 'worker' } as const;
  mongo = await connectMongo({ uri: database.uri, log, self });
});
afterEach(async () => {
  await mongo.collections.migrations.deleteMany({});
  lines.length = 0;
});
afterAll(async () => {
  await mongo.close();
  await database.drop();
});

describe('the list of migrations', () => {
  const folder = join(projectRoot, 'gateway/src/adapters/mongo/migrations');
  const files = readdirSync(folder).filter((name) => /^\d/.test(name));

  test('has every file, in order and without a gap, and each works with an earlier version', () => {
    const numbers = files.map((name) => Number(/^(\d{4})-\w+\.ts$/.exec(name)?.[1]));
    expect(migrations.map(({ version }) => version)).toEqual(numbers);
    expect(numbers).toEqual(migrations.map((_each, index) => index + 1));
    expect(migrations).toHaveLength(codeVersion);
    expect(migrations.filter(({ version, worksWith }) => worksWith >= version)).toEqual([]);
  });

  test('keeps released migrations unchanged: a change is a new migration', () => {
    const hashes = files.map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, name)));
      return [name, hash.digest('hex').slice(0, 16)];
    });
    expect(Object.fromEntries(hashes)).toEqual({
      '0001-init.ts': 'c90e5028b53faf8f',
    });
  });
});

test('a new database is made once; the migration is recorded, and indexes of the operator stay', async () => {
  const { generations } = mongo.collections;
  await generations.createIndexes([{ name: "an operator's own", key: { callerAddress: 1 } }]);
  const self = { id: 'another', role: 'worker' } as const;
  const another = await connectMongo({ uri: database.uri, log, self });
  const migrated = await Promise.all([mongo.migrate(), another.migrate()]);
  await another.close();
  expect(migrated.flat()).toEqual([codeVersion]);
  const indexes = await generations.indexes();
  expect(indexes.map(({ name }) => name)).toContain("an operator's own");
  const { done, migratedBy } = await mongo.loadSchema();
  expect(migratedBy).toBeNull();
  expect(done).toMatchObject([{ version: 1, name: 'init', worksWith: 0 }]);
  expect(Math.abs((done[0]?.doneAt ?? 0) - mongo.clock.now())).toBeLessThan(minuteMs);
  expect(done[0]?.durationMs).toBeGreaterThanOrEqual(0);
  await generations.dropIndex("an operator's own");
});

/** Dependencies of every migration. */
const given = () => ({ collections: mongo.collections, clock: mongo.clock, log, applySchemas });

/** Runs a migration of the test. */
function run(holder: string, migration: Migration['run'], leaseMs = 30_000) {
  const step = { version: 1, name: 'init', worksWith: 0, run: migration };
  return migrate({ ...given(), holder, migrations: [step], leaseMs });
}

describe('of several processes', () => {
  test('one migrates, and the other waits and finds nothing to do', async () => {
    const gate = Promise.withResolvers<undefined>();
    let runs = 0;
    const work = async () => {
      runs += 1;
      await gate.promise;
    };
    const both = [run('a', work), run('b', work)];
    await until(() => lines.includes('waiting for another process to migrate the database'));
    expect((await mongo.loadSchema()).migratedBy).toMatch(/^[ab]$/);
    gate.resolve(undefined);
    expect((await Promise.all(both)).flat()).toEqual([1]);
    expect(runs).toBe(1);
  });

  test('one that waits ends when its process stops', async () => {
    await migrationLock(mongo.collections, 'a', minuteMs).acquire();
    const stop = new AbortController();
    const waiting = migrate({ ...given(), holder: 'b', signal: stop.signal });
    await until(() => lines.length > 0);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });

  test('the next one continues when the lease of a dead one has expired', async () => {
    expect(await migrationLock(mongo.collections, 'killed', minuteMs).acquire()).toBe(true);
    const next = run('b', async () => undefined);
    await until(() => lines.includes('waiting for another process to migrate the database'));
    expect((await mongo.loadSchema()).migratedBy).toBe('killed');
    const { migrations: stored } = mongo.collections;
    await stored.updateOne({ _id: 'lock' }, { $set: { until: new Date(0) } });
    expect(await next).toEqual([1]);
  });

  test('one that works longer than its lease extends it', async () => {
    const other = migrationLock(mongo.collections, 'b', minuteMs);
    const lock = () => mongo.collections.migrations.findOne({ _id: 'lock' });
    await run(
      'a',
      async () => {
        const first = Number((await lock())?.['until']);
        await until(async () => Number((await lock())?.['until']) > first);
        expect(await other.acquire()).toBe(false);
      },
      3_000,
    );
  });

  test('one that has lost its lease stops at its next step, and records nothing', async () => {
    const slow = run(
      'a',
      async ({ requireLease }) => {
        const { migrations: stored } = mongo.collections;
        await stored.updateOne({ _id: 'lock' }, { $set: { holder: 'b' } });
        await stored.updateOne({ _id: 'lock' }, { $set: { until: new Date(8e15) } });
        await until(() => {
          requireLease();
          return false;
        });
      },
      600,
    );
    await expect(slow).rejects.toThrow('took over the migration lock');
    expect((await mongo.loadSchema()).done).toEqual([]);
  });
});

test('a migration that fails is run again by the next process', async () => {
  const failing = run('a', () => Promise.reject(new Error('half way')));
  await expect(failing).rejects.toThrow('half way');
  expect(await mongo.loadSchema()).toEqual({ done: [], migratedBy: null, isKnown: true });
  expect(await run('b', async () => undefined)).toEqual([1]);
});

test('a removal waits until the processes that need its parts have ended, and those before it run', async () => {
  const { processes } = mongo.collections;
  const ran: number[] = [];
  const step = (version: number, worksWith: number): Migration => ({
    version,
    name: version === 1 ? 'init' : 'step',
    worksWith,
    run: async () => void ran.push(version),
  });
  const steps = [step(1, 0), step(2, 0), step(3, codeVersion)];
  const migrateSteps = () => migrate({ ...given(), holder: 'a', migrations: steps });
  const verdict = async () => judgeSchema(await mongo.loadSchema(), { version: 3, needed: 2 });
  // This file's own process supports the removal.
  await processes.insertOne({
    _id: 'old',
    role: 'api',
    host: 'a',
    sessions: [],
    released: false,
    clock: 'agrees',
    seenAt: new Date(mongo.clock.now()),
    codeVersion: codeVersion - 1,
  });
  expect(await verdict()).toBe('older');
  expect(await migrateSteps()).toEqual([1, 2]);
  expect(lines.filter((line) => line.includes('run "database migrate" again'))).toHaveLength(1);
  expect(await verdict()).toBe('pending');
  expect(await migrateSteps()).toEqual([]);
  await processes.deleteOne({ _id: 'old' });
  expect(await migrateSteps()).toEqual([3]);
  expect(await verdict()).toBe('same');
  expect(ran).toEqual([1, 2, 3]);
});

describe('a process', () => {
  const note = (version: number, worksWith: number, name = 'init') =>
    mongo.collections.migrations.insertOne({ _id: `${version}`, version, worksWith, name });
  const start = (mode: 'production' | 'development', isReadOnly = false) =>
    requireSchema({ mode }, mongo, { log, isReadOnly });

  test('refuses an older schema in production, and names the command', async () => {
    await expect(start('production')).rejects.toThrow(
      /schema 0, .* needs \d+: first run "npm run admin -- database migrate"/,
    );
    expect((await mongo.loadSchema()).done).toEqual([]);
  });

  test('migrates in development, unless it only reads', async () => {
    await start('development', true);
    expect((await mongo.loadSchema()).done).toEqual([]);
    await start('development');
    await start('production');
    expect((await mongo.loadSchema()).done).toHaveLength(codeVersion);
  });

  test('refuses a newer schema', async () => {
    await note(1, 0);
    await note(codeVersion + 1, codeVersion + 1);
    for (const mode of ['production', 'development'] as const) {
      await expect(start(mode, true)).rejects.toThrow('a newer release has migrated it');
    }
    expect(await mongo.migrate()).toEqual([]);
  });

  test('that was suspended while a newer release removed parts learns of it at its heartbeat', async () => {
    await note(1, 0);
    const opened = await openDatabase(loadConfig({ MONGODB_URI: database.uri }), { log });
    try {
      const unfit = new Promise<Error>((resolve) => opened.processes.onUnfit(resolve));
      await note(codeVersion + 1, codeVersion + 1);
      expect((await unfit).message).toContain('a newer release has migrated it');
    } finally {
      await opened.close();
    }
  });

  test('works with a schema that a newer release has only expanded', async () => {
    await note(1, 0);
    await note(codeVersion + 1, codeVersion);
    await start('production');
    expect(lines).toEqual(['database was migrated by a newer, compatible release']);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['begins with another migration', () => note(1, 0, 'first indexes')],
    [
      'has accounts and no migrations',
      () => plain(mongo.collections.accounts).insertOne({ _id: 'acct_old' }),
    ],
  ])('refuses a database that %s, and leaves it as it is', async (_, make) => {
    await make();
    try {
      const before = await everything();
      expect((await judgeDatabase(mongo)).verdict).toBe('unknown');
      for (const mode of ['production', 'development'] as const) {
        await expect(start(mode, true)).rejects.toThrow('start with a new');
      }
      const config = loadConfig({ MONGODB_URI: database.uri });
      await expect(openDatabase(config, { log })).rejects.toThrow(
        /^The database was created by a version before 0\.1\.0, .* Export .* start with a new/,
      );
      expect(await everything()).toEqual(before);
    } finally {
      await mongo.collections.accounts.deleteMany({});
    }
  });
});

/** All documents of the database but the heartbeat of this file's process. */
async function everything(): Promise<unknown[]> {
  const collections = await mongo.db.collections();
  const found = collections.toSorted((a, b) => (a.collectionName < b.collectionName ? -1 : 1));
  return Promise.all(
    found.map(async (each) => [
      each.collectionName,
      await each.find({ _id: { $ne: 'start' } } as object).toArray(),
    ]),
  );
}
