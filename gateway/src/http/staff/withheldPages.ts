import type { Router } from '@koa/router';
import {
  listWithheld,
  sellAllAgain,
  type WithheldCapability,
} from '../../application/generations/withheldRoutes.ts';
import { requireReason, runAction } from '../../application/staff/runAction.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { mayDo } from '../../domain/staffRights.ts';
import { html, timestamp, type Html } from '../pages/html.ts';
import { tokenField } from '../pages/layout.ts';
import { reasonField } from './formFields.ts';
import {
  actorOf,
  generationLink,
  problemBox,
  showPage,
  staffOf,
  table,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';

/** Page of withheld capabilities, where admins restore them. */
export function withheldPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get('/staff/withheld', (ctx: StaffContext) => show(ctx, '', ''));

  router.post('/staff/withheld', async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const route = { provider: form.get('provider'), model: form.get('model') };
    const targets = [`${route.provider} ${route.model}`];
    try {
      const reason = requireReason(form.get('reason'));
      const plan = { action: 'sell again' as const, targets, reason, formId: null };
      const done = await runAction(deps, actorOf(ctx), plan, async () =>
        (await sellAllAgain(deps.work.deliveries, route))
          ? 'The route sells everything again.'
          : 'The route sold everything already.',
      );
      show(ctx, done, '');
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      show(ctx, '', error.message, maySell(ctx) ? 409 : 403);
    }
  });

  function show(ctx: StaffContext, done: string, problem: string, status = 200): void {
    const rows = listWithheld(deps.work.deliveries).map((each) => [
      html`${each.provider}<br /><span class="quiet">${each.model}</span>`,
      each.capability,
      timestamp(each.since),
      html`${each.generations.map((id) => html`${generationLink(id)}<br />`)}`,
      maySell(ctx) ? sellForm(ctx, each) : 'An admin can.',
    ]);
    const columns = ['Route', 'Not sold', 'Since', 'Generations', 'Sell again'];
    const content = html`<h1>Withheld</h1>
      ${done !== '' && html`<p class="notice" role="status">${done}</p>`} ${problemBox(problem)}
      <p>
        A route that delivers something else than was ordered three times in a row no longer gets
        such orders until an admin or a reload of the routes says otherwise.
      </p>
      ${table(columns, rows, 'Every route sells everything.')}`;
    showPage(ctx, 'Withheld', content, status);
  }
}

const maySell = (ctx: StaffContext) => mayDo(staffOf(ctx).staffRole, 'sell again');

function sellForm(ctx: StaffContext, { provider, model }: WithheldCapability): Html {
  return html`<form class="stack" method="post" action="/staff/withheld">
    ${tokenField(ctx)}
    <input type="hidden" name="provider" value="${provider}" />
    <input type="hidden" name="model" value="${model}" />
    ${reasonField()}
    <button>Sell everything again</button>
  </form>`;
}
