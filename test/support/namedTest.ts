import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './runNode.ts';

/** A test by its file and its name, as it is written there. */
export interface NamedTest {
  file: string;
  name: string;
}

/** Whether a file has a test of this name. */
export function hasTest({ file, name }: NamedTest): boolean {
  const path = join(projectRoot, file);
  if (!/\.(test|acceptance)\.ts$/.test(file) || !existsSync(path)) return false;
  const source = readFileSync(path, 'utf8');
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((literal) => source.includes(literal));
}
