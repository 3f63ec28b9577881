import type { Disturbance } from '../../support/faultyProxy.ts';

/** The packages that create, under their names in the documentation. */
export const packages = ['n8n', 'Zapier', 'TypeScript', 'Python', 'AI SDK', 'MCP bridge'] as const;
export type PackageName = (typeof packages)[number];

/** Price of the image that all of them order. */
export const cost = 6;

/** Reaction of one package to one fault. */
export interface Cell {
  /** Minimum number of runs of the step or call. */
  attempts: number;
  /** Creates that were sent. */
  posts: number;
}

/** A fault while an image is created and awaited. */
export interface FaultRow {
  fault: string;
  /** The affected request. */
  on: 'create' | 'read';
  /** Fault of the connection, once. */
  does: Omit<Disturbance, 'method' | 'path' | 'body'> | null;
  /** One attempt for packages that are not named. */
  differs?: Partial<Record<PackageName, Partial<Cell>>>;
}

const page = { status: 200, body: '<html>Sign in</html>' };
const down = { status: 502, body: '<html>Bad Gateway</html>' };
const limited = { status: 429, headers: { 'retry-after': '1' }, body: {} };
const internal = { type: 'api_error', code: 'internal_error', message: 'No.', retryable: true };
const broken = { status: 500, body: { error: internal } };
const forwarded = true;

/**
 * Whatever the fault, every package creates one generation with one key, pays for it once and returns its id. After a
 * fault of a create request each sends it twice; otherwise once.
 */
export const faultTable: readonly FaultRow[] = [
  { fault: 'none', on: 'create', does: null },
  { fault: 'the response is lost', on: 'create', does: { cut: true, forwarded } },
  { fault: 'the line is cut before the gateway', on: 'create', does: { cut: true } },
  { fault: 'the response is cut in the middle', on: 'create', does: { cutAfter: 40 } },
  { fault: 'a page with status 200', on: 'create', does: { response: page, forwarded } },
  {
    fault: 'other JSON with status 200',
    on: 'create',
    does: { response: { status: 200, body: { hello: 'you' } }, forwarded },
  },
  {
    fault: 'the page of a proxy with status 502',
    on: 'create',
    does: { response: down, forwarded },
  },
  {
    fault: 'a proxy that waited too long (408)',
    on: 'create',
    does: { response: { status: 408, body: '<html>Request Timeout</html>' }, forwarded },
  },
  {
    fault: 'a proxy that sends nothing yet (425)',
    on: 'create',
    does: { response: { status: 425, body: '<html>Too Early</html>' } },
  },
  { fault: 'an error with status 500', on: 'create', does: { response: broken, forwarded } },
  {
    fault: 'a limit (429)',
    on: 'create',
    does: { response: limited },
    differs: { Zapier: { attempts: 2 } },
  },
  { fault: 'the line is cut', on: 'read', does: { cut: true } },
  { fault: 'a page with status 200', on: 'read', does: { response: page } },
  { fault: 'the page of a proxy with status 502', on: 'read', does: { response: down } },
];

/** A package's column of the table. */
export function expected({ on, does, differs }: FaultRow, name: PackageName): Cell {
  const posts = on === 'create' && does !== null ? 2 : 1;
  return { attempts: 1, posts, ...differs?.[name] };
}
