import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  jobStates,
  type JobDocument,
  type JobQueries,
  type JobState,
} from '../../application/staff/ports.ts';

/** A file of Agendash's page. */
export interface PageFile {
  type: string;
  body: string | Buffer;
}

/** Agendash without its own web server: its page, and the answers to what the page reads. */
export interface JobsConsole {
  /** A file of the page by its path below the console; null when there is none. */
  file(path: string): PageFile | null;
  /** What the page reads: jobs with their counts. */
  jobs(query: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** The part of Agendash's controller that only reads. */
interface Controller {
  getJobs(params: {
    name: string | undefined;
    state: string | undefined;
    search: string | undefined;
    skip: number;
    limit: number;
  }): Promise<unknown>;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * Agendash's controller and page on our own queries. It is imported by its file: the package's entry
 * wants express. Its own queries would load every job of a name into memory, and its actions could
 * unlock a running job or make another one, so it gets nothing but our queries to call.
 * @param options.head Markup to add to the page's head.
 */
export async function openJobsConsole(
  queries: JobQueries,
  options: { head: string },
): Promise<JobsConsole> {
  const entry = import.meta.resolve('agendash');
  const module = (await import(new URL('./AgendashController.js', entry).href)) as {
    AgendashController: new (agenda: object) => Controller;
  };
  const controller = new module.AgendashController({
    getJobsOverview: async () => (await queries.counts()).map((line) => ({ ...line })),
    queryJobs: async (question: Parameters<JobQueries['page']>[0]) => {
      const { jobs, total } = await queries.page(question);
      return { total, jobs: jobs.map(withGeneration) };
    },
    hasJobLogger: () => false,
  });
  const files = readFiles(new URL('../public/', entry), options.head);
  return {
    file: (path) => files.get(path) ?? null,
    jobs: (query) =>
      controller.getJobs({
        // An id that was typed into the field for names is found, too.
        name: isId(query['job']) ? undefined : text(query['job']),
        state: jobStates.find((state): state is JobState => state === query['state']),
        search: isId(query['job']) ? text(query['job']) : text(query['q']),
        skip: wholeNumber(query['skip'], 0),
        limit: wholeNumber(query['limit'], 50),
      }),
  };
}

/** The page's rows show a job's name only: the generation stands beside it. */
function withGeneration(job: JobDocument): JobDocument {
  const { generationId } = (job['data'] ?? {}) as { generationId?: unknown };
  return typeof generationId === 'string' ? { ...job, name: `${job.name} ${generationId}` } : job;
}

function readFiles(folder: URL, head: string): Map<string, PageFile> {
  const page = readFileSync(new URL('index.html', folder), 'utf8');
  const files = new Map<string, PageFile>([
    ['', { type: 'text/html; charset=utf-8', body: page.replace('</head>', `${head}</head>`) }],
  ]);
  for (const name of readdirSync(fileURLToPath(new URL('assets/', folder)))) {
    const type = types[name.slice(name.lastIndexOf('.') + 1)];
    if (type !== undefined) {
      files.set(`assets/${name}`, { type, body: readFileSync(new URL(`assets/${name}`, folder)) });
    }
  }
  return files;
}

const isId = (value: unknown) =>
  typeof value === 'string' && /\bgen_[0-9a-z]{26}\b|^[0-9a-f]{24}$/i.test(value.trim());

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
}

function wholeNumber(value: unknown, fallback: number): number {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : fallback;
}
