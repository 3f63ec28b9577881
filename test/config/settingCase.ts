import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../gateway/src/config.ts';
import type { settings } from '../../gateway/src/settings/settings.ts';

/** The name of a setting. */
export type Name = keyof typeof settings;

export /** How a setting shows in the configuration, and a value that is refused. */
interface Case {
  /** Further settings that it needs. */
  with?: Partial<Record<Name, string>>;
  value: string;
  read: (config: Config) => unknown;
  gives: unknown;
  refused: string;
}

const folder = mkdtempSync(join(tmpdir(), 'framegate-config-'));

/** Removes the files that the settings name. */
export function removeFiles(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes a file that a setting names. @returns Its path. */
export function file(name: string, text: string): string {
  // Another file of tests may have removed it: they share this module.
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

export const notJson = file('notJson.json', '{');
