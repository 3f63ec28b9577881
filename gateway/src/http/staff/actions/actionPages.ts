import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import { requireReason, runAction, type StaffActor } from '../../../application/staff/runAction.ts';
import { propose } from '../../../application/staff/secondPerson.ts';
import { formReference } from '../../../domain/credits/credits.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { needsProof } from '../../../domain/staff/staffProofs.ts';
import { mayDo, type StaffAction, type StaffRole } from '../../../domain/staff/staffRights.ts';
import { redirect } from '../../pages/context.ts';
import { queryOf, tokenField } from '../../pages/elements.ts';
import type { Form } from '../../pages/form.ts';
import { attributes, type Html, html } from '../../pages/html.ts';
import { actorOf, type StaffContext, type StaffState } from '../context.ts';
import { formIdField, formIdOf, problemBox, reasonField, shownProblem } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { proofFields } from '../proofFields.ts';
import { type ActionSubject, loadSubject, subjectPart } from './actionSubject.ts';

/** A field of an action's form, in addition to the reason. */
export interface ActionField {
  name: string;
  label: string;
  kind: 'text' | 'lines' | 'number' | 'date' | 'choice';
  options?: readonly (readonly [string, string])[];
  /** May be left empty. */
  isOptional?: boolean;
}

/** A staff action on a generation or an account, with a confirmation page. */
export interface ConsoleAction {
  action: StaffAction;
  /** Path segment. */
  slug: string;
  title: string;
  /** Explanation of the effect, on the confirmation page. */
  explains: string;
  fields?: readonly ActionField[];
  /** True if the action cannot be undone; its button is then red and names the loss. */
  isFinal?: boolean;
  /** Label of the button, if it differs from the title. */
  button?(subject: ActionSubject): string;
  /** True if no reason is required. */
  isHarmless?: boolean;
  /**
   * Runs the action.
   * @returns The result for the audit log.
   * @throws Refusal `second_admin_needed` if another admin must confirm it first.
   */
  run(work: ActionWork): Promise<string>;
  /** An additional hint about this target on the confirmation page. */
  loadHint?(targetId: string): Promise<string | null>;
  /** Whether an action that needs another admin becomes a proposal; otherwise it is refused. */
  proposes?: boolean;
  /** Additional ids for the audit log. */
  alsoAbout?(form: Form): string[];
}

/** A submitted action. */
export interface ActionWork {
  targetId: string;
  form: Form;
  reason: string;
  actor: StaffActor;
  /** Unique reference of its ledger entry, which prevents double booking. */
  reference: string | undefined;
  /** The proposed action that the actor confirms, or null. */
  confirms: StaffAction | null;
}

/** Common data of the confirmation pages for one kind of target. */
export interface ActionTarget {
  /** Path prefix, such as `/staff/generations`. */
  path: string;
  actions: readonly ConsoleAction[];
}

/** A confirmation page and a POST route for each action; both require it. */
export function addActionPages(
  router: Router<StaffState>,
  deps: App,
  { path, actions }: ActionTarget,
): void {
  for (const action of actions) {
    const route = `${path}/:id/${action.slug}`;
    router.get(route, needs(action.action), (ctx: StaffContext) =>
      showConfirmation(ctx, path, action, {}),
    );
    router.post(route, needs(action.action), async (ctx: StaffContext) => {
      const { form } = ctx.state;
      const targetId = targetOf(ctx);
      const actor = actorOf(ctx);
      try {
        const typedReason = form.get('reason');
        const reason = action.isHarmless === true ? typedReason : requireReason(typedReason);
        const formId = formIdOf(ctx);
        const reference = formReference(formId);
        const plan = {
          action: action.action,
          reason,
          formId,
          targets: [targetId, ...(action.alsoAbout?.(form) ?? [])],
        };
        await runAction(deps, actor, plan, async () => {
          try {
            return await action.run({ targetId, form, reason, actor, reference, confirms: null });
          } catch (error) {
            if (!(error instanceof Refusal) || error.code !== 'second_admin_needed') throw error;
            if (!action.proposes) throw error;
            const credits = Number(error.values['credits']) || null;
            const { action: proposed, slug } = action;
            const fields = (action.fields ?? []).map(({ name }): [string, string] => [
              name,
              form.get(name),
            ]);
            const proposal = { action: proposed, slug, targetId, reason, fields, credits };
            return propose(deps, actor, proposal);
          }
        });
        redirect(ctx, `${path}/${targetId}?done`);
      } catch (error) {
        await showConfirmation(ctx, path, action, {
          problem: shownProblem(error).problem,
          status: 409,
        });
      }
    });
  }

  async function showConfirmation(
    ctx: StaffContext,
    back: string,
    action: ConsoleAction,
    { problem = '', status = 200 }: { problem?: string; status?: number },
  ): Promise<void> {
    const targetId = targetOf(ctx);
    const subject = await loadSubject(deps, { targetId, keyId: submittedValue(ctx, 'key') });
    const hint = await action.loadHint?.(targetId);
    const formPath = `${back}/${targetId}/${action.slug}`;
    const content = html`<div class="narrow">
      <h1>${action.title}</h1>
      <p>
        <a href="${back}/${targetId}"><code>${targetId}</code></a>
      </p>
      ${subjectPart(subject, deps.clock.now())} ${problemBox(problem)}
      <p>${action.explains}</p>
      ${hint && html`<p>${hint}</p>`}
      ${action.isFinal === true && html`<p class="notice warning">This cannot be undone.</p>`}
      <form class="stack" method="post" action="${formPath}">
        ${tokenField(ctx)} ${formIdField(deps.random)}
        ${(action.fields ?? []).map((field) => fieldOf(field, submittedValue(ctx, field.name)))}
        ${action.isHarmless !== true && reasonField(submittedValue(ctx, 'reason'))}
        ${needsProof[action.action] && proofFields(ctx, deps, formPath)}
        <p>
          <button ${attributes({ class: action.isFinal && 'danger' })}>
            ${action.button?.(subject) ?? action.title}
          </button>
          <a href="${back}/${targetId}">Cancel</a>
        </p>
      </form>
    </div>`;
    showPage(ctx, action.title, content, status);
  }
}

/** Fields that a link may fill in; staff must enter all others. */
const linkable = ['key', 'host'];

/** Submitted value of a field, or the one from a link. */
function submittedValue(ctx: StaffContext, name: string): string {
  return ctx.state.form.get(name) || (queryOf(ctx.query, linkable)[name] ?? '');
}

/** Target id from the URL; not validated. */
export function targetOf(ctx: StaffContext): string {
  return String(ctx.params['id']);
}

function fieldOf(
  { name, label, kind, options = [], isOptional }: ActionField,
  value: string,
): Html {
  const required = isOptional === true ? null : html`required`;
  if (kind === 'choice') {
    const choices = options.map(
      ([option, optionLabel]) =>
        html`<option ${attributes({ value: option, selected: option === value })}>
          ${optionLabel}
        </option>`,
    );
    return html`<label
      >${label}
      <select name="${name}">
        ${choices}
      </select></label
    >`;
  }
  if (kind === 'lines') {
    return html`<label
      >${label} <textarea name="${name}" rows="6" dir="auto" ${required}>${value}</textarea>
    </label>`;
  }
  return html`<label
    >${label} <input type="${kind}" name="${name}" value="${value}" autocomplete="off" ${required}
  /></label>`;
}

/**
 * Links to the confirmation pages of the actions that the role may perform.
 * @param path Page of the target, such as `/staff/generations/gen_…`.
 * @param fits Whether an action applies to the target's current state.
 */
export function actionLinks(
  path: string,
  role: StaffRole,
  actions: readonly ConsoleAction[],
  fits: (slug: string) => boolean,
): Html {
  const links = actions
    .filter(({ slug, action }) => fits(slug) && mayDo(role, action))
    .map(
      ({ slug, title, isFinal }) =>
        html`<a class="button ${isFinal === true && 'danger'}" href="${path}/${slug}"
          >${title}</a
        > `,
    );
  return html`<div class="actions">${links}</div>`;
}
