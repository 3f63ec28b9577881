import type { Page } from 'playwright-core';
import { dayMs } from '@framegate/contract';
import { sampleHost } from '../../../gateway/src/adapters/net/sampleHost.ts';
import { dayNumberOf } from '../../../gateway/src/domain/time/utcDay.ts';
import { requests, type TestGateway } from '../../support/gateway.ts';
import { choose, openChip } from '../support/choose.ts';
import { signUpInBrowser } from '../support/signUpInBrowser.ts';
import { noon } from './holdStill.ts';
import { openPage, type Shown, takePicture } from './takePicture.ts';
import { password } from '../../site/support/signUpVerified.ts';

/** Generations of two keys, the oldest first: how many days ago, by which key, of which model and prompt. */
const works = [
  [12, 'zapier', 'image-b-2', 'A lighthouse made of paper, early morning'],
  [11, 'zapier', 'image-a-2', 'Breakfast on a balcony above the sea'],
  [9, 'n8n', 'alpha-2.0-mini', 'A paper boat drifts down a rainy street at dusk'],
  [8, 'n8n', 'image-b-pro', 'Portrait of an old fox in a wool coat'],
  [5, 'zapier', 'image-b-2', 'A tram climbs a hill in the first snow'],
  [4, 'n8n', 'beta-3.0', 'Slow flight over a mountain lake at sunrise'],
  [2, 'n8n', 'image-b-2', 'A red kite over dunes, wide view'],
  [0, 'zapier', 'image-a-2', 'A quiet harbour with one lamp, seen from above'],
] as const;

/** The studio shows the sample with the shortest URL, which fits into its field. */
const inStudio = { prompt: 'The balloons rise slowly into the morning', sample: 'balloons.jpg' };
const inTheDark = {
  prompt: 'The camera drifts slowly over the water',
  sample: 'harbour-at-dusk.jpg',
};

/** Pages for strangers, and the account site of a customer who has worked for some days. */
export async function takeSitePictures(shown: Shown): Promise<void> {
  const { origin, fileOf } = shown;
  const gateway = await shown.start({ SIGNUP_CREDITS: '5000', POSTERS: 'all' });
  const page = await openPage(shown);
  await page.goto(origin);
  await takePicture(page, fileOf('site-start'), 'main');
  await page.goto(`${origin}/docs`);
  await takePicture(page, fileOf('site-docs'), 'main .tabs');

  await signUpInBrowser(page, { origin, dataDir: gateway.dataDir }, 'ada@example.com');
  await makeWorks(shown, gateway, page);
  await openStudio(shown, page, inTheDark);
  await openChip(page, '#chip-more');
  await page.getByLabel('Seed').fill('7');
  await page.getByRole('button', { name: 'Create video' }).click();
  const request = page.locator('#feed .request').first();
  await request.locator('video').waitFor({ timeout: 120_000 });
  await request.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('heading', { name: 'Details' }).waitFor();
  const lastPath = new URL(page.url()).pathname;
  const from = await spreadOverDays(gateway);

  const held = await shown.hold(gateway, from);
  const today = { 'keys.$[key].daySpent.day': dayNumberOf(noon) };
  const arrayFilters = [{ 'key.daySpent': { $exists: true } }];
  await held.collections.accounts.updateMany({}, { $set: today }, { arrayFilters });
  await page.goto(`${origin}/settings/public-api`);
  await takePicture(page, fileOf('site-keys'), '#new');
  await page.goto(`${origin}/settings/access`);
  await takePicture(page, fileOf('site-access'), 'main');
  await page.goto(`${origin}/history`);
  await takePicture(page, fileOf('site-history'), '.wall');
  await page.goto(`${origin}/credits`);
  await takePicture(page, fileOf('site-credits'), '.ledger li:nth-child(6)');
  await openStudio(shown, page, inStudio);
  await page.getByText('50 credits', { exact: true }).waitFor();
  await takePicture(page, fileOf('site-studio'), '.composer');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(origin + lastPath);
  // The controls of a paused player would cover the words in the picture.
  await page.locator('video').evaluate((player: HTMLVideoElement) => {
    player.controls = false;
  });
  await takePicture(page, fileOf('site-generation'), '.inline:has(a[href$="/share"])');
}

/** Makes two keys, and with them the generations of the history. */
async function makeWorks({ origin }: Shown, gateway: TestGateway, page: Page): Promise<void> {
  const makeKey = async (name: string, hosts: string, dailyCredits: string) => {
    await page.goto(`${origin}/settings/public-api`);
    const form = page.getByLabel('Name');
    if (!(await form.isVisible())) await page.getByText('New key').click();
    await form.fill(name);
    await page.getByLabel('Input hosts').fill(hosts);
    await page.locator('input[name="daily_credits"]').last().fill(dailyCredits);
    await page.locator('#new [name=current_password]').fill(password);
    await page.getByRole('button', { name: 'Create key' }).click();
    return requests(gateway.origin, await page.locator('#api-key').inputValue());
  };
  const keys = {
    zapier: await makeKey('Zapier', '', '500'),
    n8n: await makeKey('n8n at work', `${sampleHost}\nmedia.example.com`, ''),
  };
  for (const [, by, model, prompt] of works) {
    const isImage = model.startsWith('image-');
    const of = isImage ? { model, prompt } : { model, prompt, mode: 'text-to-video' };
    const { status, text, json } = await keys[by].post(isImage ? '/v1/images' : '/v1/videos', of);
    if (status !== 202) throw new Error(`creating answered ${String(status)}: ${text}`);
    await keys[by].untilEnded(String(json['id']));
  }
}

/** Fills the studio's form for a video from a sample picture. */
async function openStudio({ origin }: Shown, page: Page, fill: typeof inStudio): Promise<void> {
  await page.goto(`${origin}/studio`);
  await choose(page, 'Model', 'alpha-2.0-fast');
  await choose(page, 'Mode', 'image-to-video');
  await page.getByLabel('Prompt').fill(fill.prompt);
  await page
    .getByRole('textbox', { name: 'First frame' })
    .fill(`https://${sampleHost}/${fill.sample}`);
}

/**
 * Spreads the stored times and durations over some days.
 * @returns The noon of the last day, in ms since the epoch.
 */
async function spreadOverDays({ collections }: TestGateway): Promise<number> {
  const { accounts, generations, keyUses, ledger } = collections;
  const nowMs = Date.now();
  const ago = (days: number, seconds: number) => new Date(nowMs - days * dayMs - 1000 * seconds);
  const days = [...works.map(([day]) => day), 0];
  const made = await generations.find({}, { sort: { _id: 1 } }).toArray();
  await ledger.updateMany({}, { $set: { at: ago(14, 0) } });
  await keyUses.updateMany({}, { $set: { usedAt: ago(0, 1200) } });
  await accounts.updateMany({}, { $set: { createdAt: ago(14, 0) } });
  for (const [index, { _id, type }] of made.entries()) {
    const begun = 1500 - 300 * (index % 5);
    const at = (seconds: number) => ago(days[index] ?? 0, begun - seconds);
    const took = (type === 'video' ? 31 : 8) + index;
    const times = { createdAt: at(0), startedAt: at(1), endedAt: at(took) };
    await generations.updateOne({ _id }, { $set: times });
    await ledger.updateMany({ generationId: _id }, { $set: { at: at(0) } });
  }
  return nowMs;
}
