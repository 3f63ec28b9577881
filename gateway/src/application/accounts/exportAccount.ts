import type { Readable } from 'node:stream';
import { minuteMs } from '@framegate/contract';
import { yieldInPieces } from '@framegate/limits';
import type { Account } from '../../domain/accounts/account.ts';
import { sessionIdleMs } from '../../domain/signIn/session.ts';
import { teamNameOf } from '../../domain/teams/teamName.ts';
import { isoTime, isoTimeOrNull } from '../../domain/time/isoTime.ts';
import type { App } from '../app.ts';
import { presentFailure, removalOf } from '../generations/presentGeneration.ts';
import { noticeKinds, wantsNotice } from '../mails/notices.ts';
import { presentCredits, presentEntry, presentPlan } from '../operator/present.ts';
import type { HistoryItem } from '../ports/generations.ts';
import { countAttempt } from '../signIn/attempts.ts';
import { findTeams } from '../teams/team.ts';

/** A file of the archive, read on demand. */
export interface ExportedFile {
  name: string;
  /** Time in ms since the epoch. */
  lastModified: number;
  input: string | AsyncIterable<Uint8Array> | Readable;
}

/** How long files are added, in ms: less than an archive may take. The last file lists the rest. */
export const addFilesWithinMs = 12 * minuteMs;
/** Generations or ledger entries per read: prompts are long, and the thread decodes a page at once. */
const pageSize = 50;
const encoder = new TextEncoder();

type ExportDeps = Pick<
  App,
  | 'database'
  | 'clock'
  | 'attempts'
  | 'brand'
  | 'media'
  | 'sessions'
  | 'notices'
  | 'customerFactors'
  | 'collections'
>;

/**
 * Everything kept about a person's own account, as files of an archive: JSON with names and times like those of the
 * API, then the files of results, the newest first. Read page by page while the archive is sent. Call only after the
 * proof of the person.
 * @throws Refusal beyond ten an hour.
 */
export async function exportAccount(
  deps: ExportDeps,
  account: Account,
): Promise<AsyncGenerator<ExportedFile>> {
  await countAttempt(deps, 'accountExport', account.id);
  return listFiles(deps, account);
}

async function* listFiles(deps: ExportDeps, account: Account): AsyncGenerator<ExportedFile> {
  const { clock } = deps;
  const startedAt = clock.now();
  const file = (name: string, input: ExportedFile['input']) => ({
    name,
    lastModified: startedAt,
    input,
  });
  const json = (name: string, value: unknown) => file(name, `${JSON.stringify(value, null, 2)}\n`);
  yield json('account.json', await describeAccount(deps, account, startedAt));
  yield json('keys.json', keysOf(account));
  yield json('teams.json', await listTeamPeople(deps, account));
  yield json('sessions.json', await listSessions(deps, account));
  yield json('uploads.json', await listUploads(deps, account));
  const collections = await deps.collections.listOfAccount(account.id);
  yield json(
    'collections.json',
    collections.map(({ id, name, createdAt }) => ({ id, name, created_at: isoTime(createdAt) })),
  );
  yield file('ledger.jsonl', writeLines(listLedger(deps, account.id), presentEntry));
  yield file('generations.jsonl', writeLines(listHistory(deps, account.id), exportedGeneration));
  const leftOut: string[] = [];
  for await (const item of listHistory(deps, account.id)) {
    if (removalOf(item, clock.now()).isRemoved) continue;
    for (const [index, { key, extension }] of item.outputs.entries()) {
      const name = `files/${item.id}-${index + 1}.${extension}`;
      const media = clock.now() - startedAt < addFilesWithinMs ? await deps.media.open(key) : null;
      if (!media) {
        leftOut.push(name);
        continue;
      }
      try {
        yield { name, lastModified: item.endedAt ?? startedAt, input: media.stream };
      } finally {
        media.stream.destroy();
      }
    }
  }
  if (leftOut.length > 0) yield json('not-included.json', leftOut);
}

async function describeAccount(deps: ExportDeps, account: Account, nowMs: number): Promise<object> {
  const {
    id,
    email,
    isVerified,
    status,
    identities = [],
    creditRequest,
    plan,
    createdAt,
  } = account;
  const factor = await deps.customerFactors.find(id);
  const choices = await deps.notices.find(id);
  return {
    id,
    email,
    email_verified: isVerified,
    status,
    created_at: isoTime(createdAt),
    second_factor_since: isoTimeOrNull(factor?.enabledAt ?? null),
    sign_ins: identities.map(({ issuer, subject, linkedAt }) => ({
      issuer,
      subject,
      linked_at: isoTime(linkedAt),
    })),
    mails: {
      ...Object.fromEntries(noticeKinds.map(({ kind }) => [kind, wantsNotice(choices, kind)])),
      credits_below: choices.creditsBelow,
    },
    credit_request: creditRequest
      ? {
          asked_at: isoTime(creditRequest.askedAt),
          missing: creditRequest.missing ?? null,
          message: creditRequest.message,
          state: creditRequest.state,
        }
      : null,
    plan: plan ? presentPlan(id, plan) : null,
    credits: presentCredits(account, nowMs),
  };
}

const keysOf = ({ keys }: Account): object[] =>
  keys.map((key) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    models: key.models,
    hosts: key.hosts,
    daily_credits: key.dailyCredits ?? null,
    monthly_credits: key.monthlyCredits ?? null,
    made_by: key.madeBy?.email ?? null,
    created_at: isoTime(key.createdAt),
    revoked_at: isoTimeOrNull(key.revokedAt),
  }));

async function listTeamPeople(deps: ExportDeps, account: Account): Promise<object> {
  const { members = [], invitations = [] } = account;
  return {
    member_of: (await findTeams(deps, account)).map(({ role, ...team }) => ({
      account_id: team.id,
      name: teamNameOf(team),
      owner: team.email,
      role,
    })),
    members: members.map(({ email, role, joinedAt }) => ({
      email,
      role,
      joined_at: isoTime(joinedAt),
    })),
    invitations: invitations.map(({ email, role, sentAt }) => ({
      email,
      role,
      sent_at: isoTime(sentAt),
    })),
  };
}

async function listSessions({ sessions }: ExportDeps, { id }: Account): Promise<object[]> {
  return (await sessions.list(id, sessionIdleMs)).map((session) => ({
    browser: session.userAgent,
    address: session.address,
    created_at: isoTime(session.createdAt),
    seen_at: isoTime(session.seenAt),
  }));
}

async function listUploads({ database }: ExportDeps, { id }: Account): Promise<object[]> {
  return (await database.uploads.listOfAccount(id)).map((upload) => ({
    id: upload.id,
    type: upload.type,
    bytes: upload.bytes,
    source: upload.source,
    created_at: isoTime(upload.createdAt),
    expires_at: isoTime(upload.expiresAt),
  }));
}

async function* listLedger({ database }: ExportDeps, accountId: string) {
  for (let after = 0; ;) {
    const page = await database.ledger.listOldest(accountId, after, pageSize);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.number;
  }
}

async function* listHistory({ database }: ExportDeps, accountId: string) {
  for (let before: string | null = null; ;) {
    const { items, older } = await database.generations.searchHistory(
      accountId,
      {},
      before,
      pageSize,
    );
    yield* items;
    if (older === null) return;
    before = older;
  }
}

const exportedGeneration = (item: HistoryItem): object => ({
  id: item.id,
  type: item.type,
  model: item.model,
  mode: item.mode,
  prompt: item.prompt,
  parameters: item.parameters,
  status: item.status,
  created_at: isoTime(item.createdAt),
  completed_at: isoTimeOrNull(item.endedAt),
  cost_credits: item.costCredits,
  refunded_credits: item.refundedCredits,
  key_id: item.keyId,
  favourite: item.isFavourite === true,
  files: item.outputs.length,
  ...(item.failure && { error: presentFailure(item.failure) }),
});

/** One line of JSON for each item. */
async function* writeLines<T>(
  items: AsyncIterable<T>,
  present: (item: T) => object,
): AsyncGenerator<Uint8Array> {
  for await (const piece of yieldInPieces(writeTexts(items, present))) yield encoder.encode(piece);
}

async function* writeTexts<T>(items: AsyncIterable<T>, present: (item: T) => object) {
  for await (const item of items) yield `${JSON.stringify(present(item))}\n`;
}
