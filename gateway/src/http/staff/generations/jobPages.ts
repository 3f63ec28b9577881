import type { Router } from '@koa/router';
import { sum } from '@framegate/contract';
import type { App } from '../../../application/app.ts';
import { type JobDocument, jobStates } from '../../../application/ports/staff.ts';
import type { JobWork } from '../../../application/ports/staffQueries.ts';
import { isUpkeepJob } from '../../../application/ports/upkeep.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { mayDo } from '../../../domain/staff/staffRights.ts';
import { filterLinks, listLinks, queryOf, urlOf } from '../../pages/elements.ts';
import { formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import type { StaffContext, StaffState } from '../context.ts';
import { accountLink, badge, facts, generationLink, table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { runsAtDeadline, waitOf } from './jobWaits.ts';

const path = '/staff/jobs';
const perPage = 50;

/** Path of the jobs of one generation. */
export const jobsOf = (generationId: string) => urlOf(path, { q: generationId });

/** Agenda's jobs, read-only: "Check now" leads to the action of the generation, which is in the audit log. */
export function addJobPages(router: Router<StaffState>, deps: App): void {
  const { jobQueries } = deps;
  const loadRows = async (ctx: StaffContext, jobs: readonly JobDocument[]): Promise<JobRow[]> => {
    const ids = jobs.flatMap((job) => dataTextOf(job, 'generationId') ?? []);
    const works = await deps.staffQueries.findWorks(ids);
    return jobs.map((job) => {
      const work = works.get(dataTextOf(job, 'generationId') ?? '') ?? null;
      const wait = work && waitOf(work, deps.breakers);
      return { job, work, wait, mayCheck: mayCheckNow(ctx) };
    });
  };
  router.get(path, needs('see'), async (ctx: StaffContext) => {
    const query = queryOf(ctx.query, ['q', 'kind', 'name', 'state', 'before']);
    const { name, q: search = '' } = query;
    const state = jobStates.find((each) => each === query['state']);
    const skip = /^\d{1,4}$/.test(query['before'] ?? '') ? Number(query['before']) : 0;
    const isUpkeep = query['kind'] === 'upkeep';
    const [{ jobs, total }, counts] = await Promise.all([
      jobQueries.listPage({ name, isOfUpkeep: isUpkeep, state, search, skip, limit: perPage }),
      jobQueries.countByKind(),
    ]);
    const countsOfKind = counts.filter((line) => isUpkeepJob(line.name) === isUpkeep);
    const names = countsOfKind.map((line) => {
      const paused = line.paused === 0 ? '' : `, ${formatNumber(line.paused)} paused`;
      return [line.name, `${line.name} ${formatNumber(line.total)}${paused}`] as const;
    });
    const states = jobStates.map((each) => {
      const counted = countsOfKind.filter((line) => name === undefined || line.name === name);
      const ofState = sum(counted.map((line) => line[each]));
      return [each, `${each} ${formatNumber(ofState)}`] as const;
    });
    const older = skip + jobs.length < total && jobs.length > 0 ? skip + perPage : null;
    const hiddenFields = Object.entries(query).filter(
      ([field]) => field !== 'q' && field !== 'before',
    );
    const content = html`<h1>Jobs</h1>
      <p class="quiet">
        A job only wakes a worker; the generation itself has all the data. Missing jobs are
        recreated within 30 seconds.
      </p>
      <form class="inline" action="${path}" role="search" aria-label="Jobs">
        ${hiddenFields.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`)}
        <label class="visually-hidden" for="job">Generation, job, or part of its name</label>
        <input
          id="job"
          type="search"
          name="q"
          value="${search}"
          placeholder="Generation, job or name"
        />
        <button class="small">Filter</button>
      </form>
      ${filterLinks('Type', path, { q: query['q'], kind: query['kind'] }, 'kind', [
        ['', 'generations'],
        ['upkeep', 'upkeep'],
      ])}
      ${filterLinks('Name', path, query, 'name', [['', 'all'], ...names])}
      ${filterLinks('Status', path, query, 'state', [['', 'all'], ...states])}
      ${table(
        columns.map(([column]) => column),
        (await loadRows(ctx, jobs)).map((row) => columns.map(([, cell]) => cell(row))),
        'No jobs.',
      )}
      ${listLinks(path, query, older)}`;
    showPage(ctx, 'Jobs', content);
  });

  router.get(`${path}/:id`, needs('see'), async (ctx: StaffContext) => {
    const { id = '' } = ctx.params as { id?: string };
    const page = await jobQueries.listPage({ search: id, skip: 0, limit: 1 });
    const job = page.jobs.find(({ _id }) => _id === id);
    if (!job) throw new Refusal('job_not_found');
    const [row] = await loadRows(ctx, [job]);
    const content = html`<h1>${job.name}</h1>
      ${row && html`${facts(jobRows(row))} ${checkNowLink(row)}`}`;
    showPage(ctx, `Job ${job.name}`, content);
  });
}

const mayCheckNow = ({ state: { staff } }: StaffContext) =>
  staff !== null && mayDo(staff.staffRole, 'poll now');

type JobCell = Html | string | number | null;
type JobColumn = readonly [name: string, cell: (row: JobRow) => JobCell];

/** A job with the work that it starts, if it belongs to a generation. */
interface JobRow {
  job: JobDocument;
  work: JobWork | null;
  /** Why the work waits. */
  wait: Html | null;
  mayCheck: boolean;
}

const columns: readonly JobColumn[] = [
  [
    'Job',
    ({ job }) => {
      const generationId = dataTextOf(job, 'generationId');
      return html`<a href="${path}/${job._id}">${job.name}</a
        >${generationId && html`<br />${generationLink(generationId)}`}`;
    },
  ],
  ['Status', ({ job }) => stateOf(job)],
  ['Generation (UTC)', ({ wait }) => wait],
  ['Next run (UTC)', nextRunOf],
  ['Last run (UTC)', ({ job }) => timeOf(job, 'lastRunAt')],
  ['Failures in a row', ({ job }) => failuresOf(job)],
  [
    'Last failure',
    ({ job }) =>
      failuresOf(job) === 0
        ? null
        : html`${timeOf(job, 'failedAt')}<br />${jobText(job, 'failReason')}`,
  ],
  ['Lock', ({ job }) => lockOf(job)],
  ['', checkNowLink],
];

/** All fields of a job. Its data is ids: prompts are only in generations. */
function jobRows(row: JobRow): (readonly [string, JobCell])[] {
  const { job, wait } = row;
  const generationId = dataTextOf(job, 'generationId');
  const accountId = dataTextOf(job, 'accountId');
  return [
    ['Job', html`<code>${job._id}</code>`],
    ['Status', stateOf(job)],
    ['Generation', generationId && generationLink(generationId)],
    ['Its work', wait],
    ['Account', accountId && accountLink(accountId)],
    ['Repeats', jobText(job, 'repeatInterval')],
    ['Priority', typeof job['priority'] === 'number' ? job['priority'] : null],
    ['Progress', typeof job['progress'] === 'number' ? `${job['progress']}%` : null],
    ['Next run', nextRunOf(row)],
    ['Last run', timeOf(job, 'lastRunAt')],
    ['Last finished', timeOf(job, 'lastFinishedAt')],
    ['Lock', lockOf(job)],
    ['Last changed by', jobText(job, 'lastModifiedBy')],
    ['Failures in a row', failuresOf(job)],
    ['Last failure', timeOf(job, 'failedAt')],
    ['Reason', jobText(job, 'failReason')],
  ];
}

function stateOf({ state, disabled }: JobDocument): Html {
  return html`${badge(state)}${disabled === true && ' paused'}`;
}

/** The process that holds the job, and since when. */
function lockOf(job: JobDocument): Html | null {
  const since = timeOf(job, 'lockedAt');
  return since && html`${since}<br />${jobText(job, 'lastModifiedBy')}`;
}

/** The next run. A run at the deadline is only the latest time, because other events start the job earlier. */
function nextRunOf({ job, work }: JobRow): Html | null {
  const at = timeOf(job, 'nextRunAt');
  return at && work && runsAtDeadline(work) ? html`no later than ${at}` : at;
}

function checkNowLink({ job, mayCheck }: JobRow): Html | null {
  const generationId = dataTextOf(job, 'generationId');
  return generationId !== null && mayCheck
    ? html`<a href="/staff/generations/${generationId}/poll-now">Check now</a>`
    : null;
}

function failuresOf({ failCount }: JobDocument): number {
  return typeof failCount === 'number' ? failCount : 0;
}

function timeOf(job: JobDocument, field: string): Html | null {
  return job[field] instanceof Date ? timestamp(job[field].getTime()) : null;
}

function jobText(job: JobDocument, field: string): string | null {
  return typeof job[field] === 'string' ? job[field] : null;
}

function dataTextOf(job: JobDocument, field: 'generationId' | 'accountId'): string | null {
  const value = ((job['data'] ?? {}) as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : null;
}
