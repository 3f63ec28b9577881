import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Imports a package of the operator's installation, which is not among ours.
 * @param providersDir Where it is looked for first, as an absolute path.
 * @param install What to install where it is missing, such as `name@1.2.3`.
 * @throws Error with the command that installs it.
 */
export async function importPackage(
  name: string,
  providersDir: string | null,
  install: string,
): Promise<unknown> {
  try {
    return await import((providersDir && resolveIn(providersDir, name)) ?? name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const where =
      providersDir === null ? '-w @framegate/gateway' : `--prefix ${JSON.stringify(providersDir)}`;
    throw new Error(`${name} is not installed: run npm install --save-exact ${where} ${install}`, {
      cause: error,
    });
  }
}

/** The URL of a package that is installed in a folder; null when it is not there. */
function resolveIn(folder: string, name: string): string | null {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND');
}
