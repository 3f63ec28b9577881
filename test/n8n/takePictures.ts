import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import startDatabase, { stopMongod } from '../support/globalSetup.ts';
import { installN8n } from './support/n8nInstance.ts';
import { prepareN8nWorld } from './support/n8nWorld.ts';
import { packageFolder } from './support/packageFolder.ts';
import { preparePackage } from './support/preparePackage.ts';
import { owner } from './support/startN8n.ts';
import { exampleFiles, type Importable, readExamples, workflow } from './support/workflows.ts';

/*
 * Makes the README's pictures: real n8n, real gateway, real Chromium. Run: node test/n8n/takePictures.ts,
 * with the argument `panel` for those of the node and its credential alone.
 */

interface Locator {
  first(): Locator;
  click(): Promise<void>;
  waitFor(): Promise<void>;
  screenshot(options: { path: string }): Promise<unknown>;
}

interface Page {
  goto(url: string): Promise<unknown>;
  evaluate(script: string): Promise<unknown>;
  keyboard: { press(key: string): Promise<void> };
  addStyleTag(options: { content: string }): Promise<unknown>;
  waitForTimeout(ms: number): Promise<void>;
  locator(selector: string): Locator;
  getByText(text: string): Locator;
  screenshot(options: { path: string }): Promise<unknown>;
  setDefaultTimeout(ms: number): void;
}

interface Playwright {
  chromium: {
    launch(options: object): Promise<{
      newPage(options: object): Promise<Page>;
      close(): Promise<void>;
    }>;
  };
}

const onlyPanel = process.argv[2] === 'panel';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

/** Parts of the canvas that are not in the workflow. */
const hidden = `
  [data-test-id="canvas-controls"], [data-test-id="canvas-execute-workflow-button"],
  .vue-flow__controls, .vue-flow__minimap, [data-test-id="node-creator-plus-button"],
  [class*="nodeButtonsWrapper"], [class*="executionButtons"], [class*="canvas-chat"],
  [role="radiogroup"], :has(> [role="radiogroup"]), [class*="logs"], [data-test-id="chat-container"] { visibility: hidden !important }`;

/** A plausible URL of a reader's gateway, replacing this machine's. */
const shownUrl = 'https://media.example.com/v1';

const panelId = 'framegatePanel';

/** Duration of the page's animations, in ms. */
const restMs = 2000;

await preparePackage();
await startDatabase();
const installed = await installN8n();
const { chromium } = createRequire(join(installed.folder, 'package.json'))(
  'playwright-core',
) as Playwright;
const { stdout } = await promisify(execFile)('which', ['chromium']);
const world = await prepareN8nWorld([panelWorkflow()]);
const { n8n, framegate } = world;
const browser = await chromium.launch({ executablePath: stdout.trim(), args: flags });
const images = join(packageFolder, 'docs/images');
try {
  await world.start();
  await mkdir(images, { recursive: true });
  if (!onlyPanel) await takeCanvases();
  await takePanel();
} finally {
  await browser.close();
  await world.stop();
  await stopMongod();
}

async function signedIn(viewport: { width: number; height: number }): Promise<Page> {
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(120_000);
  await page.goto(`${n8n.origin}/signin`);
  await page.evaluate(login());
  return page;
}

/** The examples on the canvas. */
async function takeCanvases(): Promise<void> {
  const page = await signedIn({ width: 1280, height: 620 });
  const files = await exampleFiles();
  for (const [index, { id }] of (await readExamples()).entries()) {
    await page.goto(`${n8n.origin}/workflow/${id}`);
    await page.locator('[data-test-id="canvas-node"]').first().waitFor();
    await page.addStyleTag({ content: hidden });
    await page.keyboard.press('1');
    await page.waitForTimeout(restMs);
    const path = pathOf((files[index] ?? '').replace('.json', ''));
    await page.locator('[data-test-id="canvas"]').screenshot({ path });
  }
}

/** The panel of the node, its list of models, and its credential. */
async function takePanel(): Promise<void> {
  const page = await signedIn({ width: 1280, height: 900 });
  await page.goto(`${n8n.origin}/workflow/${panelId}/${panelId}-3`);
  const panel = page.locator('[data-test-id="node-parameters"]').first();
  await panel.waitFor();
  await page.waitForTimeout(restMs);
  await panel.screenshot({ path: pathOf('node-panel') });
  await page.locator('[data-test-id="rlc-input"]').first().click();
  await page.locator('[data-test-id="rlc-item"]').first().waitFor();
  await page.waitForTimeout(restMs);
  await panel.screenshot({ path: pathOf('model-list') });
  await page.keyboard.press('Escape');
  await page.goto(`${n8n.origin}/home/credentials/${world.credentialIds[0]}`);
  await page.getByText('Connection tested successfully').waitFor();
  const [real, shown] = [framegate.baseUrl, shownUrl].map((url) => JSON.stringify(url));
  await page.evaluate(`for (const input of document.querySelectorAll('input'))
    if (input.value === ${real}) input.value = ${shown}`);
  await page.waitForTimeout(restMs);
  const modal = page.locator('[data-test-id="editCredential-modal"]').first();
  await modal.screenshot({ path: pathOf('credential') });
}

function pathOf(name: string): string {
  const path = join(images, `${name}.png`);
  console.log(path);
  return path;
}

/** A node with its usual fields. */
function panelWorkflow(): Importable {
  const name = 'Alpha 2.0 Mini (3 to 6 credits per second)';
  const model = { __rl: true, mode: 'list', value: 'alpha-2.0-mini', cachedResultName: name };
  return workflow(panelId, [{ prompt: 'A paper boat drifts down a rainy street' }], {
    resource: 'video',
    operation: 'create',
    mode: 'text-to-video',
    model,
    prompt: '={{ $json.prompt }}',
    parameters: { durationSeconds: 4, resolution: '480p' },
    wait: true,
    download: true,
    simplify: true,
    options: { maxCredits: 20 },
  });
}

/** Signs in as the editor does, from inside the page. */
function login(): string {
  const body = JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password });
  return `fetch('/rest/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'browser-id': localStorage.getItem('n8n-browserId') ?? '' },
    body: ${JSON.stringify(body)},
  }).then((response) => response.status)`;
}
