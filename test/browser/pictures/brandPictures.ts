import { join } from 'node:path';
import { projectRoot } from '../../support/runNode.ts';
import { signUpInBrowser } from '../support/signUpInBrowser.ts';
import { openPage, type Shown, takePicture } from './takePicture.ts';

/** A site in the brand of the example: the start page in English, and the studio in German in the dark. */
export async function takeBrandPictures(shown: Shown): Promise<void> {
  const { origin, fileOf } = shown;
  const gateway = await shown.start({
    BRAND_FILE: join(projectRoot, 'docs/examples/brand/brand.json'),
    SIGNUP_CREDITS: '5000',
  });
  const page = await openPage(shown);
  await page.goto(origin);
  await takePicture(page, fileOf('brand-start'), '.hero');

  await signUpInBrowser(page, { origin, dataDir: gateway.dataDir }, 'ada@example.com');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${origin}/studio`);
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.locator('html[lang=de]').waitFor();
  await page.getByLabel('Prompt').fill('Ein Papierboot treibt in der Dämmerung eine Straße hinab');
  await takePicture(page, fileOf('brand-studio-german'), '.composer');
}
