import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFaultyProxy } from '../../support/faultyProxy.ts';
import { installAi } from '../ai-sdk/aiProgram.ts';
import { packageFolder, pythonEnvironment } from '../python/environment.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { drivers } from './drivers.ts';
import { cost, expected, type FaultRow, faultTable, type PackageName, packages } from './table.ts';

/* Each fault against each package, whose own code creates an image at a real gateway. */

let world: ClientWorld;
let play: ReturnType<typeof drivers>;

beforeAll(async () => {
  const requirements = join(packageFolder, 'requirements-dev.txt');
  const [started, python] = await Promise.all([
    startClientWorld(),
    pythonEnvironment(requirements),
    installAi(),
  ]);
  world = started;
  play = drivers(python);
});
afterAll(() => world.stop());

/** Path of a package's creates and reads: the bridge passes messages to one address. */
function requestOf(name: PackageName, on: FaultRow['on']) {
  const isCreate = on === 'create';
  if (name === 'MCP bridge') {
    const body = isCreate ? 'create_image' : 'wait_for_generation';
    return { method: 'POST', path: '/mcp', body };
  }
  const path = isCreate ? '/v1/images' : '/v1/generations/';
  // A create request without content only asks whether a key is taken.
  return { method: isCreate ? 'POST' : 'GET', path, ...(isCreate && { body: 'prompt' }) };
}

/** Runs one cell, with a separate connection and account. */
async function playCell(row: FaultRow, name: PackageName) {
  const line = await startFaultyProxy();
  try {
    line.target = world.line.target;
    const account = await world.addAccount({ credits: 100 });
    if (row.does) line.disturb({ ...requestOf(name, row.on), ...row.does });
    const { id, attempts } = await play[name]({
      baseUrl: `${line.origin}/v1`,
      apiKey: account.apiKey,
    });
    const create = requestOf(name, 'create');
    const posts = line.seen.filter(
      ({ method, path, body }) =>
        method === create.method && path === create.path && body.includes(create.body ?? ''),
    );
    const keys = posts.map(
      ({ headers, body }) =>
        headers['idempotency-key'] ?? /"idempotency_key":"([^"]+)"/.exec(body)?.[1],
    );
    return {
      attempts,
      posts: posts.length,
      keys: new Set(keys).size,
      generations: await world.generationsOf(account),
      credits: 100 - (await world.available(account)),
      isIdKept: (await account.get(`/v1/generations/${String(id)}`)).status === 200,
    };
  } finally {
    await line.close();
  }
}

/** A slow machine can need more runs than the fault requires: a step of Zapier ends after 20 seconds. */
const atLeast = (attempts: number, count: number) => Math.min(attempts, count);

test.each(packages)('%s: one generation, one key, paid once, whatever the fault', async (name) => {
  const seen: object = {};
  const wanted: object = {};
  await Promise.all(
    faultTable.map(async (row) => {
      const cell = `${row.on}: ${row.fault}`;
      const does = expected(row, name);
      const paid = { keys: 1, generations: 1, credits: cost, isIdKept: true };
      const played = await playCell(row, name).then(
        (each) => ({ ...each, attempts: atLeast(each.attempts, does.attempts) }),
        (error: unknown) => String(error),
      );
      Object.assign(seen, { [cell]: played });
      Object.assign(wanted, { [cell]: { ...does, ...paid } });
    }),
  );
  expect(seen).toEqual(wanted);
});
