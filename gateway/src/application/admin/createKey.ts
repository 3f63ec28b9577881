import { catalogue } from '@framegate/contract';
import type { ApiKey } from '../../domain/account.ts';
import {
  apiKeyPrefix,
  formatApiKey,
  hashApiKey,
  type VersionedSecret,
} from '../../domain/apiKey.ts';
import { keyRoom } from '../../domain/keyRoom.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { Random } from '../ports/random.ts';
import { AdminProblem } from './adminProblem.ts';
import { byId } from './changeAccount.ts';
import { changeKeys } from './changeKeys.ts';
import { requireOwnHostRule } from './requireHostRule.ts';

/** A new key. */
export interface CreateKeyCommand {
  accountId: string;
  name: string;
  /** Host rules, approved at once. */
  hosts: readonly string[];
  /** Models that it may use; none means all. */
  models: readonly string[];
  /** Credits that it may spend on one day (UTC), at least 1; no limit where it is not given. */
  dailyCredits?: number | undefined;
}

/** Makes an API key. @returns its id and the key itself, which is stored nowhere. */
export async function createKey(
  deps: {
    database: Database;
    clock: Clock;
    random: Random;
    pepper: VersionedSecret;
    autoApprovedHosts?: readonly string[];
  },
  command: CreateKeyCommand,
): Promise<{ keyId: string; apiKey: string }> {
  const apiKey = formatApiKey(deps.random.bytes(64));
  const key: ApiKey = {
    id: deps.random.newId('key'),
    name: requireName(command.name),
    hash: hashApiKey(apiKey, deps.pepper),
    pepperVersion: deps.pepper.version,
    prefix: apiKeyPrefix,
    lastFour: apiKey.slice(-4),
    models: command.models.length === 0 ? null : requireModels(command.models),
    hosts: requireHosts(command.hosts, deps.autoApprovedHosts).map((rule) => ({
      rule,
      state: 'approved',
    })),
    createdAt: deps.clock.now(),
    revokedAt: null,
    ...(command.dailyCredits !== undefined && { dailyCredits: command.dailyCredits }),
  };
  await changeKeys(deps, byId(deps.database, command.accountId), {
    keys: ({ keys }) => (keys.some(({ id }) => id === key.id) ? keys : [...keys, key]),
    adds: true,
  });
  return { keyId: key.id, apiKey };
}

function requireName(text: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > keyRoom.nameCharacters) {
    throw new AdminProblem(`A key's name has 1 to ${keyRoom.nameCharacters} characters.`);
  }
  return name;
}

function requireModels(ids: readonly string[]): string[] {
  const unknown = ids.filter((id) => !catalogue.some((model) => model.id === id));
  if (unknown.length > 0) {
    const known = catalogue.map(({ id }) => id).join(', ');
    throw new AdminProblem(`There is no model ${unknown.join(', ')}; there are ${known}.`);
  }
  return [...new Set(ids)];
}

function requireHosts(texts: readonly string[], listed?: readonly string[]): string[] {
  const rules = [...new Set(texts.map((text) => requireOwnHostRule(text, listed)))];
  if (rules.length > keyRoom.hostsPerKey) {
    throw new AdminProblem(`A key has at most ${keyRoom.hostsPerKey} hosts.`);
  }
  return rules;
}
