import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyTracked, runNpm } from '../../install/installCopy.ts';
import { readStages } from './deployFiles.ts';

/**
 * Runs the Dockerfile's first stage, its COPY and RUN instructions one by one, in a folder instead of a
 * container: with the npm and the Node of the tests, as the user of the tests.
 * @param folder An empty folder; `installed` in it becomes the image's /opt/framegate.
 */
export async function runInstallStage(folder: string): Promise<string> {
  const context = join(folder, 'context');
  const installed = join(folder, 'installed');
  mkdirSync(context);
  mkdirSync(installed);
  await copyTracked(context);
  const exports: string[] = [];
  for (const { name, rest } of readStages()[0] ?? []) {
    if (name === 'ARG') exports.push(`export ${rest};`);
    if (name === 'RUN') await runNpm(`${exports.join(' ')} ${rest}`, installed);
    if (name !== 'COPY') continue;
    const words = rest.split(' ');
    const target = words.pop() ?? '';
    for (const source of words) {
      const isFolder = target.endsWith('/');
      const to = isFolder ? join(target, source.replace(/^.*\//, '')) : target;
      cpSync(join(context, source), join(installed, to), { recursive: true });
    }
  }
  rmSync(context, { recursive: true });
  return installed;
}
