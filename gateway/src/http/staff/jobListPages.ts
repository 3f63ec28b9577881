import type { Router } from '@koa/router';
import { jobStates, type JobDocument } from '../../application/staff/ports.ts';
import { html, formatNumber, timestamp, type Html } from '../pages/html.ts';
import { addressOf, filterLinks, listLinks, queryOf } from '../pages/elements.ts';
import { badge, generationLink, table } from './elements.ts';
import { showPage } from './layout.ts';
import type { StaffConsole, StaffContext, StaffState } from './staffContext.ts';

const path = '/staff/jobs';
const perPage = 50;

/**
 * Agenda's jobs, one in each row. It reads; what can be done is "look now" of the job's generation, with a
 * reason and an entry in the audit log: nothing here makes, moves or removes a job.
 */
export function jobListPages(router: Router<StaffState>, { jobQueries }: StaffConsole): void {
  router.get(path, async (ctx: StaffContext) => {
    const query = queryOf(ctx.query, ['q', 'state', 'before']);
    const state = jobStates.find((each) => each === query['state']);
    const skip = /^\d{1,4}$/.test(query['before'] ?? '') ? Number(query['before']) : 0;
    const search = query['q'] ?? '';
    const [{ jobs, total }, counts] = await Promise.all([
      jobQueries.page({ state, search, skip, limit: perPage }),
      jobQueries.counts(),
    ]);
    const choices = jobStates.map((each) => {
      const sum = counts.reduce((all, line) => all + line[each], 0);
      return [each, `${each} ${formatNumber(sum)}`] as const;
    });
    const older = skip + jobs.length < total && jobs.length > 0 ? skip + perPage : null;
    const content = html`<h1>Jobs</h1>
      <p class="quiet">
        A job only wakes a worker for its generation, which has the truth. A lost one is made again
        within half a minute.
      </p>
      <form class="inline" action="${path}" role="search">
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
      ${filterLinks('State', path, query, 'state', [['', 'all'], ...choices])}
      ${table(columns, jobs.map(row), 'No job.')} ${listLinks(path, query, older)}
      <p><a href="/staff/jobs/">The same in Agendash</a></p>`;
    showPage(ctx, 'Jobs', content);
  });
}

/** The address of the jobs of one generation. */
export const jobsOf = (generationId: string) => addressOf(path, { q: generationId });

const columns = ['Job', 'State', 'Next run (UTC)', 'Failures in a row', 'Last failure', 'Lock', ''];

function row(job: JobDocument): (Html | string | number | null)[] {
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
    of === null ? null : html`<a href="/staff/generations/${of}/look-now">Look now</a>`,
  ];
}
