import { join } from 'node:path';

/**
 * The user's cache folder for Framegate, shared by all data folders (design section 3, CACHE_DIR).
 * @param env The environment; only XDG_CACHE_HOME is read, and as its standard asks only when absolute.
 */
export function defaultCacheDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'framegate');
  const xdg = env['XDG_CACHE_HOME'];
  return join(xdg?.startsWith('/') ? xdg : join(home, '.cache'), 'framegate');
}
