import type { Account } from '../../domain/accounts/account.ts';
import { firstSecret } from '../../domain/accounts/apiKey.ts';
import { Refusal } from '../../domain/refusal.ts';
import {
  challengeBytes,
  type ChallengeUse,
  isChallenge,
  makeChallenge,
  maxPasskeyNameLength,
  maxPasskeys,
  type PasskeyProblem,
} from '../../domain/signIn/passkey.ts';
import { proofMs } from '../../domain/signIn/secondFactor.ts';
import { tokenHash } from '../../domain/signIn/token.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';
import type { Passkey } from '../ports/staff.ts';
import { type Origin, recordFailure } from '../signIn/attempts.ts';

/** A response of a passkey, and the form that it came with. */
export interface PasskeyResponse {
  /** JSON of the browser; empty for none. */
  passkey: string;
  use: ChallengeUse;
  from: Origin;
}

/** A new challenge for a form, accepted once within ten minutes. */
export function challengeFor(
  { clock, random, sessionKeys }: Pick<App, 'clock' | 'random' | 'sessionKeys'>,
  use: ChallengeUse,
) {
  const challenge = { untilMs: clock.now() + proofMs, random: random.bytes(challengeBytes) };
  return makeChallenge(use, challenge, firstSecret(sessionKeys));
}

/** Takes a challenge for this use, once in all processes. */
const taker =
  ({ attempts, clock, sessionKeys }: App, use: ChallengeUse) =>
  async (challenge: string): Promise<boolean> => {
    if (!isChallenge(challenge, use, clock.now(), sessionKeys)) return false;
    const name = `passkey challenge:${tokenHash(challenge)}`;
    // The count outlives the challenge, because both last equally long and it begins later.
    return (await attempts.count(name, proofMs)).count === 1;
  };

const passkeyRefusal = (problem: PasskeyProblem) => new Refusal(`passkey_${problem}`);

/**
 * Verifies a response of a known passkey and notes its use.
 * @param isOwner Whether the person may use this account's passkeys.
 * @throws Refusal `passkey_…`.
 */
export async function usePasskey(
  deps: App,
  { passkey: response, use, from }: PasskeyResponse,
  isOwner: (account: Account) => boolean,
): Promise<Account> {
  const { passkeys, passkeyReader } = deps;
  const passkeyId = passkeyReader.idOf(response);
  const passkey = passkeyId === null ? null : await passkeys.find(passkeyId);
  const account = passkey && (await deps.database.accounts.find(passkey.accountId));
  const problem = await findProblem();
  if (problem === null && account) return account;
  await recordFailure(deps, { entryPoint: 'console', outcome: 'passkey', account, from });
  throw passkeyRefusal(problem ?? 'unregistered');

  async function findProblem(): Promise<PasskeyProblem | null> {
    if (passkeyId === null) return 'unreadable';
    if (!passkey || !account) return 'unregistered';
    const reading = await passkeyReader.readUsed(response, taker(deps, use), passkey);
    if ('problem' in reading) return reading.problem;
    if (!isOwner(account)) return 'of_another';
    return (await passkeys.use(passkey.id, reading.counter)) ? null : 'counter';
  }
}

/**
 * Lets a signed-in person add a passkey after a proof. A person who has no factor of the console yet, because the
 * sign-in provider's counts, has just signed in.
 * @returns The ids of the person's other passkeys.
 * @throws Refusal
 */
export async function beginPasskey(
  deps: Pick<App, 'clock' | 'passkeys' | 'staffFactors' | 'staffFactor'>,
  accountId: string,
  { signedInAt, prove }: { signedInAt: number; prove: () => Promise<void> },
): Promise<string[]> {
  const own = await deps.passkeys.list(accountId);
  if (own.length >= maxPasskeys) {
    throw new Refusal('passkeys_full', { values: { max: maxPasskeys } });
  }
  if (own.length > 0 || (await hasApp(deps, accountId))) {
    await prove();
  } else if (signedInAt + proofMs < deps.clock.now()) {
    throw new Refusal('passkey_too_late');
  }
  return own.map(({ id }) => id);
}

/**
 * Registers a new passkey, whose challenge was given after a proof of its person, and tells them by email.
 * @throws Refusal
 */
export async function addPasskey(
  deps: App,
  { id: accountId, email }: Pick<Account, 'id' | 'email'>,
  { passkey: response, use, from, name }: PasskeyResponse & { name: string },
): Promise<Passkey> {
  const { passkeys, passkeyReader } = deps;
  const reading = await passkeyReader.readMade(response, taker(deps, use));
  if ('problem' in reading) throw passkeyRefusal(reading.problem);
  const createdAt = deps.clock.now();
  const passkey: Passkey = {
    ...reading,
    accountId,
    name: requirePasskeyName(name),
    createdAt,
    lastUsedAt: null,
  };
  if (!(await passkeys.insert(passkey))) throw passkeyRefusal('taken');
  const values = { name: passkey.name, at: createdAt, address: from.address };
  await deps.sendMail({ to: email, kind: 'passkeyAdded', values });
  return passkey;
}

function requirePasskeyName(typed: string): string {
  const name = typed.trim().slice(0, maxPasskeyNameLength);
  if (name === '') throw new Refusal('passkey_name_missing');
  return name;
}

/**
 * Removes a passkey for its owner, and ends all of the owner's sessions, including one of a stranger who used it.
 * @returns The result for the audit log.
 * @throws Refusal `passkey_not_found`, `passkey_only`.
 */
export async function removePasskey(
  deps: Pick<App, 'clock' | 'database' | 'passkeys' | 'staffFactors' | 'staffFactor'>,
  accountId: string,
  passkeyId: string,
): Promise<string> {
  const own = await deps.passkeys.list(accountId);
  const passkey = own.find(({ id }) => id === passkeyId);
  if (!passkey) throw new Refusal('passkey_not_found');
  if (own.length === 1 && !(await hasApp(deps, accountId))) {
    throw new Refusal('passkey_only');
  }
  await changeAccountById(deps.database, accountId, (account) => ({
    after: account,
    ends: { by: 'remove a passkey', passkeyId },
  }));
  return `Passkey “${passkey.name}” removed.`;
}

/** Whether codes of an app are a factor of this person. */
export async function hasApp(
  { staffFactors, staffFactor }: Pick<App, 'staffFactors' | 'staffFactor'>,
  accountId: string,
): Promise<boolean> {
  return staffFactor === 'any' && ((await staffFactors.find(accountId))?.secret ?? null) !== null;
}
