import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The URL at which Node imports a package from a folder. It resolves for `import` only from the importing module
 * itself, so a hook names one in that folder.
 * @returns Null if the package is not there.
 * @throws Error if it exports nothing for an import.
 */
export function resolveIn(folder: string, name: string): string | null {
  const parentURL = pathToFileURL(join(folder, 'package.json')).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, specifier === name ? { ...context, parentURL } : context),
  });
  try {
    return import.meta.resolve(name);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ERR_MODULE_NOT_FOUND') return null;
    if (code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    throw new Error(`${name} exports nothing that can be imported`, { cause: error });
  } finally {
    hooks.deregister();
  }
}
