import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hurry } from '../../support/hurry.ts';
import { installLocked } from '../../support/install.ts';
import { projectRoot } from '../../support/runNode.ts';
import type { ClientWorld } from '../support/clientWorld.ts';
import { packInto } from '../typescript/packed.ts';

const run = promisify(execFile);

/** Folder of the package's sources; its own node_modules contain `ai`. */
export const packageFolder = join(projectRoot, 'integrations/ai-sdk');

/** Installs `ai` for the package. */
export async function installAi(): Promise<void> {
  await installLocked(packageFolder);
}

/** Installs the package as npm would serve it, with `ai`, into a folder. Returns its path. */
export async function installProvider(folder: string): Promise<string> {
  await installAi();
  const installed = await packInto(folder, packageFolder);
  await mkdir(join(folder, 'node_modules/@ai-sdk'), { recursive: true });
  for (const name of ['ai', '@ai-sdk/provider']) {
    await symlink(join(packageFolder, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return installed;
}

/** Outcome of a program: its result, or the error. */
export interface Outcome {
  result?: Record<string, unknown>;
  error?: { name: string; message: string; statusCode?: number; isRetryable?: boolean };
}

/** `ai` refuses downloads from private addresses by default: the option `download` of generateVideo. */
const download = `globalThis.download = async ({ url }) => {
  const data = new Uint8Array(await (await fetch(url)).arrayBuffer());
  return { data, mediaType: 'video/mp4' };
};
globalThis.AI_SDK_LOG_WARNINGS = false;`;

/** Runs a module in the folder, on an accelerated clock. @throws If it fails. */
export async function runModule(world: ClientWorld, apiKey: string, code: string): Promise<string> {
  const { PATH = '' } = process.env;
  const { stdout } = await run(
    process.execPath,
    ['--import', hurry, '--input-type=module', '-e', `${download}\n${code}`],
    {
      cwd: world.folder,
      env: { PATH, HOME: world.folder, FRAMEGATE_URL: world.baseUrl, FRAMEGATE_KEY: apiKey },
    },
  );
  return stdout;
}

/** Runs the body of a function with `framegate`, `video(options)` and `images(options)` of the real `ai`. */
export async function runBody(world: ClientWorld, apiKey: string, body: string): Promise<Outcome> {
  const stdout = await runModule(
    world,
    apiKey,
    `import { experimental_generateVideo, generateImage } from 'ai';
     import { createFramegate, framegate } from '@framegate/ai-sdk-provider';
     const video = (options) => experimental_generateVideo({
       model: framegate.video('alpha-2.0-fast'), download, ...options });
     const images = (options) => generateImage({ model: framegate.image('image-b-2'), ...options });
     const outcome = await (async () => {${body}})().then(
       (result) => ({ result }),
       ({ name, message, statusCode, isRetryable }) =>
         ({ error: { name, message, statusCode, isRetryable } }));
     console.log(JSON.stringify(outcome));`,
  );
  return JSON.parse(stdout) as Outcome;
}
