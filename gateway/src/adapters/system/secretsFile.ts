import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '@framegate/contract';
import type { VersionedSecret } from '../../domain/accounts/apiKey.ts';
import { jsonObject } from '../../domain/installation/jsonObject.ts';
import type { Secrets } from '../../domain/installation/secretVersions.ts';
import { readIfPresent } from './files.ts';

const names = ['keyPeppers', 'mediaSigningKeys', 'sessionKeys'] as const;

/**
 * Completes the operator's secrets from `DATA_DIR/secrets.json` (mode 0600), which is created once. Processes
 * that start simultaneously get the same secrets.
 * @throws Error for the operator if the file cannot be created, read or parsed.
 */
export function completeSecrets(
  secrets: { readonly [K in keyof Secrets]: Secrets[K] | null },
  dataDir: string,
): Secrets {
  const { keyPeppers, mediaSigningKeys, sessionKeys } = secrets;
  if (keyPeppers && mediaSigningKeys && sessionKeys) {
    return { keyPeppers, mediaSigningKeys, sessionKeys };
  }
  const generated = readOrMake(dataDir);
  return {
    keyPeppers: keyPeppers ?? generated.keyPeppers,
    mediaSigningKeys: mediaSigningKeys ?? generated.mediaSigningKeys,
    sessionKeys: sessionKeys ?? generated.sessionKeys,
  };
}

function readOrMake(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json');
  const text = readIfPresent(file);
  if (text !== null) return understand(text, file);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lists = names.map((name) => [
    name,
    [{ version: 'g1', secret: randomBytes(32).toString('base64url') }],
  ]);
  // Written aside and linked into place, so that no process reads an incomplete file.
  const tempPath = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(tempPath, `${JSON.stringify(Object.fromEntries(lists), null, 2)}\n`, {
      mode: 0o600,
    });
    chmodSync(tempPath, 0o600);
    linkSync(tempPath, file);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(tempPath, { force: true });
  }
  return understand(readFileSync(file, 'utf8'), file);
}

function understand(text: string, file: string): Secrets {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = null;
  }
  const lists = jsonObject(content);
  if (!names.every((name) => isSecretList(lists[name]))) {
    throw new Error(
      `${file} was altered after it was generated: restore it, or remove it (all keys and sessions created with it then stop working).`,
    );
  }
  return content as Secrets;
}

function isSecretList(value: unknown): value is VersionedSecret[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (item: Partial<VersionedSecret> | null) =>
        typeof item?.version === 'string' && typeof item.secret === 'string',
    )
  );
}
