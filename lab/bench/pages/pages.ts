import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Who loads a page. */
export type Person = 'nobody' | 'customer' | 'staff';

/** Whose page it is: of an account, and of its newest generation. */
interface Subject {
  accountId: string;
  generationId: string;
}

/** A signed-in browser: its cookie header, and the ids on its pages. */
export interface SignedIn extends Subject {
  cookie: string;
}

/** A page of the site or the console, in its most frequent form. */
export interface MeasuredPage {
  name: string;
  by: Person;
  path: (subject: Subject) => string;
  /** Statements of one load, and documents and index keys that these examine, at most, at 2,000 generations. */
  max: { statements: number; documents: number; keys: number };
}

const measuredPage = (
  name: string,
  by: Person,
  path: string | MeasuredPage['path'],
  [statements, documents, keys]: readonly [number, number, number],
): MeasuredPage => ({
  name,
  by,
  path: typeof path === 'string' ? () => path : path,
  max: { statements, documents, keys },
});

/** Pages whose costs are measured (`main.ts`) and bounded (`pages.test.ts`). */
export const measuredPages: readonly MeasuredPage[] = [
  measuredPage('style sheet', 'nobody', '/site/site.css', [0, 0, 0]),
  measuredPage('start', 'nobody', '/', [0, 0, 0]),
  measuredPage('studio', 'customer', '/studio', [2, 27, 27]),
  measuredPage(
    'studio, one opened',
    'customer',
    ({ generationId }) => `/studio?generation=${generationId}`,
    [3, 28, 28],
  ),
  measuredPage('history', 'customer', '/history', [4, 23, 23]),
  measuredPage('history, favourites', 'customer', '/history?in=favourites', [4, 23, 23]),
  measuredPage('history, failed', 'customer', '/history?state=failed', [5, 23, 510]),
  measuredPage(
    'history, none of a model',
    'customer',
    '/history?model=alpha-2.0-pro',
    [6, 2, 2005],
  ),
  measuredPage(
    'history, none of a key',
    'customer',
    '/history?by=key_01k00000000000000000000000',
    [6, 2, 2005],
  ),
  measuredPage('history, none with a word', 'customer', '/history?q=nothing', [6, 1005, 2010]),
  measuredPage(
    'generation',
    'customer',
    ({ generationId }) => `/generations/${generationId}`,
    [3, 3, 3],
  ),
  measuredPage('credits', 'customer', '/credits', [4, 52, 54]),
  measuredPage('credits, older', 'customer', '/credits?before=1000', [4, 52, 54]),
  measuredPage('keys', 'customer', '/settings/public-api', [3, 2, 2]),
  measuredPage('account', 'customer', '/settings/account', [4, 3, 3]),
  measuredPage('console: overview', 'staff', '/staff', [4, 20, 20]),
  measuredPage('console: failed', 'staff', '/staff/generations', [4, 66, 76]),
  measuredPage('console: completed', 'staff', '/staff/generations?state=completed', [4, 66, 76]),
  measuredPage(
    'console: customer',
    'staff',
    ({ accountId }) => `/staff/accounts/${accountId}`,
    [8, 66, 66],
  ),
  measuredPage(
    'console: generation',
    'staff',
    ({ generationId }) => `/staff/generations/${generationId}`,
    [6, 8, 8],
  ),
  measuredPage('console: audit log', 'staff', '/staff/audit', [3, 6, 6]),
];

/** Loads a page in a browser. @throws Error for any response but the page. */
export async function loadAs(origin: string, page: MeasuredPage, person: SignedIn): Promise<void> {
  const response = await fetch(origin + page.path(person), { headers: { cookie: person.cookie } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${page.name}: ${response.status}`);
}

/** Bytes of a page as they are sent in this coding. */
export async function countBytes(
  origin: string,
  page: MeasuredPage,
  person: SignedIn,
  encoding: string,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const headers = { cookie: person.cookie, 'accept-encoding': encoding };
  const outgoing = request(origin + page.path(person), { headers }, (response) => {
    if (response.headers['content-encoding'] !== encoding) reject(new Error(`not ${encoding}`));
    buffer(response).then(resolve, reject);
  });
  outgoing.on('error', reject).end();
  return (await promise).length;
}
