import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import startDatabase, { stopMongod } from '../support/globalSetup.ts';
import type { Execution } from './support/n8nApi.ts';
import { installRelease } from './support/n8nInstance.ts';
import { type N8nWorld, prepareN8nWorld } from './support/n8nWorld.ts';
import { video, videoCredits } from './support/parameters.ts';
import { preparePackage } from './support/preparePackage.ts';
import { type Importable, workflow } from './support/workflows.ts';

/*
 * Runs the node in releases of n8n other than the tests', and prints a row of the table in
 * integrations/n8n/docs/reviewers.md for each. Run: node test/n8n/tryReleases.ts [release ...]
 */

/** Releases, each with a supported Node: the oldest on npm since 1.85, the last 1.x, and the newest. */
const releases: Readonly<Record<string, string>> = {
  '1.85.4': '22.23.3',
  '1.123.81': '24.21.0',
  '2.41.1': '24.21.0',
};

const retried = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
const workflows = [
  workflow('two', [{}, {}], video('two', { download: true })),
  workflow('again', [{}], video('again'), { node: retried }),
];

/** Imports by n8n's command line, which keeps the ids in all releases. */
async function importAll(
  { n8n }: N8nWorld,
  kind: 'workflow' | 'credentials',
  all: readonly Importable[],
): Promise<void> {
  const file = join(n8n.home, `${kind}.json`);
  await writeFile(file, JSON.stringify(all), { mode: 0o600 });
  const said = await n8n.command(`import:${kind}`, `--input=${file}`);
  await rm(file);
  if (!said.includes(`Successfully imported ${all.length}`)) throw new Error(said);
}

/** Runs a workflow by n8n's command line, which is the same in all releases. */
async function run({ n8n }: N8nWorld, id: string) {
  const said = await n8n.command('execute', `--id=${id}`, '--rawOutput');
  const [json = ''] = /^\{$.*?^\}$/ms.exec(said) ?? [];
  const { data } = JSON.parse(json) as { data: { resultData: { runData: Execution['runs'] } } };
  return data.resultData.runData['Framegate']?.at(-1)?.data?.['main']?.[0] ?? [];
}

/** Observations, each with whether it is as expected. */
async function tryRelease(world: N8nWorld): Promise<Record<string, boolean>> {
  const { account, framegate } = world;
  await importAll(world, 'credentials', world.credentials);
  await importAll(world, 'workflow', world.workflows);
  const keys = () =>
    framegate.line.seen
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers['idempotency-key']);
  const items = await run(world, 'two');
  const files = items.map(({ binary }) => (binary as { data?: { mimeType: string } }).data);
  const twoKeys = keys();
  framegate.line.reset();
  const response = { status: 500, headers: { 'retry-after': '0' }, body: 'lost' };
  const lost = { method: 'POST', path: '/v1/videos', times: 4, forwarded: true, response };
  framegate.line.disturb(lost);
  const [again] = await run(world, 'again');
  return {
    completed: [...items, again].every((item) => item?.json['status'] === 'completed'),
    files: files.length === 2 && files.every((file) => file?.mimeType === 'video/mp4'),
    'two keys for two items': twoKeys.length === 2 && new Set(twoKeys).size === 2,
    'one key over Retry On Fail': keys().length === 5 && new Set(keys()).size === 1,
    'three charges': (await framegate.spent(account)) === 3 * videoCredits,
  };
}

const asked = process.argv.slice(2);
await startDatabase();
await preparePackage();
for (const [release, node] of Object.entries(releases)) {
  if (asked.length > 0 && !asked.includes(release)) continue;
  const installed = await installRelease(release, node);
  const world = await prepareN8nWorld(workflows, undefined, { installed });
  const seen = await tryRelease(world).finally(() => world.stop());
  const wrong = Object.keys(seen).filter((what) => !seen[what]);
  const day = new Date().toISOString().slice(0, 10);
  const result = wrong.length === 0 ? 'passed' : `not: ${wrong.join(', ')}`;
  console.log(`| ${release} | ${node} | ${day} | ${result} |`);
  if (wrong.length > 0) process.exitCode = 1;
}
await stopMongod();
