import type { Router } from '@koa/router';
import { sum } from '@framegate/contract';
import type { App } from '../../../application/app.ts';
import {
  listWithheld,
  restoreCapabilities,
} from '../../../application/generations/run/withheldRoutes.ts';
import {
  listStops,
  modelsSharingRoutes,
  type ModelStop,
  sellAgain,
  stopModel,
} from '../../../application/staff/modelStops.ts';
import {
  endPause,
  listPauses,
  maxPauseHours,
  pauseRoute,
  pauseTargets,
} from '../../../application/staff/routePauses.ts';
import { findRouteStates } from '../../../application/staff/routeStates.ts';
import { requireReason, runAction } from '../../../application/staff/runAction.ts';
import { modelBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { mayDo, type StaffAction } from '../../../domain/staff/staffRights.ts';
import { tokenField } from '../../pages/elements.ts';
import { type Form, parseInteger } from '../../pages/form.ts';
import { formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { actorOf, type StaffContext, staffOf, type StaffState } from '../context.ts';
import { generationLink, problemBox, reasonField, shownProblem, table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { routeTable } from './routeTable.ts';

const path = '/staff/routes';

/** Page of all routes, where staff pause a route, stop selling a model, resume sales, and end pauses. */
export function addRoutePages(router: Router<StaffState>, deps: App): void {
  const actions: Readonly<Record<string, [StaffAction, (form: Form) => Promise<string>]>> = {
    pause: [
      'pause route',
      (form) => pauseRoute(deps, form.get('target'), parseInteger(form, 'hours')),
    ],
    stop: [
      'stop selling',
      (form) =>
        stopModel(
          deps,
          form.get('target'),
          form.get('hours') === '' ? null : parseInteger(form, 'hours'),
        ),
    ],
    'sell-again': ['sell again', (form) => sellAgain(deps, form.get('target'))],
    resume: ['end pause', (form) => endPause(deps, form.get('target'))],
    'sell-everything': [
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
    const chosen = actions[form.get('action')];
    if (!chosen) throw new Refusal('not_found');
    const [action, run] = chosen;
    try {
      const reason = requireReason(form.get('reason'));
      const plan = { action, targets: [form.get('target').slice(0, 200)], reason, formId: null };
      await show(ctx, await runAction(deps, actorOf(ctx), plan, () => run(form)), '');
    } catch (error) {
      await show(ctx, '', shownProblem(error).problem, may(ctx, action) ? 409 : 403);
    }
  });

  async function show(ctx: StaffContext, notice: string, problem: string, status = 200) {
    const allModels = deps.allModels();
    const states = await findRouteStates(deps, allModels, may(ctx, 'see costs'));
    const mayStop = may(ctx, 'stop selling');
    const stops = listStops(deps);
    const stopped = stops.map(({ model }) => model);
    const content = html`<h1>Routes</h1>
      ${notice !== '' && html`<p class="notice" role="status">${notice}</p>`} ${problemBox(problem)}
      ${stopsPart(ctx, stops)} ${pausesPart(ctx)}
      ${routeTable(states, { path, mayStop, stopped, nowMs: deps.clock.now() })}
      <div class="columns">
        ${
          may(ctx, 'pause route') &&
          html`<section id="pause">
            <h2>Pause a route</h2>
            <p>
              A paused route gets no new orders; running work continues. Its models use their other
              routes; without one, their generations wait.
            </p>
            ${formOf(ctx, 'pause', 'Pause', choiceOf(ctx, 'Provider, or one of its models', pauseTargets(deps), hoursField))}
          </section>`
        }
        ${
          mayStop &&
          html`<section id="stop">
            <h2>Stop selling a model</h2>
            <p>
              New requests for it are refused (503) immediately, for every customer. Only this model
              stops: accepted generations continue, and the same routes keep selling other models.
            </p>
            ${formOf(
              ctx,
              'stop',
              'Stop selling',
              choiceOf(ctx, 'Model', await findTouchedModels(), lengthField),
            )}
          </section>`
        }
      </div>
      ${withheldPart(ctx)}`;
    showPage(ctx, 'Routes', content, status);
  }

  /** The models, with the effects and limits of stopping each. */
  async function findTouchedModels() {
    const ids = deps.allModels().map(({ id }) => id);
    const { open } = await deps.figures.loadOpen();
    return ids.map((id) => {
      const left = modelsSharingRoutes(deps, id, ids);
      const accepted = open.filter(({ model }) => model === id);
      const unfinished = sum(accepted.map(({ count }) => count));
      const others = left.length > 0 ? `; still sold: ${left.join(', ')}` : '';
      return { key: id, name: `${id} (${formatNumber(unfinished)} unfinished continue${others})` };
    });
  }

  function stopsPart(ctx: StaffContext, stops: readonly ModelStop[]): Html | null {
    if (stops.length === 0) return null;
    const rows = stops.map(({ model, sinceMs, untilMs }) => [
      model,
      timestamp(sinceMs),
      untilMs === null ? 'an admin sells it again' : timestamp(untilMs),
      may(ctx, 'sell again')
        ? formOf(ctx, 'sell-again', 'Sell again', targetField(model))
        : 'Ask an admin',
    ]);
    return html`<section id="stopped">
      <h2>Not sold</h2>
      ${table(['Model', 'Since (UTC)', 'Until (UTC)', 'Sell again'], rows, '')}
    </section>`;
  }

  function pausesPart(ctx: StaffContext): Html | null {
    const rows = listPauses(deps).map(({ key, name, sinceMs, untilMs }) => [
      name,
      timestamp(sinceMs),
      timestamp(untilMs),
      formOf(ctx, 'resume', 'Resume', targetField(key)),
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
        ? formOf(
            ctx,
            'sell-everything',
            'Sell everything again',
            targetField(modelBreakerKey(each)),
          )
        : 'Ask an admin',
    ]);
    const columns = ['Route', 'Not sold', 'Since', 'Generations', 'Sell again'];
    return html`<section id="withheld">
      <h2>Withheld</h2>
      <p>
        A route whose results do not match the order three times in a row gets no more such orders
        until an admin resumes them or the routes are reloaded.
      </p>
      ${table(columns, rows, 'Every route sells everything.')}
    </section>`;
  }
}

const hoursField = html`<label
  >Hours <input type="number" name="hours" min="1" max="${maxPauseHours}" value="1" required
/></label>`;
const lengths = [
  ['', 'until it is sold again'],
  ['1', 'an hour'],
  ['6', '6 hours'],
  ['24', 'a day'],
  [`${maxPauseHours}`, 'a week'],
] as const;
const lengthField = html`<label
  >How long
  <select name="hours">
    ${lengths.map(([hours, words]) => html`<option value="${hours}">${words}</option>`)}
  </select></label
>`;
const targetField = (key: string) => html`<input type="hidden" name="target" value="${key}" />`;

/** Fields for a target, preselected by the URL, and for how long. */
function choiceOf(
  ctx: StaffContext,
  label: string,
  targets: readonly { key: string; name: string }[],
  lasting: Html,
): Html {
  const chosen = ctx.query['target'];
  return html`<label
      >${label}
      <select name="target">
        ${targets.map(
          ({ key, name }) =>
            html`<option value="${key}" ${key === chosen && html`selected`}>${name}</option>`,
        )}
      </select></label
    >
    ${lasting}`;
}

function formOf(ctx: StaffContext, action: string, button: string, fields: Html): Html {
  return html`<form class="stack" method="post" action="${path}">
    ${tokenField(ctx)} <input type="hidden" name="action" value="${action}" /> ${fields}
    ${reasonField()}
    <button>${button}</button>
  </form>`;
}
