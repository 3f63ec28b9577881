import { createHmac } from 'node:crypto';
import Joi from 'joi';
import { jsonPath } from '@framegate/contract';
import type { ProviderKey } from './configuredRoutes.ts';

/** Source of a provider's keys: one of three, or none if its API needs no key. */
export interface KeysJson {
  apiKeyEnv?: string;
  apiKeyEnvs?: string[];
  /** A file with the key in its first line, and with former keys below. */
  apiKeyFile?: string;
}

const variableSchema = Joi.string()
  .max(200)
  .pattern(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable');

const notTogetherWith = (other: keyof KeysJson) =>
  Joi.forbidden().messages({ 'any.unknown': `is not allowed together with ${other}` });

/** The sources of a provider's keys, of which an entry has one, or none unless it is required. */
export const keysSchema = (isRequired: boolean): Joi.SchemaMap<KeysJson> => ({
  apiKeyEnv: variableSchema
    .when('apiKeyEnvs', { is: Joi.exist(), then: notTogetherWith('apiKeyEnvs'), break: true })
    .when('apiKeyFile', {
      is: Joi.exist(),
      then: notTogetherWith('apiKeyFile'),
      ...(isRequired && { otherwise: Joi.required() }),
    }),
  apiKeyEnvs: Joi.array()
    .items(variableSchema)
    .min(1)
    .max(50)
    .unique()
    .when('apiKeyFile', { is: Joi.exist(), then: notTogetherWith('apiKeyFile') }),
  apiKeyFile: Joi.string().max(4096),
});

/** The text of a file named by `apiKeyFile`, or the reason why it cannot be read. */
export type KeyFile = { text: string } | { problem: string };

/** Sources of keys. */
export interface KeySources {
  /** The environment with the variables named by `apiKeyEnv`. */
  env: Readonly<Record<string, string | undefined>>;
  /** The files named by `apiKeyFile`, by provider. */
  keyFiles: Readonly<Record<string, KeyFile>>;
}

/** Maximum lines of a key file. */
const maxLines = 50;

/** Whether an entry names a source of keys. */
export const namesKeys = ({ apiKeyEnv, apiKeyEnvs, apiKeyFile }: KeysJson): boolean =>
  [apiKeyEnv, apiKeyEnvs, apiKeyFile].some((source) => source !== undefined);

/** The keys of a provider's entry, and one sentence per missing key, starting with its JSON path. */
export function keysOf(
  provider: string,
  { apiKeyEnv, apiKeyEnvs, apiKeyFile }: KeysJson,
  { env, keyFiles }: KeySources,
): { keys: ProviderKey[]; problems: string[] } {
  const at = (...path: (string | number)[]) => jsonPath(['providers', provider, ...path]);
  if (apiKeyFile !== undefined) {
    const keysOrProblem = keysIn(keyFiles[provider] ?? { problem: 'it was not read' });
    if (!('problem' in keysOrProblem)) return { keys: keysOrProblem, problems: [] };
    return {
      keys: [],
      problems: [`${at('apiKeyFile')} is "${apiKeyFile}": ${keysOrProblem.problem}.`],
    };
  }
  const named =
    apiKeyEnvs?.map((variable, index) => ({ variable, where: at('apiKeyEnvs', index) })) ??
    (apiKeyEnv === undefined ? [] : [{ variable: apiKeyEnv, where: at('apiKeyEnv') }]);
  return {
    keys: named.map(({ variable }) => ({ name: variable, secret: env[variable] ?? '' })),
    problems: named
      .filter(({ variable }) => !env[variable])
      .map(
        ({ variable, where }) => `${where} names ${variable}, which is not set in the environment.`,
      ),
  };
}

/**
 * The keys in a file. A JSON document is one key; otherwise the first line makes orders, and the others are former
 * keys, which poll and cancel the orders that they made. A key is named by its fingerprint, so that a new one in the
 * same file has another name.
 */
function keysIn(file: KeyFile): ProviderKey[] | { problem: string } {
  if ('problem' in file) return file;
  const document = file.text.trim();
  if (document.startsWith('{')) return [{ name: `key-${keyPrint(document)}`, secret: document }];
  const secrets = document.split(/\r\n?|\n/).flatMap((line) => line.trim() || []);
  if (secrets.length === 0) return { problem: 'it is empty' };
  if (secrets.length > maxLines) return { problem: `it has more than ${maxLines} lines` };
  if (secrets.some((secret) => /\s/.test(secret))) {
    return { problem: 'a line has a space: it must be a key alone' };
  }
  const names = secrets.map((secret) => `key-${keyPrint(secret)}`);
  if (new Set(names).size < names.length) return { problem: 'it has a key twice' };
  return secrets.map((secret, index) => ({
    name: names[index] ?? '',
    secret,
    ...(index > 0 && { isFormer: true }),
  }));
}

/**
 * A short fingerprint of a key, to be stored with its orders. A vendor's key is random, so 48 bits of an HMAC under it
 * help no one to guess it.
 */
export function keyPrint(secret: string): string {
  return createHmac('sha256', secret).update('fingerprint of a key').digest('hex').slice(0, 12);
}
