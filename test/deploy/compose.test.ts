import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseCommandLine } from '../../gateway/src/commands/parseCommandLine.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { settings } from '../../gateway/src/settings/settings.ts';
import { projectRoot } from '../support/runNode.ts';
import { assignments, readCompose, readStages, readText } from './support/deployFiles.ts';
import { hosts, useMadeEnv, withSecrets } from './support/madeEnv.ts';

const imageEnv = assignments(readStages().at(-1) ?? [], 'ENV');
const ROUTES_FILE = join(projectRoot, 'docs/providers/fal.json');
const { folder, made, secrets } = useMadeEnv();

describe.each(['compose.yaml', 'compose.trial.yaml'])('%s confines each container', (file) => {
  const all = Object.entries(readCompose(file, { SITE_HOST: 'x', MEDIA_HOST: 'x' }).services);

  test.each(all)('%s', (name, service) => {
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.cap_add ?? []).toEqual(name === 'caddy' ? ['NET_BIND_SERVICE'] : []);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.read_only).toBe(true);
    expect(service.tmpfs).toContain('/tmp');
    if (name.startsWith('mongo')) expect(service.user).toBe('999:999');
  });
});

describe('compose.yaml', () => {
  const services = () => readCompose('compose.yaml', made).services;

  test('gives each container the secrets that it needs and no others, as files', () => {
    const process = ['mongodb-uri', 's3-secret', 'key-peppers', 'media-signing-keys'];
    process.push('session-keys', 'smtp-url');
    expect(
      Object.fromEntries(
        Object.entries(services()).map(([name, { secrets: own = [] }]) => [name, own]),
      ),
    ).toEqual({
      caddy: [],
      api: process,
      worker: process,
      migrate: ['mongodb-migration-uri'],
      prepare: [
        ...['mongo-root-password', 'mongodb-uri', 'mongodb-migration-uri'],
        ...['s3-secret', 's3-root-secret'],
      ],
      mongo1: ['mongo-key', 'mongo-root-password'],
      mongo2: ['mongo-key'],
      mongo3: ['mongo-key'],
      s3: ['s3-root-secret'],
    });
    const { secrets: declared = {} } = readCompose('compose.yaml', made);
    expect(
      Object.entries(declared).map(([name, { file }]) => [name, file.replace(/^.*\//, '')]),
    ).toEqual(Object.keys(declared).map((name) => [name, name]));
    expect(Object.keys(declared).sort()).toEqual(Object.keys(secrets).sort());
  });

  test("names in each environment files of the container's own secrets, and has no secret itself", () => {
    for (const [name, { environment = {}, secrets: own = [] }] of Object.entries(services())) {
      const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
      for (const file of files) {
        expect([name, own]).toEqual([name, expect.arrayContaining([file.slice(13)])]);
      }
      const isSecret = /SECRET|PASSWORD|KEYS|PEPPERS|(MONGODB|MIGRATION|SMTP)_UR[IL]/;
      const names = Object.keys(environment).filter((each) => isSecret.test(each));
      expect(names.filter((each) => !each.endsWith('_FILE'))).toEqual([]);
    }
    const text = readText('compose.yaml');
    expect(new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))).toEqual(
      new Set(['FRAMEGATE_IMAGE', 'SITE_HOST', 'MEDIA_HOST', 'OPERATOR_PORT']),
    );
  });

  test('gives keys of providers to processes alone, each as a file', () => {
    for (const [name, { env_file: files, volumes = [] }] of Object.entries(services())) {
      const mounted = volumes.filter(
        (each) => typeof each !== 'string' && each.target === '/run/secrets/providers',
      );
      const isProcess = ['api', 'worker'].includes(name);
      expect([name, files, mounted.length]).toEqual([
        name,
        isProcess ? [{ path: 'providers.env', required: false }] : undefined,
        isProcess ? 1 : 0,
      ]);
    }
    const [, line = ''] = /echo '(\w+_FILE=\S+)'/.exec(readText('docs/deploy/compose.md')) ?? [];
    expect(line).toBe('FAL_API_KEY_FILE=/run/secrets/providers/fal');
  });

  test("keeps the bucket server's own key from the processes", () => {
    const { s3, prepare, api } = services();
    expect(prepare?.environment?.['S3_ROOT_ACCESS_KEY_ID']).toBe(
      s3?.environment?.['ROOT_ACCESS_KEY'],
    );
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_BUCKET', 'S3_ENDPOINT', 'S3_FORCE_PATH_STYLE']) {
      expect(prepare?.environment?.[name]).toBe(api?.environment?.[name]);
    }
    expect(api?.environment?.['S3_ACCESS_KEY_ID']).not.toBe(s3?.environment?.['ROOT_ACCESS_KEY']);
    // It has users only where it has a folder for them.
    expect(s3?.command).toContain('--iam-dir');
  });

  test.each(['api', 'worker'])('%s has settings with which production starts', (name) => {
    const { environment } = services()[name] ?? {};
    const own = withSecrets(folder, environment);
    const config = loadConfig({ ...imageEnv, ...own, ROUTES_FILE });
    expect(config).toMatchObject({ mode: 'production', role: name, mediaStore: { kind: 's3' } });
    expect(config.mail.smtpUrl).toBe(hosts[2]);
    expect(config.http).toMatchObject({ host: '0.0.0.0', port: 8080, metricsPort: 9090 });
    const isKnown = (each: string) => each in settings || each.replace(/_FILE$/, '') in settings;
    expect(Object.keys(own).filter((each) => !isKnown(each))).toEqual(['NODE_OPTIONS']);
  });

  test('migrates the database before a process starts', () => {
    const { migrate, api, worker } = services();
    const [, script, ...words] = migrate?.command ?? [];
    expect(script).toBe('gateway/src/admin.ts');
    expect(parseCommandLine(words)).toMatchObject({ command: { needs: 'any schema' } });
    for (const service of [api, worker]) {
      const condition = 'service_completed_successfully';
      expect(service?.depends_on).toEqual({ migrate: { condition } });
    }
  });

  test('gives the migration a database user of its own, and all others the lesser one', () => {
    const { api, worker, migrate, prepare } = services();
    const [common, ...uris] = [api, worker, prepare].map(
      (each) => each?.environment?.['MONGODB_URI_FILE'],
    );
    expect(uris).toEqual([common, common]);
    const own = migrate?.environment?.['MONGODB_URI_FILE'] ?? '';
    expect(own).not.toBe(common);
    expect(own).toBe(prepare?.environment?.['MONGODB_MIGRATION_URI_FILE']);
    expect(secrets['mongodb-uri']).not.toBe(secrets['mongodb-migration-uri']);
    const config = loadConfig(
      { ...imageEnv, ...withSecrets(folder, migrate?.environment) },
      { isDatabaseOnly: true },
    );
    expect(config.database.uri).toBe(secrets['mongodb-migration-uri']);
  });

  test('gets more time to stop than the gateway takes', () => {
    const { stopGraceSeconds } = loadConfig({});
    for (const name of ['api', 'worker']) {
      const period = services()[name]?.stop_grace_period ?? '';
      expect(Number(/^(\d+)s$/.exec(period)?.[1])).toBeGreaterThan(stopGraceSeconds + 10);
    }
  });

  test('trusts only the address of its own proxy', () => {
    const front = services()['caddy']?.networks as { front: { ipv4_address: string } };
    expect(services()['api']?.environment?.['TRUST_PROXY']).toBe(front.front.ipv4_address);
  });

  test('gives Caddy and the preparation step the files that they read', () => {
    const { caddy, prepare } = services();
    const asked = [...readText('deploy/caddy/Caddyfile').matchAll(/\{\$(\w+)\}/g)];
    expect(asked.length).toBeGreaterThan(1);
    for (const [, name = ''] of asked) expect(caddy?.environment).toHaveProperty(name);
    const script = String(prepare?.command?.[1]);
    const text = readText(script) + readText('deploy/image/prepareBucket.js');
    const named = text.matchAll(/\b(?:MONGODB|S3|MEDIA)_[A-Z][A-Z_]*/g);
    const read = [...named].map(([name]) => name.replace(/_FILE$/, ''));
    expect(read).toContain('S3_BUCKET');
    const given = new Set(Object.keys(prepare?.environment ?? {}));
    const has = (name: string) => given.has(name) || given.has(`${name}_FILE`);
    // AWS's first region replaces the one setting that is not needed here.
    expect(new Set(read.filter((name) => !has(name)))).toEqual(new Set(['S3_REGION']));
  });
});

test('compose.trial.yaml starts a development gateway, whose renderer is in its image', () => {
  const { gateway } = readCompose('compose.trial.yaml', {}).services;
  const config = loadConfig({ ...imageEnv, ...gateway?.environment });
  expect(config).toMatchObject({ mode: 'development', role: 'all', routes: null });
  expect(readText('compose.trial.yaml')).toContain('-w @framegate/preview-renderer');
});
