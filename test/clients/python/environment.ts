import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inTurn } from '../../support/inTurn.ts';
import { projectRoot } from '../../support/runNode.ts';
import { mustRun } from '../../support/runProgram.ts';

/** The package under test. */
export const packageFolder = join(projectRoot, 'integrations/python');

/** Python must not write into the sources. */
export const withoutTraces = { PYTHONDONTWRITEBYTECODE: '1' };

/**
 * A Python environment with exactly the packages of a requirements file, with hashes checked by pip; created once per
 * content of the file.
 * @param file Its path.
 * @returns The folder with its programs.
 */
export async function pythonEnvironment(file: string): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  const folder = join(projectRoot, 'node_modules/.cache/framegate/python', hash.slice(0, 16));
  const whole = join(folder, 'installed');
  await inTurn(folder, async () => {
    if (existsSync(whole)) return;
    // Its scripts contain the folder's name, so it is created in place, and is valid once the mark exists.
    await rm(folder, { recursive: true, force: true });
    await makeEnvironment(folder, file);
    await mkdir(whole);
  });
  return join(folder, 'bin');
}

/** Creates an environment with the packages of a requirements file. */
export async function makeEnvironment(folder: string, requirements: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mustRun('python3', ['-m', 'venv', folder]);
  const pip = join(folder, 'bin', 'pip');
  await mustRun(pip, ['install', '--quiet', '--require-hashes', '-r', requirements]);
}
