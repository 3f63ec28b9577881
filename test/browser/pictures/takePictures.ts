import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { freePort } from '../../support/freePort.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import startMongod, { stopMongod } from '../../support/globalSetup.ts';
import { openBrowser } from '../support/openBrowser.ts';
import { takeBrandPictures } from './brandPictures.ts';
import { drawByCount, stopClock } from './holdStill.ts';
import { takeSitePictures } from './sitePictures.ts';
import { takeStaffPictures } from './staffPictures.ts';
import type { Shown } from './takePicture.ts';

/**
 * The URL on the pages is that of the README's first startup, whatever has the port at the moment:
 * the browser alone is sent to the gateway's own port.
 */
const origin = 'http://127.0.0.1:8080';

/** Takes the pictures of pages to a folder, with gateways and a mongod of its own. */
export async function takePictures(folder: string): Promise<void> {
  const port = String(await freePort());
  await startMongod();
  let browser: Browser | undefined;
  const running: TestGateway[] = [];
  const begin = async (env: Record<string, string>): Promise<TestGateway> => {
    const gateway = await startTestGateway({ ...env, PORT: port, BASE_URL: `${origin}/v1` });
    drawByCount(gateway, 100_000 * running.length);
    running.push(gateway);
    return gateway;
  };
  const end = async () => {
    for (const gateway of running.splice(0).reverse()) await gateway.stop();
  };
  try {
    browser = await openBrowser(`--host-resolver-rules=MAP 127.0.0.1:8080 127.0.0.1:${port}`);
    const shown: Shown = {
      browser,
      origin,
      fileOf: (name) => join(folder, `${name}.webp`),
      async start(env) {
        await end();
        return begin(env);
      },
      async hold(gateway, from) {
        await gateway.halt();
        const held = await begin({ ...gateway.env, ROLE: 'api' });
        await stopClock(held, from);
        return held;
      },
    };
    await takeSitePictures(shown);
    await takeStaffPictures(shown);
    await takeBrandPictures(shown);
  } finally {
    await browser?.close();
    await end();
    await stopMongod();
  }
}
