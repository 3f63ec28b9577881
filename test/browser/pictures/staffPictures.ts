import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '@framegate/contract';
import { addStaff } from '../../staff/browse.ts';
import { video } from '../../support/bodies.ts';
import { startFakeArk, type FakeArk } from '../../support/fakeArk/fakeArk.ts';
import { enrolInBrowser } from '../support/enrolInBrowser.ts';
import { fillAnHour } from './fillAnHour.ts';
import { openPage, takePicture, type Shown } from './takePicture.ts';

/** The staff console after a working hour, and the page of a generation that one provider refused and the other failed at. */
export async function takeStaffPictures(shown: Shown): Promise<void> {
  const { origin, fileOf } = shown;
  const folder = await mkdtemp(join(tmpdir(), 'framegate-pictures-'));
  const [east, west] = await Promise.all([startFakeArk(), startFakeArk()]);
  try {
    const bed = await shown.start(await twoRoutes(folder, { east, west }));
    const customer = await bed.addAccount({ credits: 10_000, email: 'ada@example.com' });
    const prompt = 'A paper boat sails across a sea of ink';
    const overdue = { status: 403, code: 'AccountOverdueError', message: 'An invoice is overdue.' };
    east.script({ prompt, on: 'submit', fault: { kind: 'error', ...overdue } });
    const error = {
      code: 'OutputVideoSensitiveContentDetected',
      message: 'The output may contain sensitive information.',
    };
    west.script({ prompt, on: 'task', plan: { looks: 1, end: 'failed', error } });
    const failed = String((await customer.post('/v1/videos', video({ prompt }))).json['id']);
    await customer.untilEnded(failed);
    await fillAnHour(bed, customer, east);

    const page = await openPage(shown);
    const { password, link } = await addStaff(bed, 'support', 'grace@framegate.example');
    await page.goto(origin + (await link()));
    await enrolInBrowser(page, password);
    await takePicture(page, fileOf('staff-overview'), 'section:has-text("By model")');
    await page.getByLabel('Search').fill(failed);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: failed }).waitFor();
    await takePicture(page, fileOf('staff-generation'), '.columns > div:first-child');
  } finally {
    await Promise.all([east.close(), west.close()]);
    await rm(folder, { recursive: true, force: true });
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
      ...{ kind: 'model-ark', apiKeyEnv: 'ARK_API_KEY', allowPrivateNetwork: true },
      ...{ baseURL: ark.baseURL, mediaHosts: [ark.mediaHost] },
    },
  ]);
  const models = catalogue
    .filter(({ type }) => type === 'video')
    .map(({ id }) => [id, names.map((provider) => ({ provider, model: 'motion2' }))]);
  const routes: Record<string, unknown> = {
    providers: Object.fromEntries(providers),
    models: Object.fromEntries(models),
  };
  const file = join(folder, 'routes.json');
  await writeFile(file, JSON.stringify(routes));
  return { ROUTES_FILE: file, ARK_API_KEY: arks['east']?.apiKey ?? '' };
}
