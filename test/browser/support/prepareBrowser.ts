import { join } from 'node:path';
import { installLocked } from '../../support/install.ts';
import { findChromium } from './findChromium.ts';

/**
 * Checks that there is a browser, and installs its driver from the lockfile if it is missing or old.
 * @throws Error that names the package to install.
 */
export async function prepareBrowser(): Promise<void> {
  findChromium();
  await installLocked(join(import.meta.dirname, '..'));
}
