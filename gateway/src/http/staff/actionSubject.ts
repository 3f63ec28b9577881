import type { WorkDeps } from '../../application/generations/deps.ts';
import type { Account, ApiKey } from '../../domain/account.ts';
import { availableCredits } from '../../domain/credits.ts';
import type { Generation } from '../../domain/generation.ts';
import { formatDuration, formatNumber, timestamp, html, type Html } from '../pages/html.ts';
import { facts } from './layout.ts';

/** What an action is about, as it is when its page asks; null where there is no such thing. */
export interface ActionSubject {
  generation: Generation | null;
  account: Account | null;
  key: ApiKey | null;
}

/**
 * Loads what an action is about.
 * @param about.targetId A generation's or an account's id.
 * @param about.keyId The key that the form names; empty where it names none.
 */
export async function loadSubject(
  { database }: Pick<WorkDeps, 'database'>,
  { targetId, keyId }: { targetId: string; keyId: string },
): Promise<ActionSubject> {
  const generation = await database.generations.find(targetId);
  const account = await database.accounts.find(generation?.accountId ?? targetId);
  return { generation, account, key: account?.keys.find(({ id }) => id === keyId) ?? null };
}

/** The subject in a few lines, above the form: whom it is done to, and what is at stake. */
export function subjectPart({ generation, account, key }: ActionSubject, now: number): Html {
  const customer =
    account && html`<a href="/staff/accounts/${account.id}"><b>${account.email}</b></a>`;
  return facts([
    ['Customer', customer],
    ...(generation ? generationLines(generation, now) : account ? accountLines(account, now) : []),
    [
      'Key',
      key &&
        html`<b>${key.name}</b> …${key.lastFour}, made ${timestamp(key.createdAt)}
          (<code>${key.id}</code>)`,
    ],
  ]);
}

type Line = readonly [string, Html | string | null];

function generationLines(generation: Generation, now: number): Line[] {
  const { model, mode, status, costCredits, createdAt, endedAt, outputs } = generation;
  const age = formatDuration((endedAt ?? now) - createdAt);
  return [
    ['Charged', html`<b>${formatNumber(costCredits)} credits</b>`],
    ['Model', `${model}${mode === null ? '' : `, ${mode}`}`],
    ['State', endedAt === null ? `${status} for ${age}` : `${status} after ${age}`],
    ['Created', timestamp(createdAt)],
    ['Files', outputs.length === 0 ? null : String(outputs.length)],
  ];
}

function accountLines(account: Account, now: number): Line[] {
  const { lots, inFlightCredits, running, waiting, createdAt, keys } = account;
  return [
    [
      'Credits',
      `${formatNumber(availableCredits(lots, now))}, and ${formatNumber(inFlightCredits)} in flight`,
    ],
    ['Under way', `${running} running, ${waiting} waiting`],
    ['Keys', String(keys.length)],
    ['Since', timestamp(createdAt)],
  ];
}
