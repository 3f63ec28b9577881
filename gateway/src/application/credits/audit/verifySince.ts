import { minuteMs } from '@framegate/contract';
import type {
  AuditedAccount,
  AuditedGeneration,
  CheckedAccount,
  Checkpoint,
  GenerationToCheck,
  LedgerAudit,
} from '../../ports/ledgerAudit.ts';
import { auditAccount } from './auditAccount.ts';
import { auditCounters, auditNames } from './auditNames.ts';
import {
  auditDoubts,
  type AuditReport,
  collectProblems,
  type SettledDoubts,
} from './auditReport.ts';
import {
  addUnfinished,
  noUnfinished,
  recordUnowned,
  type UnfinishedSums,
} from './unfinishedSums.ts';
import { type RequestedCheckpoint, withCheckpoint } from './verifyLedger.ts';

/** Longest time from the moment in a generation's id until it is stored, in ms. */
const storedWithinMs = 10 * minuteMs;

const doubtOf = ({ id, accountId }: AuditedGeneration): GenerationToCheck => ({
  generationId: id,
  accountId,
});

/**
 * Checks the time since a checkpoint: all accounts against their newer entries, the newer generations, and those
 * unfinished at the checkpoint. Manual changes to data that was right at the checkpoint go unnoticed.
 * @param checkpoint The next one, kept if there is no problem.
 */
export function verifySince(
  { ledgerAudit }: { ledgerAudit: LedgerAudit },
  since: Checkpoint,
  checkpoint: RequestedCheckpoint | null = null,
): Promise<AuditReport> {
  return ledgerAudit.runInSnapshot(null, async (snapshot) => {
    const { record, report } = collectProblems();
    const settled: SettledDoubts = new Map();
    const check = (doubts: readonly GenerationToCheck[]) =>
      auditDoubts(snapshot, doubts, settled, record, true);
    const names = auditNames(snapshot, record);
    const unfinished = new Map<string, UnfinishedSums>();
    const unfinishedIds: string[] = [];
    for await (const page of snapshot.listUnfinished()) {
      for (const generation of page) addUnfinished(unfinished, generation);
      unfinishedIds.push(...page.map(({ id }) => id));
      await check(page.map(doubtOf));
    }
    return withCheckpoint(checkpoint, unfinishedIds, async (keep) => {
      for await (const page of snapshot.listGenerationsSince(since.at - storedWithinMs)) {
        await check(page.map(doubtOf));
      }
      await check(since.open.map((generationId) => ({ generationId, accountId: null })));

      async function checkAccount(account: AuditedAccount, before: CheckedAccount | undefined) {
        const one = auditAccount(account, record, before);
        if (account.ledgerEntries !== (before?.entries ?? 0)) {
          for await (const page of snapshot.listEntriesAfter(account.id, before?.entries ?? 0)) {
            for (const entry of page) {
              one.add(entry);
              await names.addEntry(entry);
            }
            // A refund of an older generation.
            await check(
              page.flatMap(({ generationId, accountId }) =>
                typeof generationId === 'string' ? [{ generationId, accountId }] : [],
              ),
            );
          }
        }
        one.finish(unfinished.get(account.id) ?? noUnfinished);
        await names.addAccount(account);
        unfinished.delete(account.id);
      }

      const former = since.listAccounts()[Symbol.asyncIterator]();
      let next = await former.next();
      const recordGone = ({ id }: CheckedAccount) => {
        record('I1', `accounts/${id}`, 'was there at the checkpoint and is gone');
      };
      let accounts = 0;
      for await (const page of snapshot.listAccounts()) {
        await keep(page);
        accounts += page.length;
        for (const account of page) {
          while (next.done !== true && next.value.id < account.id) {
            recordGone(next.value);
            next = await former.next();
          }
          const isKnown = next.done !== true && next.value.id === account.id;
          await checkAccount(account, isKnown ? (next.value as CheckedAccount) : undefined);
          if (isKnown) next = await former.next();
        }
      }
      for (; next.done !== true; next = await former.next()) recordGone(next.value);
      recordUnowned(unfinished, record);
      await names.finish();
      await auditCounters(snapshot, null, record);
      return { ...report, accounts, generations: settled.size };
    });
  });
}
