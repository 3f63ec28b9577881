import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { runNode } from '../support/runNode.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/*
 * The attack: a known vulnerability in a package of the gateway, and an audit that passes because the registry was
 * unreachable.
 */

const folder = temporaryFolder();
let registry: TinyServer;
let respond: (response: ServerResponse) => void = () => undefined;
beforeAll(async () => {
  registry = await startTinyServer(({ path }, response) => {
    if (path.endsWith('/security/advisories/bulk')) respond(response);
    else json(response, 404, { error: 'not found' });
  });
});
afterAll(() => registry.close());

const audit = (more: Record<string, string> = {}) =>
  runNode(['scripts/audit.ts'], {
    npm_config_registry: registry.origin,
    npm_config_cache: folder(),
    npm_config_fetch_retries: '0',
    npm_config_logs_max: '0',
    ...more,
  });

/** npm caches advisories by their ids. */
const ids = { low: 1, moderate: 2, critical: 3 };
const advisory = (severity: keyof typeof ids) => ({
  koa: [
    {
      id: ids[severity],
      title: 'A hole in koa',
      severity,
      url: `https://advisories.example/${severity}`,
      vulnerable_versions: '*',
      cwe: [],
      cvss: { score: 5, vectorString: null },
    },
  ],
});

test('passes where the registry has no finding, or only minor ones', async () => {
  respond = (response) => json(response, 200, {});
  expect(await audit()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^No vulnerabilities of moderate severity or higher in \d{2,} packages\.\n$/,
    ),
  });
  respond = (response) => json(response, 200, advisory('low'));
  expect(await audit()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('low koa: A hole in koa'),
  });
});

test.each(['moderate', 'critical'] as const)('fails on findings that are %s', async (severity) => {
  respond = (response) => json(response, 200, advisory(severity));
  const { status, stderr } = await audit();
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^Vulnerable: \d+ /)]);
  expect(stderr).toContain(`${severity} koa: A hole in koa`);
});

test.each<[string, typeof respond, Record<string, string>]>([
  ['refuses', (response) => response.writeHead(405).end(), {}],
  ['is ill', (response) => json(response, 500, {}), {}],
  ['says something else', (response) => response.end('<h1>A proxy</h1>'), {}],
  ['hangs up', (response) => response.destroy(), {}],
  [
    'is not asked, as npm is offline',
    (response) => response.destroy(),
    { npm_config_offline: 'true' },
  ],
])('fails where the registry %s', async (_, given, env) => {
  respond = given;
  const { status, stdout, stderr } = await audit(env);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('No answer from the registry');
});
