import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type {
  AuditPage,
  AuditThreads,
  PageFindings,
} from '../application/credits/audit/auditPage.ts';
import { CommandError } from '../domain/installation/commandError.ts';

/** Start data of a thread of `ledger verify`. */
export interface LedgerThreadData {
  uri: string;
  moment: string;
}

/** A page to check, or the end of the pages. */
export type LedgerThreadQuestion = { number: number; page: AuditPage } | 'end';

/** The findings of a page, or the refusal that ended its check. */
export type LedgerThreadResponse =
  | { number: number; findings: PageFindings }
  | { number: number; refusal: string }
  | { number: number; error: string };

/** Maximum threads besides the command's own; more would only wait for the database. */
const maxThreads = 3;

/** The threads of "ledger verify". @param uri The database to read. */
export function createLedgerThreads(
  uri: string,
  { count = Math.min(maxThreads, availableParallelism() - 1), afterPages = 16 } = {},
): AuditThreads {
  return {
    count,
    afterPages,
    start(moment) {
      const workerData: LedgerThreadData = { uri, moment };
      const worker = new Worker(new URL('./ledgerThread.ts', import.meta.url), { workerData });
      const waiting = new Map<number, PromiseWithResolvers<PageFindings>>();
      let over: Error | null = null;
      let pages = 0;
      const fail = (error: Error) => {
        over ??= error;
        for (const { reject } of waiting.values()) reject(over);
        waiting.clear();
      };
      const ended = new Promise<void>((resolve) => {
        worker.once('exit', () => {
          fail(new Error('a thread of the check has ended'));
          resolve();
        });
      });
      worker.once('error', fail);
      worker.on('message', (response: LedgerThreadResponse) => {
        const page = waiting.get(response.number);
        waiting.delete(response.number);
        if ('findings' in response) page?.resolve(response.findings);
        else if ('refusal' in response) page?.reject(new CommandError(response.refusal));
        else page?.reject(new Error(response.error));
      });
      const ask = (question: LedgerThreadQuestion) => {
        worker.postMessage(question);
      };
      return {
        async check(page) {
          if (over) throw over;
          pages += 1;
          const resolvers = Promise.withResolvers<PageFindings>();
          waiting.set(pages, resolvers);
          ask({ number: pages, page });
          return resolvers.promise;
        },
        async end() {
          // After a failure its pages are useless.
          if (waiting.size > 0) await worker.terminate();
          else ask('end');
          await ended;
        },
      };
    },
  };
}
