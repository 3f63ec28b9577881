import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '@framegate/contract';
import { upkeepTasks } from '../../../gateway/src/application/upkeep/upkeepTasks.ts';
import { addStaff } from '../../staff/browse.ts';
import { video } from '../../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../../support/fakeArk/fakeArk.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { statedVideo } from '../../support/statedSupport.ts';
import { enrolInBrowser } from '../support/enrolInBrowser.ts';
import { fillAnHour } from './fillAnHour.ts';
import { noon } from './holdStill.ts';
import { openPage, type Shown, takePicture } from './takePicture.ts';

/**
 * The staff console after a working hour, and the page of a generation that one provider refused and the other
 * failed at.
 */
export async function takeStaffPictures(shown: Shown): Promise<void> {
  const { origin, fileOf } = shown;
  const folder = await mkdtemp(join(tmpdir(), 'framegate-pictures-'));
  const [east, west] = await Promise.all([startFakeArk(), startFakeArk()]);
  try {
    const gateway = await shown.start(await twoRoutes(folder, { east, west }));
    const customer = await gateway.addAccount({ credits: 10_000, email: 'ada@example.com' });
    const prompt = 'A paper boat sails across a sea of ink';
    const overdue = { status: 403, code: 'AccountOverdueError', message: 'An invoice is overdue.' };
    east.script({ prompt, on: 'submit', fault: { kind: 'error', ...overdue } });
    const error = {
      code: 'OutputVideoSensitiveContentDetected',
      message: 'The output may contain sensitive information.',
    };
    west.script({ prompt, on: 'task', plan: { polls: 1, end: 'failed', error } });
    const failed = String((await customer.post('/v1/videos', video({ prompt }))).json['id']);
    await customer.untilEnded(failed);
    const from = await fillAnHour(gateway, customer, east);
    await gateway.collections.generations.updateOne(
      { _id: failed },
      { $set: { createdAt: new Date(from - 1_512_000), endedAt: new Date(from - 1_470_000) } },
    );

    const held = await shown.hold(gateway, from);
    await settleUpkeep(held);
    const page = await openPage(shown);
    const { password, link } = await addStaff(held, 'support', 'grace@framegate.example');
    await page.goto(origin + (await link()));
    const ahead = Math.floor(noon / 30_000) - Math.floor(Date.now() / 30_000);
    await enrolInBrowser(page, password, (button) => button.click(), ahead);
    // A refresh of the page would undo the fixed words.
    await page.route('**/staff', (route) =>
      route.request().headers()['x-renewal'] === undefined ? route.continue() : undefined,
    );
    await takePicture(page, fileOf('staff-overview'), 'section:has-text("By model")');
    await page.goto(`${origin}/staff/jobs?kind=upkeep`);
    await takePicture(page, fileOf('staff-jobs'), 'tbody tr:nth-child(6)');
    await page.getByLabel('Search').fill(failed);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: failed }).waitFor();
    await takePicture(page, fileOf('staff-generation'), '#content > section:last-child');
  } finally {
    await Promise.all([east.close(), west.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Upkeep was interrupted in its rounds: prints the last and the next run of each part. */
async function settleUpkeep({ collections }: TestGateway): Promise<void> {
  const { upkeepRounds: rounds, jobs } = collections;
  const before = (ms: number) => new Date(noon - ms);
  for (const [index, [task, shards]] of Object.entries(upkeepTasks).entries()) {
    for (let shard = 0; shard < shards; shard += 1) {
      const round = { task, shard, finishedAt: before(4_000 + 1_000 * index) };
      await rounds.updateOne(
        { _id: `${task} ${String(shard)}` },
        { $set: round },
        { upsert: true },
      );
    }
  }
  const found = await jobs.find({ repeatInterval: { $ne: null } }, { sort: { name: 1, data: 1 } });
  for (const [index, { _id }] of (await found.toArray()).entries()) {
    const times = { nextRunAt: before(-1_000 - 300 * index), lockedAt: null };
    await jobs.updateOne({ _id }, { $set: times });
  }
}

/** The settings of a gateway whose videos go to one provider first, then to the other. */
async function twoRoutes(
  folder: string,
  arks: Record<string, FakeArk>,
): Promise<Record<string, string>> {
  const names = Object.keys(arks);
  const providers = Object.entries(arks).map(([name, ark]) => [
    name,
    {
      kind: 'model-ark',
      apiKeyEnv: 'ARK_API_KEY',
      allowPrivateNetwork: true,
      baseURL: ark.baseURL,
      mediaHosts: [ark.mediaHost],
    },
  ]);
  const models = catalogue
    .filter(({ type }) => type === 'video')
    .map(({ id }) => [
      id,
      names.map((provider) => ({ provider, model: 'motion2', does: statedVideo })),
    ]);
  const routes: Record<string, unknown> = {
    providers: Object.fromEntries(providers),
    models: Object.fromEntries(models),
  };
  const file = join(folder, 'routes.json');
  await writeFile(file, JSON.stringify(routes));
  return { ROUTES_FILE: file, ARK_API_KEY: arks['east']?.apiKey ?? '' };
}
