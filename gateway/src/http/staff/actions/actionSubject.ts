import type { AppCore } from '../../../application/app.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import type { ApiKey } from '../../../domain/accounts/apiKey.ts';
import { availableCredits } from '../../../domain/credits/credits.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { formatDuration, formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { facts } from '../elements.ts';

/** Current subject of an action; null for parts that do not exist. */
export interface ActionSubject {
  generation: Generation | null;
  account: Account | null;
  key: ApiKey | null;
}

/**
 * Loads the subject of an action.
 * @param about.targetId Id of a generation or an account.
 * @param about.keyId Key id from the form; may be empty.
 */
export async function loadSubject(
  { database }: Pick<AppCore, 'database'>,
  { targetId, keyId }: { targetId: string; keyId: string },
): Promise<ActionSubject> {
  const generation = await database.generations.find(targetId);
  const account = await database.accounts.find(generation?.accountId ?? targetId);
  return { generation, account, key: account?.keys.find(({ id }) => id === keyId) ?? null };
}

/** Summary of the subject, above the form. */
export function subjectPart({ generation, account, key }: ActionSubject, nowMs: number): Html {
  const customer =
    account && html`<a href="/staff/accounts/${account.id}"><b>${account.email}</b></a>`;
  return facts([
    ['Customer', customer],
    ...(generation
      ? generationLines(generation, nowMs)
      : account
        ? accountLines(account, nowMs)
        : []),
    [
      'Key',
      key &&
        html`<b>${key.name}</b> …${key.lastFour}, created ${timestamp(key.createdAt)}
          (<code>${key.id}</code>)`,
    ],
  ]);
}

type FactLine = readonly [string, Html | string | null];

function generationLines(generation: Generation, nowMs: number): FactLine[] {
  const { model, mode, status, costCredits, createdAt, endedAt, outputs } = generation;
  const age = formatDuration((endedAt ?? nowMs) - createdAt);
  return [
    ['Charged', html`<b>${formatNumber(costCredits)} credits</b>`],
    ['Model', `${model}${mode === null ? '' : `, ${mode}`}`],
    ['Status', endedAt === null ? `${status} for ${age}` : `${status} after ${age}`],
    ['Created', timestamp(createdAt)],
    ['Files', outputs.length === 0 ? null : String(outputs.length)],
  ];
}

function accountLines(account: Account, nowMs: number): FactLine[] {
  const { lots, inFlightCredits, running, waiting, createdAt, keys } = account;
  return [
    [
      'Credits',
      `${formatNumber(availableCredits(lots, nowMs))}, ${formatNumber(inFlightCredits)} held`,
    ],
    ['Generations', `${running} running, ${waiting} waiting`],
    ['Keys', String(keys.length)],
    ['Since', timestamp(createdAt)],
  ];
}
