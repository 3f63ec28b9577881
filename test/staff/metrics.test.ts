import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createMetrics } from '../../gateway/src/adapters/metrics/metrics.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { freePort } from '../support/freePort.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(await read('package.json')) as { version: string };

interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}

/** Exported metric names, including those added by histograms, with their labels. */
async function exported(): Promise<Map<string, string[]>> {
  const { register } = createMetrics();
  const names = new Map<string, string[]>();
  for (const metric of await register.getMetricsAsJSON()) {
    const { labelNames = [] } = register.getSingleMetric(metric.name) as unknown as {
      labelNames?: string[];
    };
    names.set(metric.name, labelNames);
    if (String(metric.type) !== 'histogram') continue;
    names.set(`${metric.name}_bucket`, [...labelNames, 'le']);
    names.set(`${metric.name}_sum`, labelNames);
    names.set(`${metric.name}_count`, labelNames);
  }
  register.clear();
  return names;
}

/** Problems of an expression: metrics and labels that are not exported. */
function unknownIn(expression: string, names: Map<string, string[]>): string[] {
  const used = [...expression.matchAll(/\b(framegate|nodejs|process)_\w+/g)].map(([name]) => name);
  if (used.length === 0) return [`no metric in ${expression}`];
  const unknown = used.filter((name) => !names.has(name));
  const labels = new Set(['instance', ...used.flatMap((name) => names.get(name) ?? [])]);
  const asked = [
    ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',')),
    ...[...expression.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|=)/g)].map(([, label = '']) => label),
  ];
  const strange = asked.map((label) => label.trim()).filter((label) => !labels.has(label));
  return [...unknown, ...strange.map((label) => `${label} in ${expression}`)];
}

describe('documents', () => {
  test('the dashboard uses only exported metrics', async () => {
    const dashboard = JSON.parse(await read('docs/grafana/framegate.json')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const names = await exported();
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(15);
    expect(expressions.flatMap((expression) => unknownIn(expression, names))).toEqual([]);
    expect(unknownIn('rate(framegate_no_such_total[5m])', names)).toHaveLength(1);
    expect(unknownIn('sum by (planet) (framegate_credits)', names)).toHaveLength(1);
  });

  test('the alert rules use only exported metrics, and explain them', async () => {
    const names = await exported();
    const { groups } = parse(await read('docs/grafana/alerts.yaml')) as {
      groups: { rules: AlertRule[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.flatMap(({ expr }) => unknownIn(expr, names))).toEqual([]);
    expect(rules.filter(({ alert }) => !alert.startsWith('Framegate'))).toEqual([]);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    expect(rules.filter(({ annotations }) => annotations.summary.length < 20)).toEqual([]);
    const severities = new Set(rules.map(({ labels }) => labels.severity));
    expect(severities).toEqual(new Set(['critical', 'warning']));
  });

  test('alerts fire when no process of a role answers, and when creates are slow', async () => {
    const { groups } = parse(await read('docs/grafana/alerts.yaml')) as {
      groups: { rules: AlertRule[] }[];
    };
    const expressions = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
    for (const role of ['api', 'worker']) {
      expect(expressions).toContain(`absent(framegate_build_info{role=~"all|${role}"})`);
    }
    const slow = expressions.find((expr) => expr.includes('framegate_http_request_seconds_bucket'));
    const [, routes = ''] = /route=~"([^"]*)"/.exec(slow ?? '') ?? [];
    expect(
      ['/v1/videos', '/v1/images'].filter((route) => !RegExp(`^(${routes})$`).test(route)),
    ).toEqual([]);
  });

  test('the table names every exported metric', async () => {
    const text = await read('docs/operating/monitoring.md');
    const names = await exported();
    const section = text.slice(text.indexOf('## Metrics and alerts'), text.indexOf('## Traces'));
    const told = new Set([...section.matchAll(/`(\w+_\w+)`/g)].map(([, name = '']) => name));
    const own = [...names.keys()].filter(
      (name) => name.startsWith('framegate_') && !/_(bucket|sum|count)$/.test(name),
    );
    expect(own.filter((name) => !told.has(name))).toEqual([]);
  });
});

describe('a gateway', () => {
  let ark: FakeArk;
  let folder: string;
  let gateway: TestGateway;
  let url: string;
  const logged: object[] = [];

  beforeAll(async () => {
    ark = await startFakeArk();
    folder = await mkdtemp(join(tmpdir(), 'framegate-metrics-'));
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}/metrics`;
    const note = (fields: object) => void logged.push(fields);
    const env = { ...(await arkRoutes(folder, ark)), METRICS_PORT: port };
    const log = { debug: note, info: note, warn: note, error: note };
    gateway = await startTestGateway(env, undefined, log);
  });

  afterAll(async () => {
    await gateway.stop();
    await ark.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('logs which release it is when it starts', () => {
    expect(logged).toContainEqual({ version, node: process.version, role: 'all' });
  });

  test('counts its work, on a port of its own', async () => {
    const account = await gateway.addAccount({ credits: 1000 });
    const create = async (prompt: string) => {
      const { json } = await account.post('/v1/videos', video({ prompt }));
      return account.untilEnded(String(json['id']));
    };
    ark.script({ prompt: 'lost', on: 'submit', fault: { kind: 'drop' } });
    expect(await create('a boat')).toMatchObject({ status: 'completed' });
    expect(await create('lost')).toMatchObject({ status: 'failed' });
    const text = await (await fetch(url)).text();
    for (const line of [
      'framegate_generations_accepted_total{model="alpha-2.0-mini",channel="api"} 2',
      'framegate_generations_ended_total{model="alpha-2.0-mini",status="completed",code=""} 1',
      'framegate_generations_ended_total{model="alpha-2.0-mini",status="failed",code="generation_failed"} 1',
      'framegate_generation_seconds_count{model="alpha-2.0-mini"} 1',
      'framegate_provider_calls_total{provider="ark",model="upstream-model",call="submit",outcome="accepted"} 1',
      'framegate_provider_calls_total{provider="ark",model="upstream-model",call="submit",outcome="unknown"} 1',
      'framegate_refunds_total{model="alpha-2.0-mini"} 1',
      'framegate_ledger_entries_total{kind="charge"} 2',
      'framegate_ledger_credits_total{kind="refund"} 30',
      'framegate_unknown_outcomes 1',
      `framegate_build_info{version="${version}",node="${process.version}",role="all"} 1`,
      'framegate_credits{state="available"} 970',
      'framegate_credits{state="in_flight"} 0',
      'framegate_http_requests_total{method="POST",route="/v1/videos",status="202"} 2',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    for (const task of ['heal', 'slots', 'tidy', 'erase']) {
      expect(text).toContain(`framegate_upkeep_idle_seconds{task="${task}"} `);
    }
    expect(text).toContain('framegate_polls_total{status="completed"}');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);
    expect((await fetch(`${gateway.origin}/metrics`)).status).toBe(404);
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const response = await fetch(url.replace('/metrics', path));
      expect([response.status, await response.json()]).toEqual([200, { status, version }]);
    }
  });
});
