import type { Router } from '@koa/router';
import { runNow } from '../../application/staff/generationActions.ts';
import { jobStates, type JobDocument } from '../../application/staff/ports.ts';
import { isJobOfLane } from '../../application/ports/upkeep.ts';
import { runAction } from '../../application/staff/runAction.ts';
import { Refusal } from '../../domain/refusal.ts';
import { createJsonParser } from '../jsonBody.ts';
import { answerJson } from '../context.ts';
import type { Next } from '../pages/context.ts';
import { addressOf, filterLinks, listLinks, queryOf } from '../pages/elements.ts';
import { html, formatNumber, timestamp, type Html } from '../pages/html.ts';
import {
  shownProblem,
  badge,
  generationLink,
  table,
  showPage,
  actorOf,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';
import { mayDo } from '../../domain/staffRights.ts';
import { needs } from './needs.ts';

const maxIds = 100;
const parseBody = createJsonParser(64 * 1024);

/** Additions to Agendash's page: links to generations; unused buttons are hidden. */
export const jobsPageHead =
  '<link rel="stylesheet" href="/staff/jobs.css"><script src="/staff/jobs.js"></script>';

/** Hides "Look now" from roles that may not use it. */
const withoutLookNow = "<style>[title^='Retry'] { display: none !important; }</style>";

/** Content policy of Agendash, which needs inline styles; otherwise as strict as for other pages. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Agendash for staff, read-only except for "look now", which runs our use case. Nothing here retries a running
 * job, creates a job or changes a final generation.
 */
export function jobPages(router: Router<StaffState>, console: StaffConsole): void {
  const { deps, jobs } = console;
  router.get('/staff/jobs/api', needs('see'), async (ctx: StaffContext) => {
    answer(ctx, 200, await jobs.jobs(ctx.query));
  });
  router.get('/staff/jobs/api/*rest', needs('see'), (ctx: StaffContext) => {
    answer(ctx, 404, { error: 'Not available here. See the overview.' });
  });
  router.get('/staff/jobs/{*file}', needs('see'), (ctx: StaffContext) => {
    const file = jobs.file(ctx.path.slice('/staff/jobs/'.length));
    if (!file) {
      answer(ctx, 404, { error: 'There is no such file.' });
      return;
    }
    ctx.set({ 'Content-Type': file.type, 'Content-Security-Policy': pagePolicy });
    const { body } = file;
    ctx.body =
      typeof body !== 'string' || mayLookNow(ctx)
        ? body
        : body.replace('</head>', `${withoutLookNow}</head>`);
  });

  router.post(
    '/staff/jobs/api/jobs/retry',
    needs('look now'),
    requireJson,
    async (ctx: StaffContext) => {
      const ids = idsOf(ctx);
      if (ids.length === 0) {
        answer(ctx, 400, { error: 'Select at least one job.' });
        return;
      }
      let retriedCount = 0;
      const problems: string[] = [];
      for (const jobId of ids) {
        try {
          await runNowAt(ctx, jobId);
          retriedCount += 1;
        } catch (error) {
          problems.push(shownProblem(error).problem);
        }
      }
      if (problems.length === 0) answer(ctx, 200, { retriedCount });
      else answer(ctx, 409, { retriedCount, error: problems.join(' ') });
    },
  );
  router.post('/staff/jobs/api/*rest', needs('look now'), (ctx: StaffContext) => {
    answer(ctx, 403, {
      error: 'Jobs are read-only here, except for "Look now".',
    });
  });

  async function runNowAt(ctx: StaffContext, jobId: string): Promise<void> {
    const generationId = await deps.queries.byJobId(jobId);
    if (generationId === null) {
      throw new Refusal('job_without_generation', { values: { job: jobId } });
    }
    const actor = actorOf(ctx);
    const plan = {
      action: 'look now' as const,
      targets: [generationId, jobId],
      reason: 'from the jobs page',
      formId: null,
    };
    await runAction(deps, actor, plan, () => runNow(deps, generationId, actor.email));
  }
}

function answer(ctx: StaffContext, status: number, body: unknown): void {
  answerJson(ctx, status, JSON.stringify(body));
}

/** Requires a JSON body, which forms of other sites cannot send. */
async function requireJson(ctx: StaffContext, next: Next): Promise<void> {
  if (!ctx.is('application/json')) {
    answer(ctx, 415, { error: 'Send JSON.' });
    return;
  }
  ctx.state.json = await parseBody(ctx);
  await next();
}

function idsOf(ctx: StaffContext): string[] {
  const { jobIds: ids } = ctx.state.json as { jobIds?: unknown };
  if (!Array.isArray(ids)) return [];
  return ids
    .filter((id): id is string => typeof id === 'string' && /^[0-9a-f]{24}$/.test(id))
    .slice(0, maxIds);
}

const path = '/staff/jobs';
const perPage = 50;

/**
 * List of Agenda's jobs, read-only except for "look now", which leaves an entry in the audit log.
 */
export function jobListPages(router: Router<StaffState>, { jobQueries }: StaffConsole): void {
  router.get(path, needs('see'), async (ctx: StaffContext) => {
    const query = queryOf(ctx.query, ['q', 'kind', 'state', 'before']);
    const state = jobStates.find((each) => each === query['state']);
    const skip = /^\d{1,4}$/.test(query['before'] ?? '') ? Number(query['before']) : 0;
    const search = query['q'] ?? '';
    const ofUpkeep = query['kind'] === 'upkeep';
    const [{ jobs, total }, counts] = await Promise.all([
      jobQueries.page({ ofUpkeep, state, search, skip, limit: perPage }),
      jobQueries.counts(),
    ]);
    const choices = jobStates.map((each) => {
      const sum = counts
        .filter(({ name }) => isJobOfLane(name) === ofUpkeep)
        .reduce((all, line) => all + line[each], 0);
      return [each, `${each} ${formatNumber(sum)}`] as const;
    });
    const older = skip + jobs.length < total && jobs.length > 0 ? skip + perPage : null;
    const content = html`<h1>Jobs</h1>
      <p class="quiet">
        A job only wakes a worker; the state is in the generation. Missing jobs are created again
        within 30 seconds.
      </p>
      <form class="inline" action="${path}" role="search">
        ${ofUpkeep && html`<input type="hidden" name="kind" value="upkeep" />`}
        ${state !== undefined && html`<input type="hidden" name="state" value="${state}" />`}
        <label class="visually-hidden" for="job">Generation, job, or a part of its name</label>
        <input
          id="job"
          type="search"
          name="q"
          value="${search}"
          placeholder="Generation, job or name"
        />
        <button class="small">Filter</button>
      </form>
      ${filterLinks('Jobs of', path, { q: query['q'], kind: query['kind'] }, 'kind', [
        ['', 'generations'],
        ['upkeep', 'upkeep'],
      ])}
      ${filterLinks('State', path, query, 'state', [['', 'all'], ...choices])}
      ${table(
        columns,
        jobs.map((job) => row(job, mayLookNow(ctx))),
        'No jobs.',
      )}
      ${listLinks(path, query, older)}
      <p><a href="/staff/jobs/">Show in Agendash</a></p>`;
    showPage(ctx, 'Jobs', content);
  });
}

/** Address of the jobs of one generation. */
export const jobsOf = (generationId: string) => addressOf(path, { q: generationId });

const columns = ['Job', 'State', 'Next run (UTC)', 'Failures in a row', 'Last failure', 'Lock', ''];

const mayLookNow = ({ state: { staff } }: StaffContext) =>
  staff !== null && mayDo(staff.staffRole, 'look now');

function row(job: JobDocument, looksNow: boolean): (Html | string | number | null)[] {
  const time = (name: string) => (job[name] instanceof Date ? job[name].getTime() : null);
  const text = (name: string) => (typeof job[name] === 'string' ? job[name] : null);
  const { generationId } = (job['data'] ?? {}) as { generationId?: unknown };
  const of = typeof generationId === 'string' ? generationId : null;
  const lockedAt = time('lockedAt');
  const failures = typeof job['failCount'] === 'number' ? job['failCount'] : 0;
  return [
    html`${job.name}${of !== null && html`<br />${generationLink(of)}`}`,
    badge(job.state),
    timestamp(time('nextRunAt')),
    failures,
    failures === 0 ? null : html`${timestamp(time('failedAt'))}<br />${text('failReason')}`,
    lockedAt === null ? null : html`${timestamp(lockedAt)}<br />${text('lastModifiedBy')}`,
    of === null || !looksNow
      ? null
      : html`<a href="/staff/generations/${of}/look-now">Look now</a>`,
  ];
}
