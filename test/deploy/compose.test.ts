import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../gateway/src/admin/commands.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { settings } from '../../gateway/src/config/settings.ts';
import { projectRoot } from '../support/runNode.ts';
import { assignments, readCompose, readStages, readText } from './support/deployFiles.ts';
import { folderWithScript, readEnv, runMakeEnv } from './support/madeEnv.ts';

const hosts = ['video.example.com', 'files.example.com', 'smtps://u:p$x@mail.example.com:465'];
const imageEnv = assignments(readStages().at(-1) ?? [], 'ENV');
const ROUTES_FILE = join(projectRoot, 'docs/providers/fal.json');
let folder: string;
let made: Record<string, string>;

beforeAll(() => {
  folder = folderWithScript();
  runMakeEnv(folder, ...hosts);
  made = readEnv(folder);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('makeEnv.sh', () => {
  test('writes a file for its owner alone, with other secrets each time', () => {
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
    const other = folderWithScript();
    runMakeEnv(other, ...hosts);
    const [first, second] = [made, readEnv(other)].map((env) =>
      Object.entries(env).filter(([name]) => !/HOST|SMTP/.test(name)),
    );
    expect(first).toHaveLength(8);
    expect(first?.filter((each, index) => each[1] === second?.[index]?.[1])).toEqual([]);
    rmSync(other, { recursive: true });
  });

  test('does not write over secrets, and says what it needs', () => {
    expect(() => {
      runMakeEnv(folder, ...hosts);
    }).toThrow('belong to the data');
    expect(() => {
      runMakeEnv(folder, 'video.example.com');
    }).toThrow('usage');
    expect(readEnv(folder)).toEqual(made);
  });
});

describe('compose.yaml', () => {
  const services = () => readCompose('compose.yaml', made).services;

  test.each(['api', 'worker'])('%s has settings with which production starts', (name) => {
    const { environment } = services()[name] ?? {};
    const config = loadConfig({ ...imageEnv, ...environment, ROUTES_FILE });
    expect(config).toMatchObject({ mode: 'production', role: name, mediaStore: { kind: 's3' } });
    expect(config.mail.smtpUrl).toBe(hosts[2]);
    expect(config.http).toMatchObject({ host: '0.0.0.0', port: 8080, metricsPort: 9090 });
    const unknown = Object.keys({ ...environment }).filter((each) => !(each in settings));
    expect(unknown).toEqual([]);
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

  test('gives who migrates a database user of its own, and all others the lesser one', () => {
    const { api, worker, migrate, prepare } = services();
    const [common, ...uris] = [api, worker, prepare].map(
      (each) => each?.environment?.['MONGODB_URI'],
    );
    expect(uris).toEqual([common, common]);
    const own = migrate?.environment?.['MONGODB_URI'] ?? '';
    expect(own).not.toBe(common);
    expect(own).toBe(prepare?.environment?.['MONGODB_MIGRATION_URI']);
  });

  test('is given longer to stop than the gateway takes', () => {
    const { stopGraceSeconds } = loadConfig({});
    for (const name of ['api', 'worker']) {
      const period = services()[name]?.stop_grace_period ?? '';
      expect(Number(/^(\d+)s$/.exec(period)?.[1])).toBeGreaterThan(stopGraceSeconds + 10);
    }
  });

  test('believes the address of its own proxy and of nothing else', () => {
    const front = services()['caddy']?.networks as { front: { ipv4_address: string } };
    expect(services()['api']?.environment?.['TRUST_PROXY']).toBe(front.front.ipv4_address);
  });

  test('gives Caddy and the step that prepares what they read', () => {
    const { caddy, prepare } = services();
    const asked = [...readText('deploy/caddy/Caddyfile').matchAll(/\{\$(\w+)\}/g)];
    expect(asked.length).toBeGreaterThan(1);
    for (const [, name = ''] of asked) expect(caddy?.environment).toHaveProperty(name);
    const script = String(prepare?.command?.[1]);
    const read = [...readText(script).matchAll(/\benv\.(\w+)/g)].map(([, name]) => name ?? '');
    const given = prepare?.environment ?? {};
    // AWS's first region stands in for the one setting that is not needed here.
    expect(new Set(read.filter((name) => !(name in given)))).toEqual(new Set(['S3_REGION']));
  });
});

test('compose.trial.yaml starts a development gateway, whose renderer is in its image', () => {
  const { gateway } = readCompose('compose.trial.yaml', {}).services;
  const config = loadConfig({ ...imageEnv, ...gateway?.environment });
  expect(config).toMatchObject({ mode: 'development', role: 'all', routes: null });
  expect(readText('compose.trial.yaml')).toContain('-w @framegate/preview-renderer');
});
