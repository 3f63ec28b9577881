import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The browser on PATH. @throws Error with the command that installs it. */
export function findChromium(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find(isExecutable);
    if (found !== undefined) return found;
  }
  throw new Error('There is no Chromium on PATH: on Debian, "apt-get install -y chromium".');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
