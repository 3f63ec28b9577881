import { giveUpAfter } from '@framegate/limits';
import { createJobs } from '../adapters/agenda/createJobs.ts';
import { createSmtpMailer, type SmtpMailer } from '../adapters/mail/mailers.ts';
import { createWorkStore } from '../adapters/mongo/generations/workStore.ts';
import { workerName } from '../adapters/mongo/jobs/releaseLeases.ts';
import { createPoller } from '../application/generations/run/pollDue.ts';
import { runGeneration } from '../application/generations/run/runGeneration.ts';
import { sendDueMails } from '../application/mails/mailQueue.ts';
import { createSendNotices } from '../application/mails/sendNotices.ts';
import {
  createUpkeep,
  upkeepJobs,
  type UpkeepTask,
  upkeepTasks,
} from '../application/upkeep/upkeepTasks.ts';
import { watchWork } from '../application/upkeep/watchWork.ts';
import type { CoreParts } from './core.ts';

/** Generations that one process starts or finishes in parallel. */
const maxRunsAtOnce = 50;
/** How long a stop waits for aborted work, in ms. */
const abortedMs = 10_000;

/** Starts the worker's part: Agenda and its jobs. */
export async function composeWorker(
  core: CoreParts,
): Promise<{ stop(graceMs: number): Promise<void> }> {
  const { log, mongo, clock } = core;
  const abortRuns = new AbortController();
  const poller = createPoller(core, abortRuns.signal);
  const upkeep = createUpkeep(core, createSendNotices(core));
  const mailer = await openMailer(core);
  const workStore = createWorkStore(mongo.collections, clock, mongo.processId);
  const jobs = createJobs({
    db: mongo.db,
    log,
    clock,
    processName: workerName(mongo.processId),
    work: workStore,
    watchWork: ({ mayWork, runDue }) =>
      watchWork(
        { work: workStore, log, mayWork, lookEveryMs: core.timings.lookEveryMs },
        {
          runDue,
          poll: (signal) => poller.pollDue(signal),
          ...(mailer && { sendMails: (signal) => sendDueMails({ ...core, ...mailer }, signal) }),
        },
      ),
    wakeUps: core.database.jobs,
    maxRunsAtOnce,
    upkeepTasks: upkeepJobs(core.timings.upkeepEveryMs),
    timings: core.timings,
    handlers: {
      run: (job, signal) => runGeneration(core, job, signal),
      runUpkeep: (name, index, signal) => {
        const task = name as UpkeepTask;
        return upkeep.runRound(task, { index, count: upkeepTasks[task] }, signal);
      },
    },
  });
  await jobs.start();
  return {
    async stop(graceMs) {
      const grace = setTimeout(() => {
        abortRuns.abort(new Error('the process is stopping'));
      }, graceMs);
      poller.release();
      const drained = jobs.stop(graceMs).then(() => poller.drain());
      // Aborted work ends within moments; the process does not wait for work that does not.
      await giveUpAfter(graceMs + abortedMs, drained).finally(() => {
        clearTimeout(grace);
        mailer?.close();
      });
    },
  };
}

/** The operator's mail server, checked once: emails wait until it answers. */
async function openMailer({ config, log }: CoreParts): Promise<SmtpMailer | null> {
  const { smtpUrl, from } = config.mail;
  if (smtpUrl === null) return null;
  const mailer = await createSmtpMailer({ smtpUrl, from });
  void mailer.check().then((problem) => {
    if (problem === null) return;
    log.warn({ problem }, 'mail server in SMTP_URL does not accept emails; they stay queued');
  });
  return mailer;
}
