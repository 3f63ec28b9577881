import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { parseCommandLine } from '../../gateway/src/commands/parseCommandLine.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { settings } from '../../gateway/src/settings/settings.ts';
import { compiledFolder, projectRoot } from '../support/runNode.ts';
import { assignments, readCompose, readStages, readText } from './support/deployFiles.ts';

const unit = readText('deploy/systemd/framegate@.service');
const example = (name: string) => parseEnv(readText(`deploy/systemd/${name}.env.example`));

test.each(['api', 'worker'])('the unit and the example files start %s in production', (role) => {
  const [, set = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
  const env: Record<string, string | undefined> = {
    ...parseEnv(set.replaceAll('%i', role).replaceAll(' ', '\n')),
    ...example('framegate'),
    ...example(role),
    ROUTES_FILE: join(projectRoot, 'docs/providers/fal.json'),
  };
  for (const name of ['KEY_PEPPERS', 'MEDIA_SIGNING_KEYS', 'SESSION_KEYS']) {
    expect(env[name]).toBe('');
    env[name] = `1:${Buffer.from(`${name} of a test that has many letters`).toString('base64')}`;
  }
  const config = loadConfig(env);
  expect(config).toMatchObject({ role, mode: 'production', dataDir: '/var/lib/framegate' });
  const unknown = Object.keys(env).filter((name) => !(name in settings));
  expect(unknown.sort()).toEqual(['FAL_API_KEY', 'NODE_COMPILE_CACHE', 'NODE_ENV', 'NODE_OPTIONS']);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(
    config.stopPauseSeconds + config.stopGraceSeconds + 10,
  );
});

test('the unit migrates the database before its process starts', () => {
  const [, words = ''] =
    /^ExecStartPre=\/usr\/bin\/node gateway\/src\/admin\.ts (.*)$/m.exec(unit) ?? [];
  expect(parseCommandLine(words.split(' '))).toMatchObject({ command: { needs: 'any schema' } });
  // As long as it takes.
  expect(unit).toContain('TimeoutStartSec=infinity\n');
});

test('framegate-admin passes its arguments on unchanged, and runs like the services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'framegate-admin-'));
  try {
    const fake = '#!/bin/sh\nfor word in "$@"; do echo "$word"; done\nexit 3\n';
    writeFileSync(join(folder, 'systemd-run'), fake, { mode: 0o755 });
    const command = join(projectRoot, 'deploy/systemd/framegate-admin');
    const env = { PATH: `${folder}:${String(process.env['PATH'])}` };
    const words = ['credits', 'grant', '--reason', 'two words'];
    const { status, stdout } = spawnSync(command, words, { env, encoding: 'utf8' });
    const lines = stdout.trimEnd().split('\n');
    expect(status).toBe(3);
    expect(lines.slice(-6)).toEqual(['/usr/bin/node', 'gateway/src/admin.ts', ...words]);
    const property = (name: string) => RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
    const environment = property('Environment').replace(' ROLE=%i', '').split(' ');
    expect(lines).toEqual(
      expect.arrayContaining([
        `--uid=${property('User')}`,
        `--gid=${property('Group')}`,
        `--working-directory=${property('WorkingDirectory')}`,
        `--property=EnvironmentFile=${property('EnvironmentFile')}`,
        `--property=UMask=${property('UMask')}`,
        ...environment.map((each) => `--setenv=${each}`),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every deployment gives each role the same room for memory', () => {
  const api = '--max-semi-space-size=32';
  const worker = '--max-old-space-size=1536 --max-semi-space-size=16';
  const { services } = readCompose('compose.yaml', { SITE_HOST: 'x', MEDIA_HOST: 'x' });
  expect(services.api?.environment?.['NODE_OPTIONS']).toBe(api);
  expect(services.worker?.environment?.['NODE_OPTIONS']).toBe(worker);
  expect(example('api')['NODE_OPTIONS']).toBe(api);
  expect(example('worker')['NODE_OPTIONS']).toBe(worker);
  expect(readText('deploy/helm/framegate/templates/_helpers.tpl')).toContain(
    `name: NODE_OPTIONS\n              value: {{ ternary "${api}" "${worker}" (eq .role "api") }}`,
  );
});

test('commands of every deployment use the code compiled by its processes', () => {
  const { code } = /(?<code>NODE_COMPILE_CACHE=\S+)/.exec(unit)?.groups ?? {};
  const folder = '/opt/framegate/node_modules/.cache/framegate';
  expect(code).toBe(`NODE_COMPILE_CACHE=${folder}`);
  expect(assignments(readStages().at(-1) ?? [], 'ENV')['NODE_COMPILE_CACHE']).toBe(folder);
  expect(`/opt/framegate/${relative(projectRoot, compiledFolder)}`).toBe(folder);
});

test('both roles fit on one machine', () => {
  expect(example('api')['METRICS_PORT']).not.toBe(example('worker')['METRICS_PORT']);
});

test('proxies keep idle connections for a shorter time than the gateway', () => {
  const [, own = ''] = /keepAliveMs: ([\d_]+)/.exec(readText('gateway/src/http/server.ts')) ?? [];
  const traefik = parse(readText('deploy/traefik/framegate.yaml')) as {
    http: { serversTransports: { framegate: { forwardingTimeouts: Record<string, string> } } };
  };
  const kept = [
    /keepalive (\d+)s/.exec(readText('deploy/caddy/Caddyfile'))?.[1],
    /keepalive_timeout (\d+)s/.exec(readText('deploy/nginx/framegate.conf'))?.[1],
    traefik.http.serversTransports.framegate.forwardingTimeouts['idleConnTimeout'],
  ].map((seconds) => Number.parseInt(seconds ?? '', 10));
  for (const seconds of kept) expect(seconds * 1000).toBeLessThan(Number(own.replaceAll('_', '')));
});
