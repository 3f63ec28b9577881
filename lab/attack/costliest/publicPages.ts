import { randomUUID } from 'node:crypto';
import { fontPath } from '../../../gateway/src/http/pages/font.ts';
import type { CostliestRequests } from '../rows.ts';

/** The maximum number of languages in a header. */
const languages = Array.from({ length: 2_400 }, (_, index) => `x${index.toString(36)}`)
  .join(',')
  .slice(0, 14_500);
const inManyLanguages = { headers: () => ({ 'accept-language': languages }) };

const code = '7K4M-2Q9X-8TRW';

const staticFiles = [
  '/site/docs.js',
  '/site/start.js',
  '/site/site.css',
  '/site/icon.svg',
  '/site/start.webp',
  fontPath,
  '/site/site.js',
  '/site/studio.js',
  '/site/later.js',
  '/site/studio.css',
  '/site/wall.js',
  '/site/wall.css',
  '/staff/console.css',
  '/staff/console.js',
  '/staff/figures.js',
];

/** Pages and forms that need no sign-in, and files of the pages. */
export const publicPageRequests: CostliestRequests = {
  ...Object.fromEntries(staticFiles.map((path) => [`GET ${path}`, {}])),
  'GET /': inManyLanguages,
  'GET /status': inManyLanguages,
  'GET /docs': inManyLanguages,
  'GET /docs.md': {},
  'GET /llms.txt': {},
  'GET /robots.txt': {},
  'GET /favicon.ico': {},
  'GET /clients': inManyLanguages,
  'GET /clients.md': {},
  'GET /clients/:file': { params: () => ({ file: 'none.tgz' }), responses: [404] },
  'GET /site/showpieces/:file': { params: () => ({ file: 'none.webp' }), responses: [404] },
  'GET /shared/:token': {},
  'POST /start': { form: () => ({ prompt: 'x'.repeat(4_900) }) },
  'POST /language': { form: () => ({ language: 'de', path: '/sign-in' }) },
  'GET /sign-up': inManyLanguages,
  'POST /sign-up': { form: () => ({ email: `${randomUUID()}@example.com` }) },
  'GET /forgotten-password': inManyLanguages,
  'POST /forgotten-password': { form: () => ({ email: `${randomUUID()}@example.com` }) },
  'GET /confirm/:id': { responses: [200, 303, 404, 410] },
  'POST /confirm/:id': {
    form: () => ({ code, password: 'x'.repeat(200), email: 'nobody@example.com' }),
    responses: [200, 303, 400, 404, 410, 422],
  },
  'GET /sign-in': inManyLanguages,
  'POST /sign-in': {
    what: 'guesses of one password',
    form: ({ victim }) => ({ email: victim.email, password: randomUUID() }),
    responses: [200, 303, 400, 401, 403, 422],
  },
  'GET /sign-in/code': { responses: [200, 303, 400, 404] },
  'POST /sign-in/code': {
    form: () => ({ proof: 'x'.repeat(500), code: '123456' }),
    responses: [200, 303, 400, 401, 403, 410, 422],
  },
  'POST /sign-out': { callers: ['anonymous'] },
  'GET /sign-in/link': { query: () => ({ token: 'x'.repeat(64) }), responses: [410] },
  'POST /sign-in/link': { form: () => ({ token: 'x'.repeat(64) }), responses: [410] },
  'GET /sign-in/oidc': { responses: [303, 404] },
  'GET /sign-in/oidc/callback': {
    query: () => ({ code: 'x'.repeat(500), state: 'y'.repeat(200) }),
    responses: [303, 400, 404],
  },
  'GET /settings/join/:account/:token': {
    params: (_, { accountId }) => ({ account: accountId, token: 'a'.repeat(64) }),
    responses: [200, 303, 404, 410],
  },
  'POST /settings/join/:account/:token': {
    params: (_, { accountId }) => ({ account: accountId, token: 'a'.repeat(64) }),
    responses: [401, 403],
  },
};
