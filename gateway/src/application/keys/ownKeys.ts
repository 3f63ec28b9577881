import { createHmac } from 'node:crypto';
import { minuteMs } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import {
  type ApiKey,
  endKey,
  firstSecret,
  formatApiKey,
  hashApiKey,
  isLive,
  type KeyHost,
} from '../../domain/accounts/apiKey.ts';
import { inheritedFields } from '../../domain/accounts/keyLimits.ts';
import { isAutoApproved } from '../../domain/network/inputUrl.ts';
import { Refusal, refuseFields } from '../../domain/refusal.ts';
import type { KeyMaker } from '../../domain/teams/members.ts';
import { roleIn } from '../../domain/teams/team.ts';
import { mayInTeam } from '../../domain/teams/teamRoles.ts';
import { targetById } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';
import { notifyOfKey } from '../mails/notices.ts';
import { requireHosts } from './keyHosts.ts';
import { changeKeys, nameProblem, revokeKeyIn, storedFieldsOf, withHost } from './keys.ts';
import { parseDailyCredits, requireLiveKey } from './keySpendingLimits.ts';
import { lacksFactor, refuseRealPersons } from './realPersonKeys.ts';

/** Time within which a repeated form shows its key again, in ms. */
const shownAgainMs = minuteMs;

/** A new key, shown once and stored nowhere. */
export interface IssuedKey {
  key: ApiKey;
  /** Null if the form was sent long ago and the key was shown then. */
  apiKey: string | null;
  /** The replaced key, while it still works. */
  former: ApiKey | null;
}

/**
 * The key made by a form, always the same for the same form, so a form sent twice makes one key and shows it twice. It
 * can be reproduced only from our secret together with the form's own random value, which is not kept.
 */
function keyOfForm(deps: App, accountId: string, formKey: string): string {
  const bytes = createHmac('sha512', firstSecret(deps.sessionKeys).secret)
    .update(`key ${accountId} ${formKey}`)
    .digest();
  return formatApiKey(bytes);
}

/** Whether a form, sent again within a minute, made its key before: it shows that key and makes no other. */
export function isSentAgain(deps: App, { id, keys }: Account, formKey: string): boolean {
  const hash = hashApiKey(keyOfForm(deps, id, formKey), deps.pepper);
  const since = deps.clock.now() - shownAgainMs;
  return keys.some((key) => key.hash === hash && key.createdAt > since);
}

/**
 * Creates a key for its owner. Hosts wait for approval unless the operator approves them for all.
 * @throws Refusal
 */
export async function createOwnKey(
  deps: App,
  form: Maker & {
    name: string;
    models: string[];
    hosts: string;
    /** Limit as typed; empty for unlimited. */
    dailyCredits: string;
  },
  offered: readonly string[],
): Promise<IssuedKey> {
  const name = form.name.trim();
  const hosts = parseHosts('hosts', form.hosts, deps.autoApprovedHosts);
  const daily = parseDailyCredits(form.dailyCredits);
  const models = form.models.filter((id) => offered.includes(id));
  refuseFields(
    nameProblem(name),
    hosts.problem,
    daily.problem,
    form.models.length === 0 ? new Refusal('key_models_missing') : null,
  );
  const usesAllModels = models.length === offered.length;
  return addKey(deps, form, (account) => ({
    name: freeName(account, name),
    models: usesAllModels ? null : models,
    hosts: hosts.rules.map((rule) => stateOf(deps, rule)),
    ...daily.limit,
  }));
}

/**
 * Replaces a key by a new one with the same name, models and hosts; the old one keeps working for a while.
 * @param form.overlapMs For how long, in ms.
 * @throws Refusal
 */
export async function rotateOwnKey(
  deps: App,
  form: Maker & { keyId: string; overlapMs: number },
): Promise<IssuedKey> {
  const endsAt = deps.clock.now() + form.overlapMs;
  return addKey(
    deps,
    form,
    (account) => inheritedFields(requireLiveKey(deps, account, form.keyId)),
    (keys, replacedBy) =>
      keys.map((key) => (key.id === form.keyId ? { ...endKey(key, endsAt), replacedBy } : key)),
  );
}

/** A form for a new key and its sender. */
interface Maker {
  accountId: string;
  /** The member who makes the key; absent for the account's owner. */
  madeBy?: KeyMaker | undefined;
  formKey: string;
}

async function addKey(
  deps: App,
  form: Maker,
  describe: (account: Account) => ReturnType<typeof inheritedFields>,
  others: (keys: readonly ApiKey[], newId: string) => ApiKey[] = (keys) => [...keys],
): Promise<IssuedKey> {
  const apiKey = keyOfForm(deps, form.accountId, form.formKey);
  const keyFields = storedFieldsOf(deps, apiKey);
  const { id, hash, createdAt: nowMs } = keyFields;
  if (await deps.database.formerKeys.hasHash(hash)) {
    throw new Refusal('key_made_already');
  }
  const { madeBy } = form;
  const lacks = await lacksFactor(deps, madeBy?.id ?? form.accountId);
  const after = await changeKeys(deps, targetById(deps.database, form.accountId), {
    keys(account) {
      if (account.keys.some((key) => key.hash === hash)) return account.keys;
      if (madeBy) requireMaker(account, madeBy);
      const described = describe(account);
      if (lacks) refuseRealPersons(deps, described);
      const key: ApiKey = {
        ...keyFields,
        ...described,
        ...(madeBy && { madeBy }),
      };
      return [...others(account.keys, id), key];
    },
    addsKey: true,
  });
  const key = after.keys.find((each) => each.hash === hash);
  if (!key) throw new Error('the new key is not in its account');
  const replaced = after.keys.find((each) => each.replacedBy === key.id);
  if (key.id === id) await notifyOfKey(deps, after, key, replaced ? 'Replaced' : 'Made');
  const former = replaced && isLive(replaced, nowMs) ? replaced : null;
  return { key, apiKey: nowMs - key.createdAt < shownAgainMs ? apiKey : null, former };
}

/** @throws Refusal for a member who was removed meanwhile or whose role has no keys. */
function requireMaker(account: Account, { id }: KeyMaker): void {
  const role = roleIn(account, id);
  if (role !== null && mayInTeam(role, 'make own keys')) return;
  throw new Refusal('key_maker_left');
}

/** Revokes a key of the account immediately and permanently. */
export async function revokeOwnKey(
  deps: App,
  form: { accountId: string; keyId: string },
): Promise<void> {
  const target = targetById(deps.database, form.accountId);
  const { account, key } = await revokeKeyIn(deps, target, form.keyId);
  if (key) await notifyOfKey(deps, account, key, 'Revoked');
}

/** Requests an input host for a key; it works immediately if approved for all accounts. @throws Refusal */
export async function askForHost(
  deps: App,
  form: { accountId: string; keyId: string; host: string },
): Promise<KeyHost> {
  const hosts = parseHosts('host', form.host, deps.autoApprovedHosts);
  const [rule] = hosts.rules;
  refuseFields(hosts.problem);
  if (rule === undefined) throw new Refusal('host_missing');
  let state = stateOf(deps, rule);
  await changeKeys(deps, targetById(deps.database, form.accountId), {
    keys(account) {
      const key = requireLiveKey(deps, account, form.keyId);
      const host = key.hosts.find((each) => each.rule === rule);
      state = host?.state === 'approved' ? host : stateOf(deps, rule);
      return account.keys.map((each) => (each === key ? withHost(key, state) : each));
    },
    field: 'host',
  });
  return state;
}

function stateOf(deps: App, rule: string): KeyHost {
  return { rule, state: isAutoApproved(rule, deps.autoApprovedHosts) ? 'approved' : 'requested' };
}

/** Numbers a name that an active key already has. */
function freeName({ keys }: Account, name: string): string {
  const takenNames = new Set(
    keys.filter(({ revokedAt }) => revokedAt === null).map((key) => key.name),
  );
  let candidate = name;
  for (let number = 2; takenNames.has(candidate); number += 1) candidate = `${name} ${number}`;
  return candidate;
}

/** Parses typed hosts, separated by spaces, commas or semicolons; a pasted URL counts as its host. */
function parseHosts(
  field: 'host' | 'hosts',
  typed: string,
  operatorRules: readonly string[],
): { rules: string[]; problem: Refusal | null } {
  const names = typed.split(/[\s,;]+/).filter((each) => each !== '');
  const hosts = names.map((name) => name.replace(/^https:\/\/([^/?#]+).*$/is, '$1'));
  try {
    return { rules: requireHosts(hosts, operatorRules, field), problem: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { rules: [], problem: error };
  }
}
