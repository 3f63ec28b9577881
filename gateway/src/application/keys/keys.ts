import { catalogue } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import {
  type ApiKey,
  endKey,
  formatApiKey,
  type KeyHost,
  liveKey,
  storedPartsOf,
} from '../../domain/accounts/apiKey.ts';
import {
  inheritedFields,
  keyLimits,
  keyMaximumProblem,
  keysToArchive,
  withoutRevokedHosts,
} from '../../domain/accounts/keyLimits.ts';
import { Refusal } from '../../domain/refusal.ts';
import {
  type AccountTarget,
  changeAccount,
  targetById,
  targetByKeyId,
} from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';
import { requireHosts, requireOwnHostRule } from './keyHosts.ts';

/** A change of an account's keys. */
export interface KeysChange {
  /** Returns the keys afterwards; the same array for no change. */
  keys: (account: Account) => ApiKey[];
  /** Whether a key is added; the oldest revoked keys then move to the archive to make room. */
  addsKey?: boolean;
  /** Name of the form's field to report if there is no room, if there is one. */
  field?: string;
}

/**
 * Changes an account's keys within its limits. Revoked keys lose their hosts; removed keys are archived first.
 * @returns The account as written.
 */
export async function changeKeys(
  { database, clock }: Pick<App, 'database' | 'clock'>,
  target: AccountTarget,
  { keys: change, addsKey = false, field }: KeysChange,
): Promise<Account> {
  const leaving = new Set<string>();
  const current = addsKey ? await target.find() : null;
  if (current) {
    const archived = keysToArchive(current.keys, clock.now());
    if (archived.length > 0) await database.formerKeys.keep(current.id, archived);
    for (const { id } of archived) leaving.add(id);
  }
  const { after } = await changeAccount(database, target, (account) => {
    const changedAccount = change(account);
    if (changedAccount === account.keys) return { after: account };
    const nowMs = clock.now();
    const keys = withoutRevokedHosts(changedAccount, nowMs).filter(({ id }) => !leaving.has(id));
    const problem = keyMaximumProblem(keys, nowMs);
    if (problem !== null) throw noRoomRefusal(problem, field);
    return { after: { ...account, keys } };
  });
  return after;
}

function noRoomRefusal(problem: 'keys' | 'hosts', param: string | undefined): Refusal {
  const { live, hosts, hostCharacters: characters } = keyLimits;
  return problem === 'keys'
    ? new Refusal('keys_full', { values: { live }, param })
    : new Refusal('account_hosts_full', { values: { hosts, characters }, param });
}

/** A new key. */
export interface CreateKeyCommand {
  accountId: string;
  name: string;
  /** Host rules, approved immediately. */
  hosts: readonly string[];
  /** Models that the key may use; empty means all. */
  models: readonly string[];
  /** Credits that the key may spend per UTC day, at least 1; unlimited if absent. */
  dailyCredits?: number | undefined;
  /** Credits that the key may spend per UTC calendar month, at least 1; unlimited if absent. */
  monthlyCredits?: number | undefined;
}

type MakeKeyDeps = Pick<App, 'database' | 'clock' | 'random' | 'pepper'> &
  // Without them, no host is approved for all accounts, and the models are the built-in ones.
  Partial<Pick<App, 'autoApprovedHosts' | 'allModels'>>;

/** A new key: its id, and its secret, which is stored nowhere. */
export interface CreatedKey {
  keyId: string;
  apiKey: string;
}

/** The stored fields of a new key: its secret only as a hash. */
export const storedFieldsOf = (
  { clock, random, pepper }: Pick<App, 'clock' | 'random' | 'pepper'>,
  apiKey: string,
) => ({
  id: random.newId('key'),
  ...storedPartsOf(apiKey, pepper),
  createdAt: clock.now(),
  revokedAt: null,
});

/** Creates an API key. */
export async function createKey(deps: MakeKeyDeps, command: CreateKeyCommand): Promise<CreatedKey> {
  const apiKey = formatApiKey(deps.random.bytes(64));
  const keyFields = storedFieldsOf(deps, apiKey);
  const key: ApiKey = {
    ...keyFields,
    name: requireName(command.name, keyLimits.nameCharacters),
    models: command.models.length === 0 ? null : requireModels(deps, command.models),
    hosts: requireHosts(command.hosts, deps.autoApprovedHosts).map((rule) => ({
      rule,
      state: 'approved',
    })),
    ...(command.dailyCredits !== undefined && { dailyCredits: command.dailyCredits }),
    ...(command.monthlyCredits !== undefined && { monthlyCredits: command.monthlyCredits }),
  };
  await changeKeys(deps, targetById(deps.database, command.accountId), {
    keys: ({ keys }) => (keys.some(({ id }) => id === key.id) ? keys : [...keys, key]),
    addsKey: true,
  });
  return { keyId: key.id, apiKey };
}

/**
 * Replaces a key by a new one with the same name, models, hosts and limits; the old one works for another `overlapMs`.
 * @throws Refusal `key_revoked`, `keys_full`, `account_hosts_full`.
 */
export async function rotateKey(
  deps: MakeKeyDeps,
  { accountId, keyId, overlapMs }: { accountId: string; keyId: string; overlapMs: number },
): Promise<CreatedKey> {
  const apiKey = formatApiKey(deps.random.bytes(64));
  const keyFields = storedFieldsOf(deps, apiKey);
  const endsAt = keyFields.createdAt + overlapMs;
  await changeKeys(deps, targetById(deps.database, accountId), {
    keys(account) {
      if (account.keys.some(({ id }) => id === keyFields.id)) return account.keys;
      const former = liveKey(account, keyId, keyFields.createdAt);
      if (!former) throw new Refusal('key_revoked');
      const ended = { ...endKey(former, endsAt), replacedBy: keyFields.id };
      return [
        ...account.keys.map((key) => (key.id === keyId ? ended : key)),
        {
          ...keyFields,
          ...inheritedFields(former),
          ...(former.madeBy && { madeBy: former.madeBy }),
        },
      ];
    },
    addsKey: true,
  });
  return { keyId: keyFields.id, apiKey };
}

/** The name of a key. @throws Refusal `key_name_missing`, `key_name_too_long`. */
export function requireName(text: string, max: number): string {
  const name = text.trim();
  const problem = nameProblem(name, max);
  if (problem) throw problem;
  return name;
}

/** The problem of a trimmed name. */
export function nameProblem(name: string, max: number = keyLimits.nameCharacters): Refusal | null {
  if (name === '') return new Refusal('key_name_missing');
  return [...name].length > max ? new Refusal('key_name_too_long', { values: { max } }) : null;
}

function requireModels(
  { allModels = () => catalogue }: MakeKeyDeps,
  ids: readonly string[],
): string[] {
  const models = allModels();
  const unknown = ids.filter((id) => !models.some((model) => model.id === id));
  if (unknown.length > 0) {
    const modelIds = models.map(({ id }) => id).join(', ');
    const message = `There is no model ${unknown.join(', ')}; there are ${modelIds}.`;
    const details = [{ param: 'models', code: 'model_not_found', message }];
    throw new Refusal('model_not_found', { message, param: 'models', details });
  }
  return [...new Set(ids)];
}

/** Revokes a key permanently; a key that is already revoked stays unchanged. @returns The time of revocation. */
export async function revokeKey(
  deps: Pick<App, 'database' | 'clock'>,
  keyId: string,
): Promise<number> {
  const { key } = await revokeKeyIn(deps, targetByKeyId(deps.database, keyId), keyId);
  return key?.revokedAt ?? deps.clock.now();
}

/** Like `revokeKey`, in one account. @returns The account as written, and the key if it has it. */
export async function revokeKeyIn(
  deps: Pick<App, 'database' | 'clock'>,
  target: AccountTarget,
  keyId: string,
): Promise<{ account: Account; key: ApiKey | undefined }> {
  const nowMs = deps.clock.now();
  const account = await changeKeys(deps, target, {
    keys: ({ keys }) => keys.map((key) => (key.id === keyId ? endKey(key, nowMs) : key)),
  });
  return { account, key: account.keys.find(({ id }) => id === keyId) };
}

/** Approves an input host for a key, whether or not it was requested. @returns The rule. */
export async function approveHost(
  deps: Pick<App, 'database' | 'clock'> & Partial<Pick<App, 'autoApprovedHosts'>>,
  { keyId, host }: { keyId: string; host: string },
): Promise<string> {
  const rule = requireOwnHostRule(host, deps.autoApprovedHosts);
  await changeKeys(deps, targetByKeyId(deps.database, keyId), {
    keys: ({ keys }) =>
      keys.map((key) => (key.id === keyId ? withHost(key, { rule, state: 'approved' }) : key)),
  });
  return rule;
}

/**
 * The key with one more host, or with another state of a host that it has.
 * @throws Refusal `key_hosts_full`.
 */
export function withHost(key: ApiKey, host: KeyHost): ApiKey {
  const others = key.hosts.filter(({ rule }) => rule !== host.rule);
  const max = keyLimits.hostsPerKey;
  if (others.length >= max) throw new Refusal('key_hosts_full', { values: { max } });
  return { ...key, hosts: [...others, host] };
}
