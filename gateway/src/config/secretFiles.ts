import { readFileSync, statSync } from 'node:fs';
import { recordOf, type JsonFile } from './fileSettings.ts';
import type { ConfigProblem, Environment } from './parseSettings.ts';

const maxBytes = 65_536;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this process may not read it (EACCES)',
};

/**
 * Reads secrets that are given as files: for `NAME` the file that `NAME_FILE` names, as secret managers
 * mount them. Blanks and line ends around the secret do not count.
 * @returns The environment with what the files hold, and what is wrong with the rest.
 */
export function readSecretFiles(
  names: readonly string[],
  env: Environment,
  absolute: (path: string) => string,
): { env: Environment; problems: ConfigProblem[] } {
  const found: Record<string, string> = {};
  const problems: ConfigProblem[] = [];
  for (const name of new Set(names)) {
    const path = env[`${name}_FILE`]?.trim() ?? '';
    if (path === '') continue;
    const refuse = (why: string) => {
      problems.push({ setting: name, message: `${name}_FILE is "${path}": ${why}.` });
    };
    if ((env[name]?.trim() ?? '') !== '') {
      refuse(`${name} is set, too, and one of both has to go`);
      continue;
    }
    try {
      found[name] = readSecret(absolute(path));
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      refuse(reasons[code] ?? message);
    }
  }
  return { env: { ...env, ...found }, problems };
}

/** @throws Error that says why there is none. */
function readSecret(path: string): string {
  const file = statSync(path);
  if (file.isDirectory()) throw new Error('it is a folder');
  if (file.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret === '') throw new Error('it is empty');
  return secret;
}

/** The variables by which a routes file names the keys of providers. */
export function providerKeyNames(routes: JsonFile | null): string[] {
  return Object.values(recordOf(recordOf(routes?.content)['providers'])).flatMap((provider) => {
    const { apiKeyEnv } = recordOf(provider);
    return typeof apiKeyEnv === 'string' ? [apiKeyEnv] : [];
  });
}
