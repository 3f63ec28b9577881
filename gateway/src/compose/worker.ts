import { createJobs } from '../adapters/agenda/createJobs.ts';
import { createSmtpMailer, type SmtpMailer } from '../adapters/mail/mailers.ts';
import { workerName } from '../adapters/mongo/releaseHeld.ts';
import { createNoticeStore } from '../adapters/mongo/noticeStore.ts';
import { createMailStore } from '../adapters/mongo/mailStore.ts';
import { createWorkStore } from '../adapters/mongo/workStore.ts';
import { createPoller } from '../application/generations/pollDue.ts';
import { giveUpAfter } from '@framegate/limits';
import { createTellNews } from '../application/site/tellNews.ts';
import { sendDueMails } from '../application/site/mailQueue.ts';
import { runGeneration } from '../application/generations/runGeneration.ts';
import { createUpkeep, laneJobs, lanes, type Lane } from '../application/upkeep/lanes.ts';
import { watchWork } from '../application/upkeep/watchWork.ts';
import type { App } from './app.ts';

/** Generations that one process starts or finishes in parallel. */
const runsAtOnce = 50;
/** How long a stop waits for aborted work, in ms. */
const abortedMs = 10_000;

/** Starts the worker's part: Agenda and its jobs. */
export async function composeWorker(app: App): Promise<{ stop(graceMs: number): Promise<void> }> {
  const { log, mongo, work } = app;
  const cut = new AbortController();
  const poller = createPoller(work, cut.signal);
  const tellNews = createTellNews({
    ...work,
    notices: createNoticeStore(mongo.models, mongo.collections),
    sendMail: app.sendMail,
    accountUrl: app.config.urls.account,
  });
  const upkeep = createUpkeep(work, tellNews);
  const mailer = await openMailer(app);
  const workStore = createWorkStore(mongo.collections, mongo.clock, mongo.processId);
  const jobs = createJobs({
    db: mongo.db,
    log,
    clock: mongo.clock,
    processName: workerName(mongo.processId),
    work: workStore,
    watchWork: ({ mayWork, runDue }) =>
      watchWork(
        { work: workStore, log, mayWork },
        {
          runDue,
          poll: (signal) => poller.pollDue(signal),
          ...(mailer && { sendMails: (signal) => sendMails(app, mailer, signal) }),
        },
      ),
    wakeUps: mongo.database.jobs,
    runsAtOnce,
    lanes: laneJobs(work.timings.reconcileEveryMs),
    timings: work.timings,
    handlers: {
      run: (job, cut) => runGeneration(work, job, cut),
      upkeep: (name, index, signal) => {
        const lane = name as Lane;
        return upkeep.round(lane, { index, count: lanes[lane] }, signal);
      },
    },
  });
  await jobs.start();
  return {
    async stop(graceMs) {
      const grace = setTimeout(() => {
        cut.abort(new Error('the process is stopping'));
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

/** The operator's mail server, checked once: mails wait until it answers. */
async function openMailer({ config, log }: App): Promise<SmtpMailer | null> {
  const { smtpUrl, from } = config.mail;
  if (smtpUrl === null) return null;
  const mailer = await createSmtpMailer({ smtpUrl, from });
  void mailer.check().then((problem) => {
    if (problem === null) return;
    log.warn({ problem }, 'the mail server of SMTP_URL does not accept mails; they stay queued');
  });
  return mailer;
}

function sendMails(app: App, { deliver }: SmtpMailer, signal: AbortSignal): Promise<void> {
  const { log, random, secrets, measured } = app;
  const { clock, models } = app.mongo;
  return sendDueMails(
    {
      mails: createMailStore(models),
      deliver,
      clock,
      random,
      log,
      secrets: secrets.sessionKeys,
      record: measured.recordMail,
    },
    signal,
  );
}
