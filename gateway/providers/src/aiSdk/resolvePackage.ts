import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Conditions of an `import` in Node.js (Packages, Conditional exports). */
const importConditions = ['node-addons', 'node', 'import', 'module-sync', 'default'];

/**
 * The URL at which a package in a folder is imported: by its exports for `import`, which may have no other, else by
 * its main file. Node resolves for `import` only from the importing module itself.
 * @returns Null if the package is not there.
 * @throws Error if it exports nothing for an import.
 */
export function resolveIn(folder: string, name: string): string | null {
  const require = createRequire(join(folder, 'package.json'));
  for (const path of require.resolve.paths(name) ?? []) {
    const home = join(path, name);
    const exported = exportsOf(home);
    if (exported === null) continue;
    if (exported === undefined) return pathToFileURL(require.resolve(home)).href;
    const entry = entryOf(isSubpaths(exported) ? exported['.'] : exported);
    if (entry === null) throw new Error(`${name} exports nothing that can be imported`);
    return pathToFileURL(join(home, entry)).href;
  }
  return null;
}

/** `exports` of the package in a folder; undefined if it has none, null if there is no package. */
function exportsOf(home: string): unknown {
  try {
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as object;
    return 'exports' in manifest ? (manifest.exports ?? undefined) : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function isSubpaths(exported: unknown): exported is Record<string, unknown> {
  return isObject(exported) && Object.keys(exported).some((key) => key.startsWith('.'));
}

/** The first file that fits the conditions, in the package's order. */
function entryOf(target: unknown): string | null {
  if (typeof target === 'string') return target;
  const targets = Array.isArray(target)
    ? (target as unknown[])
    : Object.entries(isObject(target) ? target : {}).flatMap(([condition, each]) =>
        importConditions.includes(condition) ? [each] : [],
      );
  for (const each of targets) {
    const entry = entryOf(each);
    if (entry !== null) return entry;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
