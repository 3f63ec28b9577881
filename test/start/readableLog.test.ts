import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createLog, loadPretty } from '../../gateway/src/adapters/system/log.ts';
import { createTestDatabase } from '../support/database.ts';
import { startProcess } from './gatewayProcess.ts';

const folder = mkdtempSync(join(tmpdir(), 'framegate-log-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Output for one line, which holds a secret. */
function written(name: string, pretty: Awaited<ReturnType<typeof loadPretty>>): string {
  const file = join(folder, name);
  const log = createLog('info', openSync(file, 'a'), pretty);
  log.warn({ port: 8080, password: 'secret', text: 'mongodb://user:secret@host' }, 'it listens');
  return readFileSync(file, 'utf8');
}

test('log lines are text on a terminal and JSON elsewhere; neither shows a secret', async () => {
  const pretty = await loadPretty();
  if (pretty === null) throw new Error('pino-pretty is not installed');
  const line = written('pretty', pretty);
  expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] .*WARN.* it listens.*"port":8080/);
  expect(line.trimEnd()).not.toContain('\n');
  expect(JSON.parse(written('json', null))).toMatchObject({ msg: 'it listens', port: 8080 });
  for (const name of ['pretty', 'json']) {
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain('secret');
  }
});

test('without a terminal, a process on a database of its own reports its start in the format of its log', async () => {
  const database = createTestDatabase();
  const settings = { MONGODB_URI: database.uri, DATA_DIR: folder, ROLE: 'worker' };
  const worker = startProcess(settings);
  await worker.untilRunning();
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  await database.drop();
  const lines = [worker.stdout(), worker.stderr()].map((text) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  );
  const told = { msg: 'Framegate is running', mode: 'development', role: 'worker' };
  expect(lines[0]).toEqual([expect.objectContaining(told)]);
  expect(lines[1]?.length).toBeGreaterThan(0);
});
