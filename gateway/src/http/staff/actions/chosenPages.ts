import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import {
  type ChosenOutcome,
  failAndRefundMany,
  type Selection,
  sendMailToMany,
} from '../../../application/staff/chosenActions.ts';
import { requireReason } from '../../../application/staff/runAction.ts';
import { describeRefusal } from '../../../texts/describeRefusal.ts';
import { formatNumber, type Html, html } from '../../pages/html.ts';
import { actorOf, type StaffContext, type StaffState } from '../context.ts';
import {
  accountLink,
  badge,
  formIdOf,
  generationLink,
  problemBox,
  shownProblem,
  table,
} from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';

/** Paths of the forms for customers or generations selected in a list. */
export const chosenPaths = {
  planGoodwill: '/staff/goodwill/confirm',
  goodwill: '/staff/goodwill',
  undoGoodwill: '/staff/goodwill/undo',
  mail: '/staff/customer-mails',
  refund: '/staff/refunds',
} as const;

const nouns = {
  account: { noun: 'customers', column: 'Customer' },
  generation: { noun: 'generations', column: 'Generation' },
} as const;

interface ChosenAction {
  title: string;
  /** Field of the form with the ids. */
  of: keyof typeof nouns;
  /** Ends the sentence "2 of 3 customers …". */
  done: string;
  /** Follows the outcomes. */
  below?: Html;
}

/** Performs an action on the selection of a list, and shows the outcome for each. */
export async function actOnChosen(
  ctx: StaffContext,
  { staffQueries }: Pick<App, 'staffQueries'>,
  { title, of: field, done: outcome, below }: ChosenAction,
  work: (chosen: Selection) => Promise<ChosenOutcome[]>,
): Promise<void> {
  const { form } = ctx.state;
  const { noun, column } = nouns[field];
  const show = (content: Html, status = 200) => {
    const page = html`<h1>${title}</h1>
      ${content}`;
    showPage(ctx, title, page, status);
  };
  try {
    const outcomes = await work({
      ids: form.all(field).map((id) => id.slice(0, 60)),
      reason: requireReason(form.get('reason')),
      formId: formIdOf(ctx) ?? '',
    });
    const owners =
      field === 'account' ? await staffQueries.findOwners(outcomes.map(({ id }) => id)) : null;
    const link = (id: string) =>
      owners === null ? generationLink(id) : accountLink(id, owners.get(id)?.email);
    const count = outcomes.filter(({ result }) => typeof result === 'string').length;
    const rows = outcomes.map(({ id, result }) => [
      link(id),
      badge(typeof result === 'string' ? 'done' : 'refused'),
      typeof result === 'string' ? result : describeRefusal(result),
    ]);
    show(
      html`<p class="notice" role="status">
          ${formatNumber(count)} of ${formatNumber(outcomes.length)} ${noun} ${outcome}.
        </p>
        ${table([column, 'Outcome', ''], rows, '')} ${below}`,
    );
  } catch (error) {
    const content = html`${problemBox(shownProblem(error).problem)}
      <p>Go back to the list: your selection is still there.</p>`;
    show(content, 409);
  }
}

/** Emails or refunds the selection of a list. */
export function addChosenPages(router: Router<StaffState>, deps: App): void {
  router.post(chosenPaths.mail, needs('mail customer'), (ctx: StaffContext) => {
    const page = { title: 'Email', of: 'account', done: 'were emailed' } as const;
    return actOnChosen(ctx, deps, page, (chosen) =>
      sendMailToMany(deps, actorOf(ctx), { ...chosen, template: ctx.state.form.get('template') }),
    );
  });
  router.post(chosenPaths.refund, needs('fail and refund'), (ctx: StaffContext) => {
    const page = { title: 'Fail and refund', of: 'generation', done: 'were refunded' } as const;
    return actOnChosen(ctx, deps, page, (chosen) => failAndRefundMany(deps, actorOf(ctx), chosen));
  });
}
