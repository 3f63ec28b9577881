import { parentPort, workerData } from 'node:worker_threads';
import { connectMongo } from '../adapters/mongo/connectMongo.ts';
import { createLedgerAudit } from '../adapters/mongo/credits/ledgerAudit.ts';
import { describeLostSnapshot } from '../adapters/mongo/errors.ts';
import { auditPage } from '../application/credits/audit/auditPage.ts';
import { noLog } from '../application/ports/system.ts';
import type {
  LedgerThreadData,
  LedgerThreadQuestion,
  LedgerThreadResponse,
} from './ledgerThreads.ts';

/** A thread of "ledger verify": checks the pages that it receives against one snapshot until asked to end. */
const { uri, moment } = workerData as LedgerThreadData;
const mongo = await connectMongo({
  uri,
  log: noLog,
  self: { id: `thread of ${process.pid}`, role: 'command' },
  isReadOnly: true,
  poolSize: 4,
});
try {
  const audit = createLedgerAudit(mongo.client, mongo.collections);
  await audit.runInSnapshot(null, (snapshot) => respondToAll(snapshot), moment);
} finally {
  await mongo.close();
}

function respondToAll(snapshot: Parameters<typeof auditPage>[0]): Promise<void> {
  const respond = (message: LedgerThreadResponse) => parentPort?.postMessage(message);
  return new Promise((resolve) => {
    parentPort?.on('message', (question: LedgerThreadQuestion) => {
      if (question === 'end') {
        parentPort?.close();
        resolve();
        return;
      }
      const { number, page } = question;
      auditPage(snapshot, page).then(
        (findings) => {
          respond({ number, findings });
        },
        (error: unknown) => {
          const refusal = describeLostSnapshot(error);
          respond(refusal === null ? { number, error: String(error) } : { number, refusal });
        },
      );
    });
  });
}
