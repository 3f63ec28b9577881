import type { VersionedSecret } from '../domain/apiKey.ts';
import { commaSeparated, parsed } from './setting.ts';

const secretList = {
  allowed: 'version:secret,version:secret… with secrets of at least 32 characters and no comma',
  fallbackText: 'generated into `DATA_DIR` in development',
  secret: true,
} as const;
const rotated = 'The first one makes, all of them verify.';

/** Lists of secrets, each for one purpose. */
export const secretSettings = {
  KEY_PEPPERS: parsed(
    { ...secretList, meaning: `Secrets under which API keys are hashed. ${rotated}` },
    parseSecrets,
  ),
  MEDIA_SIGNING_KEYS: parsed(
    { ...secretList, meaning: `Secrets that sign the addresses of files. ${rotated}` },
    parseSecrets,
  ),
  SESSION_KEYS: parsed(
    { ...secretList, meaning: `Secrets that sign the site's cookies and links. ${rotated}` },
    parseSecrets,
  ),
};

/** Characters below which a secret could be guessed. */
const minSecretLength = 32;

/**
 * Reads an ordered list of secrets, `version:secret,version:secret`: the first makes, all verify.
 * @throws Error that names the item by its place, never by what it holds.
 */
function parseSecrets(text: string): readonly VersionedSecret[] {
  const secrets = commaSeparated(text).map((item, index) => parseSecret(item, index + 1));
  const versions = secrets.map(({ version }) => version);
  const twice = versions.find((version, index) => versions.indexOf(version) !== index);
  if (twice !== undefined) throw new Error(`the version ${twice} is there twice`);
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
