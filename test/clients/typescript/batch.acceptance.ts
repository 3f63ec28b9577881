import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../support/until.ts';
import { eventsOf } from './inProcess.ts';
import { type PackedWorld, startPackedWorld } from './packedWorld.ts';

/* The installed command, against a real gateway. */

let { world, account, installed, env } = {} as PackedWorld;

beforeAll(async () => {
  ({ world, account, installed, env } = await startPackedWorld());
});
afterAll(async () => {
  await world.stop();
});

const rows = 8;
const credits = 20;

test('a killed batch resumes where it stopped, and each row is paid once', async () => {
  const table = join(world.folder, 'kites.csv');
  const names = Array.from({ length: rows }, (_, index) => `"A kite, the ${index + 1}.",4`);
  await writeFile(table, ['prompt,duration', ...names].join('\n'));
  const args = ['batch', table, '-m', 'alpha-2.0-fast', '--resolution', '480p', '--yes'];
  const command = [...args, '-o', world.folder, '--max-credits', String(rows * credits)];
  const stored = () => readFile(`${table}.state.json`, 'utf8').catch(() => '');
  const spent = await world.spentBy(account, async () => {
    const first = installed.framegate(command, env);
    await until(async () => (await stored()).includes('"files"'), 'a row is there');
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await installed.framegate(command, env).ended;
    expect(second).toMatchObject({ status: 0 });
    expect(eventsOf(second.stdout).at(-1)).toEqual({ event: 'batch', rows });
  });
  expect(spent).toBe(rows * credits);
  const keys = new Set(world.creates().map(({ headers }) => headers['idempotency-key']));
  expect(keys.size).toBe(rows);
  const files = (await readdir(world.folder)).filter((name) => /^kites-\d+\.mp4$/.test(name));
  expect(files).toHaveLength(rows);
});
