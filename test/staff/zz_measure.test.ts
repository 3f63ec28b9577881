import { test } from '@jest/globals';
import { startTestGateway } from '../support/gateway.ts';
import { enrolStaff } from './browse.ts';
import { jobDocument } from '../../gateway/src/adapters/mongo/jobStore.ts';

test('100,000', async () => {
  const gateway = await startTestGateway({ ROLE: 'api' });
  const { collections, clock } = gateway.gateway.database;
  const { browser } = await enrolStaff(gateway, 'admin');
  const account = await gateway.addAccount();
  const now = clock.now();
  const n = 100_000;
  let last = '';
  const ids: string[] = [];
  for (let from = 0; from < n; from += 2000) {
    const docs: any[] = [];
    const jobs: any[] = [];
    for (let i = from; i < from + 2000; i += 1) {
      const id = gateway.gateway.random.newId('gen');
      ids.push(id);
      const open = i % 10 === 0;
      const status = open ? 'processing' : i % 20 === 1 ? 'failed' : 'completed';
      const createdAt = new Date(now - (n - i) * 700);
      docs.push({
        _id: id,
        accountId: i % 500 === 0 ? account.accountId : `acct_${String(i % 5000).padStart(26, '0')}`,
        channel: 'api',
        keyId: account.keyId,
        requestId: gateway.gateway.random.newId('req'),
        type: 'video',
        model: ['alpha-2.0-mini', 'alpha-2.0-pro', 'beta-3.0'][i % 3],
        mode: 'text-to-video',
        prompt: 'A paper boat sails across a sea of ink '.repeat(5),
        inputs: [],
        parameters: {
          duration_seconds: 5,
          resolution: '720p',
          aspect_ratio: '16:9',
          generate_audio: false,
          seed: 7,
          real_person_mode: false,
        },
        realPerson:
          i % 100 === 0
            ? { consentReference: `consent ${i}`, policyVersion: 'x', callerAddress: '1.2.3.4' }
            : null,
        costCredits: 70,
        charge: [],
        status,
        step: open ? 'submitted' : 'ended',
        open,
        waits: false,
        createdAt,
        startedAt: createdAt,
        endedAt: open ? null : new Date(createdAt.getTime() + 60_000),
        deadlineAt: new Date(now + 3600_000),
        dueAt: new Date(now + 3600_000),
        leaseUntil: new Date(0),
        epoch: 1,
        storedInputs: null,
        attempts: [
          {
            number: 1,
            provider: 'ark',
            model: 'upstream',
            startedAt: createdAt,
            outcome: open ? 'accepted' : i % 2000 === 1 ? 'unknown' : 'completed',
            operation: { taskId: `cgt-${i}` },
            note: null,
          },
        ],
        upstreamIds: [`cgt-${i}`],
        outputs: [],
        outputsDeleteAt: null,
        outputsDeletedAt: null,
        tidyAt: null,
        failure: status === 'failed' ? { code: 'generation_failed' } : null,
        replay: null,
        timeline: [{ at: createdAt, what: 'accepted' }],
      });
      jobs.push(jobDocument(id, now + (i % 7200) * 1000 - 3600));
    }
    await collections.generations.insertMany(docs, { ordered: false });
    await collections.jobs.insertMany(jobs, { ordered: false });
  }
  last = ids[77_770]!;
  await collections.jobs.createIndex(
    { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 },
    { name: 'findAndLockNextJobIndex' },
  );
  const one = await collections.generations.findOne({ _id: last });
  const time = async (name: string, work: () => Promise<{ status: number }>, times = 7) => {
    const ms: number[] = [];
    let status = 0;
    for (let i = 0; i < times; i += 1) {
      const t = performance.now();
      status = (await work()).status;
      ms.push(performance.now() - t);
    }
    const first = ms[0]!.toFixed(0);
    ms.sort((a, b) => a - b);
    console.log(
      `${name}: status ${status}, first ${first} ms, median ${ms[Math.floor(ms.length / 2)]!.toFixed(1)} ms, max ${ms.at(-1)!.toFixed(1)} ms`,
    );
  };
  await browser.get('/staff');
  const search = (q: string) => () => browser.send('/staff/search', { q });
  await time('search id', search(last));
  await time('search request', search(String(one?.['requestId'])));
  await time('search task', search('cgt-77771'));
  await time('search consent', search('consent 77700'));
  await time('search account', search(account.accountId));
  await time('search last four', search(`fg_live_…${account.apiKey.slice(-4)}`));
  await time('search nothing', search('no such thing anywhere'));
  await time('generation page', () => browser.get(`/staff/generations/${last}`));
  await time('account page', () => browser.get(`/staff/accounts/${account.accountId}`));
  await time('unknown', () => browser.get('/staff/unknown'));
  await time('overview', () => browser.get('/staff'));
  const rss0 = process.memoryUsage().rss;
  globalThis.gc?.();
  await time('jobs page', () => browser.get('/staff/jobs/api?limit=50'));
  await time('jobs named', () =>
    browser.get('/staff/jobs/api?limit=50&job=generation.run&state=scheduled'),
  );
  await time('jobs failed', () => browser.get('/staff/jobs/api?limit=50&state=failed'));
  await time('jobs page 100', () => browser.get('/staff/jobs/api?limit=50&skip=5000'));
  await time('jobs search', () => browser.get(`/staff/jobs/api?limit=50&q=${last}`));
  console.log('rss', (process.memoryUsage().rss - rss0) / 1e6, 'MB');
  await new Promise((r) => setTimeout(r, 5200));
  await time('overview uncached', () => browser.get('/staff'), 1).catch(() => undefined);
  await time('jobs uncached', () => browser.get('/staff/jobs/api?limit=50'), 1).catch(
    () => undefined,
  );
  await gateway.stop();
}, 300_000);
