import type { Router } from '@koa/router';
import {
  endRest,
  listRests,
  maxRestHours,
  restRoute,
  restTargets,
  stopSelling,
} from '../../application/staff/rests.ts';
import { requireReason, runAction } from '../../application/staff/runAction.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { mayDo, type StaffAction } from '../../domain/staffRights.ts';
import { parseInteger, type Form } from '../pages/form.ts';
import { html, timestamp, type Html } from '../pages/html.ts';
import { tokenField } from '../pages/layout.ts';
import { reasonField } from './formFields.ts';
import {
  actorOf,
  problemBox,
  showPage,
  staffOf,
  table,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';

const path = '/staff/rests';

/** Page on which staff rest a provider, stop selling a model, and end both. */
export function restPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  const { work } = deps;
  const actions: Readonly<Record<string, [StaffAction, (form: Form) => Promise<string>]>> = {
    rest: [
      'rest route',
      (form) => restRoute(work, form.get('target'), parseInteger(form, 'hours')),
    ],
    stop: [
      'stop selling',
      (form) => stopSelling(work, form.get('target'), parseInteger(form, 'hours')),
    ],
    end: ['end rest', (form) => endRest(work, form.get('target'))],
  };

  router.get(path, (ctx: StaffContext) => show(ctx, '', ''));
  router.post(path, async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const found = actions[form.get('action')];
    if (!found) throw new PlainRefusal('There is no such action.');
    const [action, run] = found;
    try {
      const reason = requireReason(form.get('reason'));
      const plan = { action, targets: [form.get('target').slice(0, 200)], reason, formId: null };
      show(ctx, await runAction(deps, actorOf(ctx), plan, () => run(form)), '');
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      show(ctx, '', error.message, mayDo(staffOf(ctx).staffRole, action) ? 409 : 403);
    }
  });

  function show(ctx: StaffContext, done: string, problem: string, status = 200): void {
    const rows = listRests(work).map(({ key, name, closedOffAt, restsUntil }) => [
      name,
      timestamp(closedOffAt),
      timestamp(restsUntil),
      formOf(ctx, 'end', 'End', html`<input type="hidden" name="target" value="${key}" />`),
    ]);
    const models = deps.site.everyModel().map(({ id }) => ({ key: id, name: id }));
    const content = html`<h1>Rests</h1>
      ${done !== '' && html`<p class="notice" role="status">${done}</p>`} ${problemBox(problem)}
      ${table(['Route', 'Since (UTC)', 'Until (UTC)', ''], rows, 'Staff let no route rest.')}
      <div class="columns">
        <section>
          <h2>Rest a provider</h2>
          <p>
            It gets no orders; work that it has goes on. Other routes of its models take new orders,
            or generations wait.
          </p>
          ${formOf(ctx, 'rest', 'Rest it', choiceOf('Provider, or one of its models', restTargets(work)))}
        </section>
        ${
          mayDo(staffOf(ctx).staffRole, 'stop selling') &&
          html`<section>
            <h2>Stop selling a model</h2>
            <p>
              Its routes rest, and creates are refused (503) at once. Other models with the same
              routes rest as well.
            </p>
            ${formOf(ctx, 'stop', 'Stop selling it', choiceOf('Model', models))}
          </section>`
        }
      </div>`;
    showPage(ctx, 'Rests', content, status);
  }

  function choiceOf(label: string, targets: readonly { key: string; name: string }[]): Html {
    return html`<label
        >${label}
        <select name="target">
          ${targets.map(({ key, name }) => html`<option value="${key}">${name}</option>`)}
        </select></label
      >
      <label
        >Hours <input type="number" name="hours" min="1" max="${maxRestHours}" value="1" required
      /></label>`;
  }
}

function formOf(ctx: StaffContext, action: string, button: string, fields: Html): Html {
  return html`<form class="stack" method="post" action="${path}">
    ${tokenField(ctx)} <input type="hidden" name="action" value="${action}" /> ${fields}
    ${reasonField()}
    <button>${button}</button>
  </form>`;
}
