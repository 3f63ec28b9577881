import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const made: string[] = [];

/** A new empty folder, with a space in its path; `removeFolders` removes it. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'framegate mongod-'));
  made.push(folder);
  return folder;
}

/** Removes the folders, in afterAll. */
export async function removeFolders(): Promise<void> {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** Writes an executable shell script; returns its path. */
export async function plantScript(path: string, body: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

/** A program that claims to be mongod of that version and does nothing else. */
export function plantMongod(path: string, version: string): Promise<string> {
  return plantScript(path, `echo "db version v${version}"`);
}
