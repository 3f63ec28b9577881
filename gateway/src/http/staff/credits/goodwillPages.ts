import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import type { LineFilter } from '../../../application/ports/staffQueries.ts';
import {
  giveGoodwillToMany,
  requireChosen,
  undoGoodwillForMany,
} from '../../../application/staff/chosenActions.ts';
import {
  goodwillBases,
  type GoodwillBasis,
  type GoodwillPlan,
  planGoodwill,
  undoWithinMs,
} from '../../../application/staff/goodwill.ts';
import { requireReason } from '../../../application/staff/runAction.ts';
import { does } from '../../atWork.ts';
import { tokenField } from '../../pages/elements.ts';
import { type Form, parseInteger } from '../../pages/form.ts';
import {
  formatCount,
  formatMinute,
  formatNumber,
  type Html,
  html,
  timestamp,
} from '../../pages/html.ts';
import { actOnChosen, chosenPaths } from '../actions/chosenPages.ts';
import { actorOf, type StaffContext, staffOf, type StaffState } from '../context.ts';
import {
  accountLink,
  formIdField,
  formIdOf,
  problemBox,
  reasonField,
  shownProblem,
  table,
} from '../elements.ts';
import { filterFor, filterNames, listUrl, queryFor } from '../generations/listPages.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { proofFields } from '../proofFields.ts';

/**
 * Goodwill for the customers of a list: a page that confirms the total, then the outcomes with a form that reverses
 * them.
 */
export function addGoodwillPages(router: Router<StaffState>, deps: App): void {
  const act = needs('goodwill credits');

  router.post(chosenPaths.planGoodwill, act, does('search'), async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const filter = filterOf(form, deps.clock.now());
    const back = listUrl({ ...queryFor(filter), by: 'customer' });
    try {
      const reason = requireReason(form.get('reason'));
      const basis = goodwillBases.find((each) => each === form.get('basis')) ?? 'same';
      const amount = parseInteger(form, 'amount');
      const chosen = form.all('account').map((id) => id.slice(0, 60));
      const ids = requireChosen(chosen, 'customer');
      const { staffRole: role } = staffOf(ctx);
      const plan = await planGoodwill(deps, { filter, ids, basis, amount, role });
      const part = confirmPart(ctx, deps, { plan, filter, basis, amount, reason, back });
      showPage(ctx, 'Goodwill credits', part);
    } catch (error) {
      const content = html`<h1>Goodwill credits</h1>
        ${problemBox(shownProblem(error).problem)}
        <p><a href="${back}">Go back to the list</a></p>`;
      showPage(ctx, 'Goodwill credits', content, 409);
    }
  });

  router.post(chosenPaths.goodwill, act, (ctx: StaffContext) => {
    const gifts = giftsIn(ctx.state.form);
    const below = undoPart(ctx, deps, [...gifts.keys()]);
    const page = {
      title: 'Goodwill credits',
      of: 'account',
      done: 'were given credits',
      below,
    } as const;
    return actOnChosen(ctx, deps, page, ({ reason, formId }) =>
      giveGoodwillToMany(deps, actorOf(ctx), { reason, formId, gifts }),
    );
  });

  router.post(chosenPaths.undoGoodwill, needs('undo goodwill'), (ctx: StaffContext) => {
    const page = {
      title: 'Undo goodwill credits',
      of: 'account',
      done: 'had credits taken back',
    } as const;
    const givenBy = ctx.state.form.get('given_by').slice(0, 60);
    return actOnChosen(ctx, deps, page, (chosen) =>
      undoGoodwillForMany(deps, actorOf(ctx), { ...chosen, givenBy }),
    );
  });
}

function filterOf(form: Form, nowMs: number): LineFilter {
  const fields = filterNames.map((name) => [name, form.get(name)] as const);
  return filterFor(Object.fromEntries(fields.filter(([, value]) => value !== '')), nowMs);
}

/** The confirmed credits by account, as `acct_… 75`. */
function giftsIn(form: Form): Map<string, number> {
  const gifts = form.all('give').map((gift) => /^(acct_\w{1,40}) (\d{1,13})$/.exec(gift));
  return new Map(
    gifts.flatMap((gift) => (gift ? [[gift[1] ?? '', Number(gift[2])] as const] : [])),
  );
}

interface GoodwillConfirmation {
  plan: GoodwillPlan;
  filter: LineFilter;
  basis: GoodwillBasis;
  amount: number;
  reason: string;
  /** Path of the list. */
  back: string;
}

function confirmPart(
  ctx: StaffContext,
  deps: App,
  { plan, filter, basis, amount, reason, back }: GoodwillConfirmation,
): Html {
  const { gifts, total, isWhole } = plan;
  const rows = gifts.map((gift) => [
    accountLink(gift.accountId, gift.email),
    html`<b>${formatNumber(gift.amount)}</b>`,
    formatNumber(gift.count),
    formatNumber(gift.costCredits),
  ]);
  const since = filter.since !== undefined && html` since ${timestamp(filter.since)} (UTC)`;
  const formula =
    basis === 'lost'
      ? html`${formatNumber(amount)}% of the credits of each customer's ${filter.status}
        generations${since}, rounded up`
      : html`${formatNumber(amount)} credits for each customer`;
  const label = `${formatNumber(total)} credits to ${formatCount(gifts.length, 'customer')}`;
  return html`<h1>Goodwill credits</h1>
    <p>${formula}: <b>${label}</b>.</p>
    <p>Promotional credits, valid for a year. Unspent credits can be taken back for an hour.</p>
    ${!isWhole && basis === 'lost' && html`<p class="notice warning">Only the 5,000 most recently ended generations are counted.</p>`}
    ${table(['Customer', 'Gets', 'Generations', 'Credits'], rows, 'No one gets credits: none of them lost any.')}
    <form class="stack" method="post" action="${chosenPaths.goodwill}">
      ${tokenField(ctx)}
      <input type="hidden" name="form_id" value="${formIdOf(ctx)}" />
      <input type="hidden" name="reason" value="${reason}" />
      ${gifts.map((gift) => html`<input type="hidden" name="give" value="${gift.accountId} ${gift.amount}" />`)}
      ${gifts.length > 0 && proofFields(ctx, deps, chosenPaths.goodwill)}
      <p>
        ${gifts.length > 0 && html`<button>Give ${label}</button> `}<a href="${back}">Cancel</a>
      </p>
    </form>`;
}

/** The form that reverses the gifts just made. */
function undoPart(ctx: StaffContext, deps: App, ids: readonly string[]): Html {
  return html`<section>
    <h2>Undo</h2>
    <p>
      Until ${formatMinute(deps.clock.now() + undoWithinMs)}, unspent credits can be taken back.
      Spent credits stay with the customer.
    </p>
    <form class="stack" method="post" action="${chosenPaths.undoGoodwill}">
      ${tokenField(ctx)} ${formIdField(deps.random)}
      <input type="hidden" name="given_by" value="${formIdOf(ctx)}" />
      ${ids.map((id) => html`<input type="hidden" name="account" value="${id}" />`)}
      ${reasonField()} ${proofFields(ctx, deps, chosenPaths.undoGoodwill)}
      <p><button class="danger">Take the credits back</button></p>
    </form>
  </section>`;
}
