import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from './io.ts';

/** Settings that `framegate login` stores. */
export interface StoredLogin {
  baseUrl: string;
  apiKey: string;
}

/** The system's folder for settings of user programs. */
export function configFolderOf(
  system: NodeJS.Platform,
  home: () => string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (system === 'win32') {
    return join(env['APPDATA'] ?? join(home(), 'AppData/Roaming'), 'framegate');
  }
  if (system === 'darwin') return join(home(), 'Library/Application Support/framegate');
  return join(env['XDG_CONFIG_HOME'] || join(home(), '.config'), 'framegate');
}

const fileIn = (folder: string) => join(folder, 'login.json');

/** The stored login; null before the first one. @throws CommandError */
export async function readLogin(folder: string): Promise<StoredLogin | null> {
  try {
    return JSON.parse(await readFile(fileIn(folder), 'utf8')) as StoredLogin;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    const why = `${fileIn(folder)} cannot be read (${(error as Error).message})`;
    throw new CommandError(3, `${why}: run "framegate login" again.`);
  }
}

/** Stores a login, readable by this user only. @returns The file */
export async function writeLogin(folder: string, login: StoredLogin): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = fileIn(folder);
  const tempPath = `${file}.${process.pid}`;
  await writeFile(tempPath, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  // An existing file keeps its mode when written.
  await chmod(tempPath, 0o600);
  await rename(tempPath, file);
  return file;
}
