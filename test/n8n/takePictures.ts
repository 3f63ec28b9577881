import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from './support/packageFolder.ts';
import { installN8n } from './support/n8nInstance.ts';
import { preparePackage } from './support/preparePackage.ts';
import { owner, prepareN8n } from './support/startN8n.ts';
import { credentialId, exampleFiles, readExamples } from './support/workflows.ts';

/* Makes the README's pictures of the examples: real n8n, real Chromium. Run: node test/n8n/takePictures.ts */

interface Page {
  goto(url: string): Promise<unknown>;
  evaluate(script: string): Promise<unknown>;
  waitForSelector(selector: string): Promise<unknown>;
  keyboard: { press(key: string): Promise<void> };
  addStyleTag(options: { content: string }): Promise<unknown>;
  waitForTimeout(ms: number): Promise<void>;
  locator(selector: string): { screenshot(options: { path: string }): Promise<unknown> };
}

interface Playwright {
  chromium: {
    launch(options: object): Promise<{
      newPage(options: object): Promise<Page>;
      close(): Promise<void>;
    }>;
  };
}

const size = { width: 1280, height: 620 };
const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

/** What is on the canvas but not in the workflow. */
const hidden = `
  [data-test-id="canvas-controls"], [data-test-id="canvas-execute-workflow-button"],
  .vue-flow__controls, .vue-flow__minimap, [data-test-id="node-creator-plus-button"],
  [class*="nodeButtonsWrapper"], [class*="executionButtons"], [class*="canvas-chat"],
  [role="radiogroup"], :has(> [role="radiogroup"]), [class*="logs"], [data-test-id="chat-container"] { visibility: hidden !important }`;

await preparePackage();
const installed = await installN8n();
const { chromium } = createRequire(join(installed.folder, 'package.json'))(
  'playwright-core',
) as Playwright;
const { stdout } = await promisify(execFile)('which', ['chromium']);
const n8n = await prepareN8n(installed);
const browser = await chromium.launch({ executablePath: stdout.trim(), args: flags });
try {
  await n8n.importCredentials([
    {
      ...{ id: credentialId, name: 'Framegate account', type: 'framegateApi' },
      data: { baseUrl: 'https://media.example.com/v1', apiKey: 'none' },
    },
    {
      ...{ id: 'openAiAccount0001', name: 'OpenAI account', type: 'openAiApi' },
      data: { apiKey: 'none' },
    },
  ]);
  const examples = await readExamples();
  await n8n.importWorkflows(examples);
  await n8n.start();
  const page = await browser.newPage({ viewport: size });
  await page.goto(`${n8n.origin}/signin`);
  await page.evaluate(login());
  const images = join(packageFolder, 'docs/images');
  await mkdir(images, { recursive: true });
  const files = await exampleFiles();
  for (const [index, { id }] of examples.entries()) {
    await page.goto(`${n8n.origin}/workflow/${id}`);
    await page.waitForSelector('[data-test-id="canvas-node"]');
    await page.addStyleTag({ content: hidden });
    await page.keyboard.press('1');
    await page.waitForTimeout(1500);
    const path = join(images, (files[index] ?? '').replace('.json', '.png'));
    await page.locator('[data-test-id="canvas"]').screenshot({ path });
    console.log(path);
  }
} finally {
  await browser.close();
  await n8n.stop();
}

/** Signs in as the editor does, from inside the page. */
function login(): string {
  const body = JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password });
  return `fetch('/rest/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'browser-id': localStorage.getItem('n8n-browserId') ?? '' },
    body: ${JSON.stringify(body)},
  }).then((answer) => answer.status)`;
}
