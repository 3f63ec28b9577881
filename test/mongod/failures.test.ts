import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { EmbeddedDatabaseError, startEmbeddedMongod } from '@framegate/embedded-mongod';
import { collectLog } from '../support/mongod.ts';
import { newFolder, plantScript, removeFolders } from './folders.ts';

const { log } = collectLog();

afterAll(removeFolders);

/** The number of a user without rights. */
const nobody = 65_534;

/** The message of a start that cannot succeed. */
async function failure(dataDir: string, path = '/bin/false'): Promise<string> {
  const error: unknown = await startEmbeddedMongod({ dataDir, mongod: { path }, log }).then(
    () => 'it has started',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbeddedDatabaseError);
  return error instanceof Error ? error.message : '';
}

test('a data folder that is a file, or inside one, is refused', async () => {
  const file = join(await newFolder(), 'file');
  await writeFile(file, '');
  expect(await failure(file)).toBe(
    `The folder ${file} cannot be used: it is a file. Name another with DATA_DIR.`,
  );
  expect(await failure(join(file, 'data'))).toContain('a part of its path is a file');
});

test('a data folder without permissions is refused', async () => {
  const folder = join(await newFolder(), 'locked');
  await mkdir(folder);
  await chmod(folder, 0o500);
  // The root user may write anywhere.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(nobody);
  try {
    expect(await failure(folder)).toContain('this user has no right to write there');
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test.each([
  [
    'echo "mongod: error while loading shared libraries: libcurl.so.4: cannot open shared object file" >&2; exit 127',
    'the library libcurl.so.4 is missing (Debian 12 and Ubuntu 22.04 have what mongod needs in ' +
      'libcurl4, libssl3 and liblzma5)',
  ],
  ['kill -ILL $$', 'this processor lacks the AVX instructions that MongoDB 5.0 and newer need'],
  ['echo "something odd" >&2; exit 3', 'exit status 3, something odd'],
  ['exit 1', 'exit status 1'],
  [
    'echo \'{"s":"E","msg":"Failed","attr":{"error":"DBPathInUse: Unable to lock the lock file"}}\'; exit 100',
    'another mongod is using the same data folder',
  ],
])('a mongod that ends immediately is reported: %s', async (body, reason) => {
  const folder = await newFolder();
  const path = await plantScript(join(folder, 'mongod'), body);
  const root = join(folder, 'data/mongodb');
  expect(await failure(join(folder, 'data'), path)).toBe(
    `The embedded database in ${root} did not start: ${reason}. ` +
      `The program was ${path}; its log is ${root}/mongod.log.`,
  );
});

test('data of another version is refused, and the message names the server that can read it', async () => {
  const folder = await newFolder();
  const path = await plantScript(
    join(folder, 'mongod'),
    `echo '{"s":"F","msg":"Wrong mongod version","attr":{"error":"UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document"}}'; exit 62`,
  );
  await mkdir(join(folder, 'mongodb'));
  const record = { port: 27_999, version: '6.0.5', path: '/opt/mongod-6' };
  await writeFile(join(folder, 'mongodb/server.json'), JSON.stringify(record));
  expect(await failure(folder, path)).toMatch(
    /cannot read\. It was last used with MongoDB 6\.0\.5: name that one with MONGOD=\/opt\/mongod-6\./,
  );
});
