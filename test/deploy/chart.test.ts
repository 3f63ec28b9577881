import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { parseCommandLine } from '../../gateway/src/commands/parseCommandLine.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { readText } from './support/deployFiles.ts';

interface Values {
  routes: unknown;
  trustProxy: string;
  hosts: { site: string; media: string };
  settings: Record<string, string>;
  networkPolicy: Record<string, unknown>;
  terminationGracePeriodSeconds: number;
}

const chart = 'deploy/helm/framegate';
const defaults = parse(readText(`${chart}/values.yaml`)) as Values;
const [, example = ''] = /```yaml\n(.*?)```/s.exec(readText('docs/deploy/kubernetes.md')) ?? [];
const ofThePage = parse(example) as Values;
const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
  JSON.parse(readText(`${chart}/values.schema.json`)) as object,
);
const folder = mkdtempSync(join(tmpdir(), 'framegate-chart-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Values over defaults, as Helm merges them: objects by key, everything else as a whole. */
function merged(base: object, values: object): object {
  const isObject = (each: unknown): each is object =>
    typeof each === 'object' && each !== null && !Array.isArray(each);
  const own = base as Record<string, unknown>;
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => {
    const before = own[name];
    return [name, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return { ...base, ...(Object.fromEntries(entries) as object) };
}

/** The places where a set of values is invalid. */
function problems(values: object): string[] {
  const { networkPolicy: own = {} } = values as { networkPolicy?: object };
  const networkPolicy = merged(defaults.networkPolicy, own);
  isValid({ ...defaults, ...values, networkPolicy });
  return (isValid.errors ?? []).map(({ instancePath }) => instancePath);
}

test('the values of the page are valid, and those of the chart lack only required settings', () => {
  expect(problems(ofThePage)).toEqual([]);
  expect(new Set(problems({}))).toEqual(
    new Set([
      ...['/hosts/site', '/hosts/media', '/trustProxy', '/existingSecret', '/routes'],
      ...['/networkPolicy', '/networkPolicy/database/to', '/networkPolicy/bucket/to'],
      '/networkPolicy/mail/to',
    ]),
  );
});

test('services in private networks need no names without a network policy', () => {
  const networkPolicy = { ...defaults.networkPolicy, enabled: false };
  expect(problems({ ...ofThePage, networkPolicy })).toEqual([]);
});

test('wrong types, unknown settings and secrets among the values are refused by name', () => {
  expect(problems({ ...ofThePage, api: { replicas: 'two' } })).toEqual(['/api/replicas']);
  for (const name of ['SIGNUP_CREDTS', 'KEY_PEPPERS', 'BASE_URL']) {
    expect(problems({ ...ofThePage, settings: { [name]: 'x' } })).toEqual(['/settings']);
  }
});

test('the operator API is off, and opens to peers that are named', () => {
  expect(defaults).toMatchObject({ operatorApi: { enabled: false, from: [] } });
  const operatorApi = { enabled: true, from: [{ podSelector: { matchLabels: { app: 'shop' } } }] };
  expect(problems({ ...ofThePage, operatorApi })).toEqual([]);
  expect(problems({ ...ofThePage, operatorApi: { port: 1 } })).toEqual(['/operatorApi']);
});

test('additions of clusters to pods are validated', () => {
  const additions = {
    nodeSelector: { pool: 'media' },
    worker: { tolerations: [{ key: 'spot', operator: 'Exists' }], affinity: {} },
    podAnnotations: { 'vault.hashicorp.com/agent-inject': 'true' },
    extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/certs/ca.pem' }],
    extraVolumes: [{ name: 'certs', secret: { secretName: 'ca' } }],
    extraVolumeMounts: [{ name: 'certs', mountPath: '/certs' }],
  };
  expect(problems({ ...ofThePage, ...additions })).toEqual([]);
  const wrong = { podLabels: { a: 1 }, extraEnv: [{}], extraVolumeMounts: [{ name: 'certs' }] };
  expect(problems({ ...ofThePage, ...wrong }).sort()).toEqual([
    ...['/extraEnv/0', '/extraVolumeMounts/0', '/podLabels/a'],
  ]);
});

test('the settings of chart, Secret and image together start in production', () => {
  const secrets = [
    ...readText('docs/deploy/kubernetes.md').matchAll(/--from-literal=(\w+)=(\S+)/g),
  ];
  const secret = Object.fromEntries(
    secrets.map(([, name = '', value = '']) => [name, value.replace(/^'(.*)'$/, '$1')]),
  );
  for (const name of ['KEY_PEPPERS', 'MEDIA_SIGNING_KEYS', 'SESSION_KEYS']) {
    secret[name] = `1:${Buffer.from(`${name} of a test that has many letters`).toString('base64')}`;
  }
  const routes = join(folder, 'routes.json');
  writeFileSync(routes, JSON.stringify(ofThePage.routes));
  const names = [...readText(`${chart}/templates/configmap.yaml`).matchAll(/^ {2}([A-Z_]+): /gm)];
  expect(names.map(([, name]) => name)).toEqual([
    ...['BASE_URL', 'MEDIA_URL', 'TRUST_PROXY', 'ROUTES_FILE'],
    ...['OPERATOR_HOST', 'OPERATOR_PORT'],
  ]);
  const config = loadConfig({
    MODE: 'production',
    BASE_URL: `https://${ofThePage.hosts.site}/v1`,
    MEDIA_URL: `https://${ofThePage.hosts.media}`,
    TRUST_PROXY: ofThePage.trustProxy,
    ROUTES_FILE: routes,
    ...defaults.settings,
    ...ofThePage.settings,
    ...secret,
  });
  expect(config.mediaStore).toMatchObject({ kind: 's3', bucket: 'your-bucket' });
  expect(defaults.terminationGracePeriodSeconds).toBeGreaterThan(
    config.stopPauseSeconds + config.stopGraceSeconds + 10,
  );
});

test('the Job that migrates needs one setting, and runs a valid command', () => {
  const job = readText(`${chart}/templates/migrate.yaml`);
  const [, words = ''] = /command: \[node, gateway\/src\/admin\.ts, (.*)\]/.exec(job) ?? [];
  expect(parseCommandLine(words.split(', '))).toMatchObject({ command: { needs: 'any schema' } });
  const config = loadConfig(
    { MODE: 'production', MONGODB_URI: 'mongodb://db.example/framegate' },
    { isDatabaseOnly: true },
  );
  expect(config.database.uri).toBe('mongodb://db.example/framegate');
  expect(() => loadConfig({ MODE: 'production' }, { isDatabaseOnly: true })).toThrow(
    /^Framegate cannot start: 1 setting needs a change\.\n {2}- MONGODB_URI is not set/,
  );
});

test('volumes are mounted where the image writes', () => {
  const image = readText('Dockerfile');
  const mounts = [...readText(`${chart}/templates/_helpers.tpl`).matchAll(/mountPath: ([^,} ]+)/g)];
  const paths = mounts.map(([, path = '']) => path);
  expect(paths).toEqual(expect.arrayContaining(['/tmp', '/var/lib/framegate']));
  for (const path of paths.filter((each) => !/^\/(tmp|etc)/.test(each))) {
    expect(image).toContain(path);
  }
});
