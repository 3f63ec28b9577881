import { readFileSync } from 'node:fs';
import { Router } from '@koa/router';
import { AdminProblem } from '../../application/admin/adminProblem.ts';
import { FormProblem } from '../../application/site/formProblem.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { HttpMiddleware } from '../context.ts';
import { describeError, isClientGone } from '../describeError.ts';
import { refusalFor, statusOf } from '../presentRefusal.ts';
import { guardForms, requireOwnPage, StaleForm } from '../site/account/guardForms.ts';
import { html } from '../site/html.ts';
import { staticAnswer } from '../staticAnswer.ts';
import { accountActions } from './accountActions.ts';
import { accountPages } from './accountPage.ts';
import { actionPages } from './actionPages.ts';
import { auditPages } from './auditPage.ts';
import { enrolPages } from './enrolPages.ts';
import { generationActions } from './generationActions.ts';
import { generationPages } from './generationPage.ts';
import { jobPages } from './jobPages.ts';
import { consoleHeaders, showPage } from './layout.ts';
import { overviewPages } from './overviewPage.ts';
import { proposalPages } from './proposalPages.ts';
import { requireStaff } from './requireStaff.ts';
import { searchPages } from './searchPages.ts';
import { signInPages } from './signInPages.ts';
import type { Next, StaffConsole, StaffContext, StaffState } from './staffContext.ts';
import { recogniseStaff } from './staffSession.ts';

/** Pages that ask again by themselves: looking at them is not a use of the session. */
const asksByItself = new Set(['/staff/live', '/staff/jobs/api']);

/** The staff console below `/staff`. */
export function staffRoutes(console: StaffConsole): HttpMiddleware {
  const { deps } = console;
  const { accountUrl, secrets } = deps.site;
  const secure = accountUrl.startsWith('https:');
  const headers = consoleHeaders(deps.addresses.mediaUrl);
  const options = { sensitive: true, strict: true };
  const router = new Router<StaffState>(options);
  router.get('/staff/console.css', staticAnswer(asset('console.css'), 'text/css; charset=utf-8'));
  router.get('/staff/jobs.css', staticAnswer(asset('jobs.css'), 'text/css; charset=utf-8'));
  const script = 'text/javascript; charset=utf-8';
  router.get('/staff/console.js', staticAnswer(asset('console.js'), script));
  router.get('/staff/jobs.js', staticAnswer(asset('jobs.js'), script));

  const begin = async (ctx: StaffContext, next: Next): Promise<void> => {
    if (secure) ctx.cookies.secure = true;
    Object.assign(ctx.state, { account: null, sessionId: null, formToken: '', staff: null });
    ctx.set(headers);
    await answerTrouble(console, ctx, next);
  };
  const recognise = recogniseStaff(console, ({ path }) => !asksByItself.has(path));
  // It asks of the context what every page of ours has.
  const guard = guardForms({ secrets, accountUrl }) as unknown as typeof requireStaff;

  const jobs = new Router<StaffState>(options);
  jobs.use(begin, recognise, requireStaff, async (ctx: StaffContext, next: Next) => {
    if (ctx.method === 'POST') requireOwnPage(ctx, new URL(accountUrl).origin);
    await next();
  });
  jobPages(jobs, console);

  const entrance = new Router<StaffState>(options);
  entrance.use(begin, guard, recognise);
  signInPages(entrance, console);
  enrolPages(entrance, console);

  const pages = new Router<StaffState>(options);
  pages.use(begin, guard, recognise, requireStaff);
  const ofGenerations = generationActions(console);
  const ofAccounts = accountActions(console);
  overviewPages(pages, console);
  searchPages(pages, console);
  auditPages(pages, console);
  proposalPages(pages, console, ofAccounts);
  generationPages(pages, console, ofGenerations);
  accountPages(pages, console, ofAccounts);
  actionPages(pages, console, { path: '/staff/generations', actions: ofGenerations });
  actionPages(pages, console, { path: '/staff/accounts', actions: ofAccounts });

  return inTurn([router, jobs, entrance, pages]);
}

/** Routers one after the other: nested in one, the steps of each would run for the routes of all. */
function inTurn(routers: readonly Router<StaffState>[]): HttpMiddleware {
  // The console's own state is set by its first steps.
  const steps = routers.map((each) => each.routes() as unknown as HttpMiddleware);
  return (ctx, next) => {
    const run = (index: number): Promise<unknown> => {
      const step = steps[index];
      return Promise.resolve(step ? step(ctx, () => run(index + 1)) : next());
    };
    return run(0);
  };
}

/** A file of this folder. */
function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** Shows a page for what goes wrong outside a form. */
async function answerTrouble(
  { log, deps }: StaffConsole,
  ctx: StaffContext,
  next: Next,
): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (isClientGone(error)) throw error;
    const [status, message] = explain(error, deps.work.database.isTrouble);
    if (status >= 500) {
      log.error({ requestId: ctx.state.requestId, err: describeError(error) }, 'page failed');
    }
    const title = status === 404 ? 'Nothing there' : 'That did not work';
    const content = html`<div class="narrow">
      <h1>${title}</h1>
      <p>${message}</p>
      <p class="quiet">Request <code>${ctx.state.requestId}</code></p>
    </div>`;
    showPage(ctx, title, content, status);
  }
}

function explain(error: unknown, isDatabaseTrouble: (error: unknown) => boolean): [number, string] {
  if (error instanceof AdminProblem) return [404, error.message];
  if (error instanceof FormProblem) return [error.status, error.message];
  if (error instanceof StaleForm) {
    return [403, 'This form is too old. Load its page again: nothing has been done.'];
  }
  const refusal = refusalFor(error, isDatabaseTrouble);
  const own = error instanceof Refusal;
  return [statusOf(refusal), own ? refusal.message : 'It failed on our side; it is in the log.'];
}
