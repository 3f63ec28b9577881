import { readFileSync, statSync } from 'node:fs';
import { errorCodeOf, messageOf } from '@framegate/contract';
import type { VersionedSecret } from '../domain/accounts/apiKey.ts';
import { fileParts, jsonObject } from '../domain/installation/jsonObject.ts';
import type { JsonFile } from './jsonFile.ts';
import { commaSeparated, type ConfigProblem, type Environment, parsedSetting } from './setting.ts';

const secretList = {
  allowed: 'version:secret,version:secret… with secrets of at least 32 characters and no commas',
  fallbackText: 'generated into `DATA_DIR` in development',
  isSecret: true,
} as const;
const rotated = 'New values use the first one; all of them are accepted.';

/** Lists of secrets, one per purpose. */
export const secretSettings = {
  KEY_PEPPERS: parsedSetting(
    { ...secretList, meaning: `Secrets with which API keys are hashed. ${rotated}` },
    parseSecrets,
  ),
  MEDIA_SIGNING_KEYS: parsedSetting(
    { ...secretList, meaning: `Secrets that sign the URLs of files. ${rotated}` },
    parseSecrets,
  ),
  SESSION_KEYS: parsedSetting(
    { ...secretList, meaning: `Secrets that sign the site's cookies and links. ${rotated}` },
    parseSecrets,
  ),
};

/** Minimum characters of a secret. */
const minSecretLength = 32;

/**
 * Parses an ordered list of secrets, `version:secret,version:secret`: new values use the first, and all are accepted.
 * @throws Error naming the item by its position, never by its content.
 */
function parseSecrets(text: string): readonly VersionedSecret[] {
  const secrets = commaSeparated(text).map((item, index) => parseSecret(item, index + 1));
  const versions = secrets.map(({ version }) => version);
  const twice = versions.find((version, index) => versions.indexOf(version) !== index);
  if (twice !== undefined) throw new Error(`version ${twice} appears twice`);
  return secrets;
}

function parseSecret(item: string, place: number): VersionedSecret {
  const colon = item.indexOf(':');
  const version = item.slice(0, Math.max(0, colon));
  const secret = item.slice(colon + 1);
  if (colon < 0) throw new Error(`item ${place} has no version in front of a colon`);
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(version)) {
    throw new Error(`the version of item ${place} is not 1 to 32 letters, digits, _ or -`);
  }
  if (secret.length < minSecretLength) {
    throw new Error(`the secret of item ${place} has ${secret.length} characters`);
  }
  return { version, secret };
}

const maxBytes = 65_536;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this process may not read it (EACCES)',
};

/**
 * Reads secrets from files, as mounted by secret managers: for `NAME`, the file named by `NAME_FILE`, with surrounding
 * white space removed.
 * @returns The environment with the files' secrets, and the problems of the rest.
 */
export function readSecretFiles(
  names: readonly string[],
  env: Environment,
  absolute: (path: string) => string,
): { env: Environment; problems: ConfigProblem[] } {
  const secrets: Record<string, string> = {};
  const problems: ConfigProblem[] = [];
  for (const name of new Set(names)) {
    const path = env[`${name}_FILE`]?.trim() ?? '';
    if (path === '') continue;
    const addProblem = (why: string) => {
      problems.push({ setting: name, message: `${name}_FILE is "${path}": ${why}.` });
    };
    if ((env[name]?.trim() ?? '') !== '') {
      addProblem(`${name} is also set; remove one of the two`);
      continue;
    }
    try {
      secrets[name] = readSecret(absolute(path));
    } catch (error) {
      addProblem(messageOf(error));
    }
  }
  return { env: { ...env, ...secrets }, problems };
}

/** The text of a file, with surrounding white space removed. @throws Error with the reason. */
export function readSecret(path: string): string {
  try {
    const file = statSync(path);
    if (file.isDirectory()) throw new Error('it is a folder');
    if (file.size > maxBytes) {
      throw new Error(`it has ${file.size} bytes; the maximum is ${maxBytes}`);
    }
    const secret = readFileSync(path, 'utf8').trim();
    if (secret === '') throw new Error('it is empty');
    return secret;
  } catch (error) {
    throw new Error(reasons[errorCodeOf(error) ?? ''] ?? messageOf(error), { cause: error });
  }
}

/** The variables for providers' keys named in a routes file. */
export function providerKeyNames(routes: JsonFile | null): string[] {
  return Object.values(fileParts(routes?.content).providers).flatMap((provider) => {
    const { apiKeyEnv, apiKeyEnvs } = jsonObject(provider);
    const names: unknown[] = Array.isArray(apiKeyEnvs) ? apiKeyEnvs : [apiKeyEnv];
    return names.filter((name) => typeof name === 'string');
  });
}
