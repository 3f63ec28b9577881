import type { Router } from '@koa/router';
import { mayDo, type StaffAction, type StaffRole } from '../../domain/staffRights.ts';
import { requireReason, runAction, type Actor } from '../../application/staff/runAction.ts';
import { NeedsSecondPerson, propose } from '../../application/staff/secondPerson.ts';
import { formReference } from '../../domain/credits.ts';
import type { Form } from '../pages/form.ts';
import { attributes, html, type Html } from '../pages/html.ts';
import { redirect } from '../pages/context.ts';
import { tokenField } from '../pages/layout.ts';
import { loadSubject, subjectPart, type ActionSubject } from './actionSubject.ts';
import {
  problemBox,
  showPage,
  actorOf,
  staffOf,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';
import { PlainRefusal } from '../../domain/refusal.ts';

/** A field of an action's form, beside the reason. */
export interface ActionField {
  name: string;
  label: string;
  kind: 'text' | 'number' | 'date' | 'choice';
  options?: readonly (readonly [string, string])[];
  /** May be left empty. */
  optional?: boolean;
}

/** Something that staff can do to a generation or an account, on a page that asks first. */
export interface ConsoleAction {
  action: StaffAction;
  /** Its part of the address. */
  slug: string;
  title: string;
  /** What will happen, before it is confirmed. */
  explains: string;
  fields?: readonly ActionField[];
  /** Whether it cannot be undone: its button is red, and says what is lost. */
  final?: boolean;
  /** What its button says, where that is more than its title. */
  button?(subject: ActionSubject): string;
  /** Harmless: needs no reason. */
  harmless?: boolean;
  /**
   * Does it.
   * @returns its outcome for the audit log.
   * @throws NeedsSecondPerson when another admin has to confirm it first.
   */
  run(work: ActionWork): Promise<string>;
  /** What else is to be said before it, about this target. */
  hint?(targetId: string): Promise<string | null>;
  /** Whether it waits for another admin where it needs one; otherwise it is refused then. */
  proposes?: boolean;
  /** Ids beside the target's for the audit log. */
  alsoAbout?(form: Form): string[];
}

/** A form that was sent. */
export interface ActionWork {
  targetId: string;
  form: Form;
  reason: string;
  actor: Actor;
  /** Under which its credits are booked, once. */
  reference: string | undefined;
  /** The action that another admin asked for, where its actor confirms it. */
  confirms: StaffAction | null;
}

/** What the confirmation pages of one kind of target share. */
export interface ActionTarget {
  /** Such as `/staff/generations`. */
  path: string;
  actions: readonly ConsoleAction[];
}

/** A page that asks and a POST that does, for each action; both hold the role to its rights. */
export function actionPages(
  router: Router<StaffState>,
  { deps }: StaffConsole,
  { path, actions }: ActionTarget,
): void {
  for (const action of actions) {
    const address = `${path}/:id/${action.slug}`;
    router.get(address, (ctx: StaffContext) => showConfirmation(ctx, path, action, {}));
    router.post(address, async (ctx: StaffContext) => {
      const { form } = ctx.state;
      const targetId = targetOf(ctx);
      const actor = actorOf(ctx);
      try {
        const given = form.get('reason');
        const reason = action.harmless === true ? given : requireReason(given);
        const formId = form.get('form_id').slice(0, 60) || null;
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
            if (!(error instanceof NeedsSecondPerson) || !action.proposes) throw error;
            const { credits } = error;
            const { action: proposed, slug } = action;
            const fields = (action.fields ?? []).map(({ name }): [string, string] => [
              name,
              form.get(name),
            ]);
            const what = { action: proposed, slug, targetId, reason, fields, credits };
            return propose(deps, actor, what);
          }
        });
        redirect(ctx, `${path}/${targetId}?done`);
      } catch (error) {
        if (!(error instanceof PlainRefusal)) throw error;
        const allowed = mayDo(actor.role, action.action);
        await showConfirmation(ctx, path, action, {
          problem: error.message,
          status: allowed ? 409 : 403,
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
    const allowed = mayDo(staffOf(ctx).staffRole, action.action);
    const targetId = targetOf(ctx);
    const subject = await loadSubject(deps.work, { targetId, keyId: typed(ctx, 'key') });
    const hint = await action.hint?.(targetId);
    const formId = Buffer.from(deps.work.random.bytes(15)).toString('base64url');
    const content = html`<div class="narrow">
      <h1>${action.title}</h1>
      <p>
        <a href="${back}/${targetId}"><code>${targetId}</code></a>
      </p>
      ${subjectPart(subject, deps.work.clock.now())}
      ${problemBox(allowed ? problem : 'Your role may not do this: ask an admin.')}
      <p>${action.explains}</p>
      ${hint ? html`<p>${hint}</p>` : null}
      ${action.final === true ? html`<p class="notice warning">This cannot be undone.</p>` : null}
      <form class="stack" method="post" action="${back}/${targetId}/${action.slug}">
        ${tokenField(ctx)} <input type="hidden" name="form_id" value="${formId}" />
        ${(action.fields ?? []).map((field) => fieldOf(field, typed(ctx, field.name)))}
        ${reasonOf(action, typed(ctx, 'reason'))}
        <p>
          <button ${attributes({ class: action.final && 'danger', disabled: !allowed })}>
            ${action.button?.(subject) ?? action.title}
          </button>
          <a href="${back}/${targetId}">Cancel</a>
        </p>
      </form>
    </div>`;
    showPage(ctx, action.title, content, allowed ? status : 403);
  }
}

/** What a link may fill in: which key and host are meant. All else is typed by the sender of the form. */
const linkable = new Set(['key', 'host']);

/** What was typed before, or what a link fills in. */
function typed(ctx: StaffContext, name: string): string {
  const linked = linkable.has(name) ? ctx.query[name] : undefined;
  return ctx.state.form.get(name) || (typeof linked === 'string' ? linked : '');
}

/** The target of the address. @throws PlainRefusal is the use case's: any text is looked for. */
export function targetOf(ctx: StaffContext): string {
  return String(ctx.params['id']);
}

function fieldOf({ name, label, kind, options = [], optional }: ActionField, value: string): Html {
  const required = optional === true ? null : html`required`;
  if (kind === 'choice') {
    const choices = options.map(
      ([of, optionLabel]) =>
        html`<option ${attributes({ value: of, selected: of === value })}>${optionLabel}</option>`,
    );
    return html`<label
      >${label}
      <select name="${name}">
        ${choices}
      </select></label
    >`;
  }
  return html`<label
    >${label} <input type="${kind}" name="${name}" value="${value}" autocomplete="off" ${required}
  /></label>`;
}

function reasonOf({ harmless }: ConsoleAction, value: string): Html | null {
  if (harmless === true) return null;
  return html`<label
    >Why, for the audit log
    <input name="reason" value="${value}" maxlength="500" minlength="3" autocomplete="off" required
  /></label>`;
}

/**
 * Buttons that lead to the confirmation pages of what this role may do.
 * @param path The target's own page, such as `/staff/generations/gen_…`.
 * @param fits Whether an action makes sense for the target as it is.
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
      ({ slug, title, final }) =>
        html`<a class="button ${final === true ? 'danger' : ''}" href="${path}/${slug}"
          >${title}</a
        > `,
    );
  return html`<div class="actions">${links}</div>`;
}
