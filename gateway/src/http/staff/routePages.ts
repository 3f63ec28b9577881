import type { Router } from '@koa/router';
import {
  listWithheld,
  restoreCapabilities,
} from '../../application/generations/run/withheldRoutes.ts';
import {
  endPause,
  listPauses,
  maxPauseHours,
  pauseRoute,
  pauseTargets,
  pauseModel,
  touchedBy,
} from '../../application/staff/routePauses.ts';
import { findRouteStates } from '../../application/staff/routeStates.ts';
import { requireReason, runAction } from '../../application/staff/runAction.ts';
import { modelBreakerKey } from '../../domain/providers/breakerKeys.ts';
import { Refusal } from '../../domain/refusal.ts';
import { mayDo, type StaffAction } from '../../domain/staff/staffRights.ts';
import { parseInteger, type Form } from '../pages/form.ts';
import { html, timestamp, type Html } from '../pages/html.ts';
import { tokenField } from '../pages/layout.ts';
import { reasonField } from './formFields.ts';
import {
  actorOf,
  generationLink,
  problemBox,
  shownProblem,
  showPage,
  staffOf,
  table,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';
import { routeTable } from './routeTable.ts';
import { needs } from './needs.ts';

const path = '/staff/routes';

/** Page of all routes, where staff pause a route, stop selling a model, resume sales, and end pauses. */
export function routePages(router: Router<StaffState>, { deps }: StaffConsole): void {
  const actions: Readonly<Record<string, [StaffAction, (form: Form) => Promise<string>]>> = {
    pause: [
      'pause route',
      (form) => pauseRoute(deps, form.get('target'), parseInteger(form, 'hours')),
    ],
    stop: [
      'stop selling',
      (form) => pauseModel(deps, form.get('target'), parseInteger(form, 'hours')),
    ],
    end: ['end pause', (form) => endPause(deps, form.get('target'))],
    sell: [
      'sell again',
      async (form) =>
        (await restoreCapabilities(deps.deliveries, form.get('target')))
          ? 'The route now sells everything again.'
          : 'The route already sells everything.',
    ],
  };
  const may = (ctx: StaffContext, action: StaffAction) => mayDo(staffOf(ctx).staffRole, action);

  router.get(path, needs('see'), (ctx: StaffContext) => show(ctx, '', ''));
  router.post(path, needs('pause route'), async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const found = actions[form.get('action')];
    if (!found) throw new Refusal('not_found');
    const [action, run] = found;
    try {
      const reason = requireReason(form.get('reason'));
      const plan = { action, targets: [form.get('target').slice(0, 200)], reason, formId: null };
      await show(ctx, await runAction(deps, actorOf(ctx), plan, () => run(form)), '');
    } catch (error) {
      await show(ctx, '', shownProblem(error).problem, may(ctx, action) ? 409 : 403);
    }
  });

  async function show(ctx: StaffContext, done: string, problem: string, status = 200) {
    const allModels = deps.allModels();
    const states = await findRouteStates(deps, allModels, may(ctx, 'see costs'));
    const mayStop = may(ctx, 'stop selling');
    const ids = allModels.map(({ id }) => id);
    const touched = (id: string) => touchedBy(deps, id, ids);
    const content = html`<h1>Routes</h1>
      ${done !== '' && html`<p class="notice" role="status">${done}</p>`} ${problemBox(problem)}
      ${pausesPart(ctx)} ${routeTable(states, { path, mayStop, now: deps.clock.now() })}
      <div class="columns">
        ${
          may(ctx, 'pause route') &&
          html`<section id="pause">
            <h2>Pause a route</h2>
            <p>
              It gets no new orders; running work continues. Other routes of its models take new
              orders, or generations wait.
            </p>
            ${formOf(ctx, 'pause', 'Pause', choiceOf(ctx, 'Provider, or one of its models', pauseTargets(deps)))}
          </section>`
        }
        ${
          mayStop &&
          html`<section id="stop">
            <h2>Stop selling a model</h2>
            <p>
              Its routes are paused, and new requests are refused (503) immediately. Each model
              names the others that have the same routes.
            </p>
            ${formOf(
              ctx,
              'stop',
              'Stop selling',
              choiceOf(
                ctx,
                'Model',
                allModels.map(({ id }) => ({ key: id, name: withTouched(id, touched(id)) })),
              ),
            )}
          </section>`
        }
      </div>
      ${withheldPart(ctx)}`;
    showPage(ctx, 'Routes', content, status);
  }

  function pausesPart(ctx: StaffContext): Html | null {
    const rows = listPauses(deps).map(({ key, name, openedAt, openUntil }) => [
      name,
      timestamp(openedAt),
      timestamp(openUntil),
      formOf(ctx, 'end', 'Resume', targetField(key)),
    ]);
    if (rows.length === 0) return null;
    return html`<section>
      <h2>Paused</h2>
      ${table(['Route', 'Since (UTC)', 'Until (UTC)', ''], rows, '')}
    </section>`;
  }

  function withheldPart(ctx: StaffContext): Html {
    const rows = listWithheld(deps.deliveries).map((each) => [
      html`${each.provider}<br /><span class="quiet">${each.model}</span>`,
      each.capability,
      timestamp(each.since),
      html`${each.generations.map((id) => html`${generationLink(id)}<br />`)}`,
      may(ctx, 'sell again')
        ? formOf(ctx, 'sell', 'Sell everything again', targetField(modelBreakerKey(each)))
        : 'Ask an admin',
    ]);
    const columns = ['Route', 'Not sold', 'Since', 'Generations', 'Sell again'];
    return html`<section id="withheld">
      <h2>Withheld</h2>
      <p>
        A route whose results don't match the order three times in a row gets no more such orders
        until an admin resumes them or the routes are reloaded.
      </p>
      ${table(columns, rows, 'Every route sells everything.')}
    </section>`;
  }
}

/** A model, with the others that stop with it or lose a route. */
function withTouched(id: string, { stopped, narrowed }: ReturnType<typeof touchedBy>): string {
  const parts = [
    ...(stopped.length > 0 ? [`also stops ${stopped.join(', ')}`] : []),
    ...(narrowed.length > 0 ? [`takes routes from ${narrowed.join(', ')}`] : []),
  ];
  return parts.length === 0 ? id : `${id} (${parts.join('; ')})`;
}

const targetField = (key: string) => html`<input type="hidden" name="target" value="${key}" />`;

/** Fields for a target, preselected by the address, and for hours. */
function choiceOf(
  ctx: StaffContext,
  label: string,
  targets: readonly { key: string; name: string }[],
): Html {
  const chosen = ctx.query['target'];
  return html`<label
      >${label}
      <select name="target">
        ${targets.map(
          ({ key, name }) =>
            html`<option value="${key}" ${key === chosen ? html`selected` : null}>${name}</option>`,
        )}
      </select></label
    >
    <label
      >Hours <input type="number" name="hours" min="1" max="${maxPauseHours}" value="1" required
    /></label>`;
}

function formOf(ctx: StaffContext, action: string, button: string, fields: Html): Html {
  return html`<form class="stack" method="post" action="${path}">
    ${tokenField(ctx)} <input type="hidden" name="action" value="${action}" /> ${fields}
    ${reasonField()}
    <button>${button}</button>
  </form>`;
}
