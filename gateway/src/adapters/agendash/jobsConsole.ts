import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  jobStates,
  type JobDocument,
  type JobQueries,
  type JobState,
} from '../../application/ports/staff.ts';

/** A file of Agendash's page. */
export interface PageFile {
  type: string;
  body: string | Buffer;
}

/** Agendash without its own web server: its page and the data for it. */
export interface JobsConsole {
  /** A file of the page by its path below the console, or null. */
  file(path: string): PageFile | null;
  /** Jobs with their counts, for the page. */
  jobs(query: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** The read-only part of Agendash's controller. */
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
 * Runs Agendash's controller and page on our own queries. It is imported by file, because the package's entry requires
 * express. Its own queries would load every job of a name into memory, and its actions could unlock a running job or
 * create another one, so it can call only our queries.
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
        // The name field also accepts an id.
        name: isId(query['job']) ? undefined : text(query['job']),
        state: jobStates.find((state): state is JobState => state === query['state']),
        search: isId(query['job']) ? text(query['job']) : text(query['q']),
        skip: wholeNumber(query['skip'], 0),
        limit: wholeNumber(query['limit'], 50),
      }),
  };
}

/** The page's rows show only a job's name, so the generation is appended. */
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
