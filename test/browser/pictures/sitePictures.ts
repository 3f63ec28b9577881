import { sampleHost } from '../../../gateway/src/adapters/media/sampleHost.ts';
import { requests } from '../../support/gateway.ts';
import { choose } from '../support/choose.ts';
import { signUpInBrowser } from '../support/signUpInBrowser.ts';
import { openPage, takePicture, type Shown } from './takePicture.ts';

/** The studio shows the sample with the shortest address, which its field has room for. */
const inStudio = { prompt: 'The balloons rise slowly into the morning', sample: 'balloons.jpg' };
const inTheDark = {
  prompt: 'The camera drifts slowly over the water',
  sample: 'harbour-at-dusk.jpg',
};

/** The account site as its first customer sees it: studio, keys, and a finished video in the dark. */
export async function takeSitePictures(shown: Shown): Promise<void> {
  const { origin, fileOf } = shown;
  const bed = await shown.start({ SIGNUP_CREDITS: '5000' });
  const page = await openPage(shown);
  await signUpInBrowser(page, { origin, dataDir: bed.dataDir }, 'ada@example.com');

  const makeKey = async (name: string, hosts: string, dailyCredits: string): Promise<string> => {
    await page.goto(`${origin}/settings/public-api`);
    const form = page.getByLabel('Name');
    if (!(await form.isVisible())) await page.getByText('New key').click();
    await form.fill(name);
    await page.getByLabel('Input hosts').fill(hosts);
    await page.locator('input[name="daily_credits"]').last().fill(dailyCredits);
    await page.getByRole('button', { name: 'Create key' }).click();
    return page.locator('#api-key').inputValue();
  };
  const forZapier = requests(bed.origin, await makeKey('Zapier', '', '500'));
  const forN8n = requests(
    bed.origin,
    await makeKey('n8n at work', `${sampleHost}\nmedia.example.com`, ''),
  );
  await forN8n.get('/v1/credits/balance');
  const made = await forZapier.post('/v1/images', {
    model: 'image-b-2',
    prompt: 'A lighthouse made of paper',
  });
  await forZapier.untilEnded(String(made.json['id']));
  await page.goto(`${origin}/settings/public-api`);
  await takePicture(page, fileOf('site-keys'), '#new');

  await page.goto(`${origin}/studio`);
  await choose(page, 'Model', 'alpha-2.0-fast');
  await choose(page, 'Mode', 'image-to-video');
  const fill = async ({ prompt, sample }: typeof inStudio): Promise<void> => {
    await page.getByLabel('Prompt').fill(prompt);
    await page
      .getByRole('textbox', { name: 'First frame' })
      .fill(`https://${sampleHost}/${sample}`);
  };
  await fill(inStudio);
  await page.getByText('50 credits', { exact: true }).waitFor();
  await takePicture(page, fileOf('site-studio'), 'form#studio');

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByLabel('Seed').fill('7');
  await fill(inTheDark);
  await page.getByRole('button', { name: 'Create video' }).click();
  const video = page.locator('video');
  await video.waitFor({ timeout: 120_000 });
  await page.getByRole('link', { name: 'All about it' }).click();
  await page.getByRole('heading', { name: 'Details' }).waitFor();
  // The controls of a player that stands still would cover the words in the picture.
  await video.evaluate(async (player: HTMLVideoElement) => {
    player.controls = false;
    const isDrawn = new Promise((resolve) => player.requestVideoFrameCallback(resolve));
    player.currentTime = 2;
    await isDrawn;
  });
  await takePicture(page, fileOf('site-generation'), '.actions');
}
