import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { codeVersion, migrate, migrationLock } from '../../gateway/src/adapters/mongo/migrate.ts';
import { firstIndexes } from '../../gateway/src/adapters/mongo/migrations/0001-firstIndexes.ts';
import { migrations } from '../../gateway/src/adapters/mongo/migrations/all.ts';
import type { Migration } from '../../gateway/src/adapters/mongo/migrations/migration.ts';
import { judgeDatabase, requireSchema } from '../../gateway/src/compose/openDatabase.ts';
import { createTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';
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
      '0001-firstIndexes.ts': 'f5d3a7094b804c46',
      '0002-routePlaces.ts': '872a4186f065cd34',
      '0003-mails.ts': 'dce2339be9dfe07f',
      '0004-keyBeginnings.ts': '086b726e8f6752c6',
      '0005-uploads.ts': 'efc01139a332e398',
      '0006-addresses.ts': 'db0cb9b53c046191',
      '0007-nextExpiry.ts': '3d9f1172ee9b107a',
      '0008-erasing.ts': '8ddf4f1e7f0f4690',
      '0009-secretVersions.ts': 'd1e49f9a141dae15',
      '0010-schemas.ts': 'cb3f0efbaa5fdc44',
      '0011-deliveries.ts': '624e5b3d0d756ba1',
      '0012-operator.ts': '60008554fd1e93d8',
      '0013-events.ts': 'a5f3f3a32d2f92f7',
      '0014-catalogues.ts': '554a79048b68d704',
      '0015-lockedJobs.ts': '0c062736a1b7562c',
      '0016-takenBack.ts': 'e0ca6331707ffb9c',
      '0017-operatorAnswers.ts': '02b21c4329b2bd59',
      '0018-operatorEvents.ts': '55df3b27739bf62f',
      '0019-wall.ts': '103c1757cd79ca61',
      '0020-signInLinks.ts': '5d39fdc873bad3e5',
      '0021-signOn.ts': 'c8fb334dea41f76c',
      '0022-invitations.ts': '4e11984a1f2a8283',
      '0023-teams.ts': '23dae411ab80213a',
      '0024-fewerIndexes.ts': '184f1c11b55125f9',
      '0025-accountIndexes.ts': 'db582862284eeed0',
      '0026-accountLookups.ts': '2028c547a97cb49c',
      '0027-sharedLookups.ts': '884b1cf1e5e874fd',
      '0028-unusedIndexes.ts': '3f3c8da55ee6bc6e',
    });
  });
});

const names = async () => {
  const indexes = await mongo.collections.generations.indexes();
  return indexes.map(({ name = '' }) => name).toSorted();
};

describe('a database of releases without numbered migrations', () => {
  test('loses their former indexes by their names, and no others; completed migrations are recorded', async () => {
    expect(await mongo.migrate()).toEqual(migrations.map(({ version }) => version));
    const wanted = await names();
    await mongo.collections.migrations.deleteMany({});
    const open = { partialFilterExpression: { open: true } };
    await mongo.collections.generations.createIndexes([
      { name: 'unknownOutcome', key: { endedAt: -1 }, ...open },
      { name: 'refunded', key: { endedAt: -1, costCredits: 1 }, ...open },
      { name: "an operator's own", key: { callerAddress: 1 } },
    ]);
    const self = { id: 'another', role: 'worker' } as const;
    const another = await connectMongo({ uri: database.uri, log, self });
    await Promise.all([mongo.migrate(), another.migrate()]);
    await another.close();
    expect(await names()).toEqual([...wanted, "an operator's own"].toSorted());
    const { done, migratedBy } = await mongo.schema();
    expect(migratedBy).toBeNull();
    expect(done).toHaveLength(codeVersion);
    expect(done[0]).toMatchObject({ version: 1, name: 'first indexes', worksWith: 0 });
    expect(Math.abs((done[0]?.doneAt ?? 0) - mongo.clock.now())).toBeLessThan(60_000);
    expect(done[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  test('is migrated although an index cannot be dropped', async () => {
    const { collections } = mongo;
    await collections.generations.createIndexes([{ name: 'unknownOutcome', key: { endedAt: -1 } }]);
    const refusing = new Proxy(collections.generations, {
      get(target, name) {
        if (name === 'dropIndex') {
          return async (index: string) => {
            if (index === 'unknownOutcome') throw new Error('an index is being built');
            return target.dropIndex(index);
          };
        }
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
    const none = { applySchemas, assertHeld: () => undefined };
    const context = { collections: { ...collections, generations: refusing }, log, ...none };
    await firstIndexes.run(context);
    expect(lines).toEqual(['an unused index could not be dropped']);
    await firstIndexes.run({ collections, log, ...none });
    expect(await names()).not.toContain('unknownOutcome');
  });
});

/** Dependencies of every migration. */
const given = () => ({ collections: mongo.collections, clock: mongo.clock, log, applySchemas });

/** Runs a migration of the test's. */
function run(holder: string, migration: Migration['run'], leaseMs = 30_000) {
  const step = { version: 1, name: 'step', worksWith: 0, run: migration };
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
    await until(() => lines.includes('another process migrates the database: waiting for it'));
    expect((await mongo.schema()).migratedBy).toMatch(/^[ab]$/);
    gate.resolve(undefined);
    expect((await Promise.all(both)).flat()).toEqual([1]);
    expect(runs).toBe(1);
  });

  test('one that waits ends when it is told to', async () => {
    await migrationLock(mongo.collections, 'a', 60_000).take();
    const stop = new AbortController();
    const waiting = migrate({ ...given(), holder: 'b', signal: stop.signal });
    await until(() => lines.length > 0);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });

  test('the next one continues when the lease of a dead one has lapsed', async () => {
    expect(await migrationLock(mongo.collections, 'killed', 60_000).take()).toBe(true);
    const next = run('b', async () => undefined);
    await until(() => lines.includes('another process migrates the database: waiting for it'));
    expect((await mongo.schema()).migratedBy).toBe('killed');
    const { migrations: stored } = mongo.collections;
    await stored.updateOne({ _id: 'lock' }, { $set: { until: new Date(0) } });
    expect(await next).toEqual([1]);
  });

  test('one that works longer than its lease prolongs it', async () => {
    const other = migrationLock(mongo.collections, 'b', 60_000);
    const lock = () => mongo.collections.migrations.findOne({ _id: 'lock' });
    await run(
      'a',
      async () => {
        const first = Number((await lock())?.['until']);
        await until(async () => Number((await lock())?.['until']) > first);
        expect(await other.take()).toBe(false);
      },
      3_000,
    );
  });

  test('one that has lost its lease stops at its next step, and records nothing', async () => {
    const slow = run(
      'a',
      async ({ assertHeld }) => {
        const { migrations: stored } = mongo.collections;
        await stored.updateOne({ _id: 'lock' }, { $set: { holder: 'b' } });
        await stored.updateOne({ _id: 'lock' }, { $set: { until: new Date(8e15) } });
        await until(() => {
          assertHeld();
          return false;
        });
      },
      600,
    );
    await expect(slow).rejects.toThrow('lost to another process');
    expect((await mongo.schema()).done).toEqual([]);
  });
});

test('a migration that fails is run again by the next process', async () => {
  const failing = run('a', () => Promise.reject(new Error('half way')));
  await expect(failing).rejects.toThrow('half way');
  expect(await mongo.schema()).toEqual({ done: [], migratedBy: null });
  expect(await run('b', async () => undefined)).toEqual([1]);
});

describe('a process', () => {
  const note = (version: number, worksWith: number) =>
    mongo.collections.migrations.insertOne({ _id: `${version}`, version, worksWith });
  const start = (mode: 'production' | 'development', readsOnly = false) =>
    requireSchema({ mode }, mongo, { log, readsOnly });

  test('refuses an older schema in production, and names the command', async () => {
    await expect(start('production')).rejects.toThrow(
      /schema 0, .* needs \d+: run "npm run admin -- database migrate"/,
    );
    expect((await mongo.schema()).done).toEqual([]);
  });

  test('migrates in development, unless it only reads', async () => {
    await start('development', true);
    expect((await mongo.schema()).done).toEqual([]);
    await start('development');
    await start('production');
    expect((await mongo.schema()).done).toHaveLength(codeVersion);
  });

  test('leaves what an older process needs until that has ended, and works meanwhile', async () => {
    const { processes } = mongo.collections;
    const seenAt = new Date(mongo.clock.now());
    await processes.insertOne({ _id: 'old', role: 'api', host: 'a', seenAt, sessions: [] });
    try {
      expect(await mongo.migrate()).toEqual(migrations.slice(0, -1).map(({ version }) => version));
      const waits = lines.filter((line) =>
        line.includes('have ended: run "database migrate" again'),
      );
      expect(waits).toHaveLength(1);
      expect((await judgeDatabase(mongo)).verdict).toBe('pending');
      await start('production');
      await start('development');
      expect((await mongo.schema()).done).toHaveLength(codeVersion - 1);
    } finally {
      await processes.deleteOne({ _id: 'old' });
    }
    await start('development', true);
    expect((await judgeDatabase(mongo)).verdict).toBe('pending');
    await start('development');
    expect((await judgeDatabase(mongo)).verdict).toBe('same');
  });

  test('refuses a newer schema', async () => {
    await note(codeVersion + 1, codeVersion + 1);
    for (const mode of ['production', 'development'] as const) {
      await expect(start(mode, true)).rejects.toThrow('a newer release has migrated it');
    }
    expect(await mongo.migrate()).toEqual([]);
  });

  test('works with one that a newer release has only expanded', async () => {
    await note(codeVersion + 1, codeVersion);
    await start('production');
    expect(lines).toEqual([
      'a newer release has migrated the database, and this one works with it',
    ]);
  });
});
