import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import { addPasskey, beginPasskey, removePasskey } from '../../../application/staff/passkeys.ts';
import {
  type PlannedAction,
  runAction,
  type StaffActor,
} from '../../../application/staff/runAction.ts';
import { maxPasskeyNameLength } from '../../../domain/signIn/passkey.ts';
import { redirect } from '../../pages/context.ts';
import { tokenField } from '../../pages/elements.ts';
import { type Html, html, timestamp } from '../../pages/html.ts';
import { actorOf, type StaffContext, staffOf, type StaffState } from '../context.ts';
import { problemBox, shownProblem, table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { factorOf, newPasskeyFields, proofFields } from '../proofFields.ts';

const path = '/staff/passkeys';
const paths = { begin: `${path}/begin`, make: `${path}/make`, remove: `${path}/remove` };

/** Pages on which staff members see, add and remove their own passkeys. */
export function addPasskeyPages(router: Router<StaffState>, deps: App): void {
  router.get(path, needs('see'), (ctx: StaffContext) => show(ctx));

  router.post(paths.begin, needs('add passkey'), async (ctx: StaffContext) => {
    const name = ctx.state.form.get('name');
    try {
      const { createdAt = 0 } = ctx.state.session ?? {};
      const others = await beginPasskey(deps, staffOf(ctx).id, {
        signedInAt: createdAt,
        prove: actorOf(ctx).prove,
      });
      showMaking(ctx, name, others);
    } catch (error) {
      await showRefusal(ctx, error);
    }
  });

  // Its challenge was issued after the proof.
  router.post(paths.make, needs('add passkey'), async (ctx: StaffContext) => {
    const actor = actorOf(ctx);
    const plan = planOf(actor, 'add passkey');
    try {
      await runAction(deps, actor, plan, async () => {
        const form = { ...factorOf(ctx), name: ctx.state.form.get('name') };
        const { name } = await addPasskey(deps, staffOf(ctx), form);
        return `Passkey “${name}” added.`;
      });
      redirect(ctx, path);
    } catch (error) {
      await showRefusal(ctx, error);
    }
  });

  router.post(paths.remove, needs('remove passkey'), async (ctx: StaffContext) => {
    const actor = actorOf(ctx);
    const plan = planOf(actor, 'remove passkey');
    try {
      await runAction(deps, actor, plan, () =>
        removePasskey(deps, actor.accountId, ctx.state.form.get('id')),
      );
      redirect(ctx, '/staff/sign-in');
    } catch (error) {
      await showRefusal(ctx, error);
    }
  });

  async function showRefusal(ctx: StaffContext, error: unknown): Promise<void> {
    const { problem, status } = shownProblem(error);
    await show(ctx, problem, status === 429 ? 429 : 409);
  }

  async function show(ctx: StaffContext, problem = '', status = 200): Promise<void> {
    const own = await deps.passkeys.list(staffOf(ctx).id);
    const rows = own.map(({ name, createdAt, lastUsedAt }) => [
      name,
      timestamp(createdAt),
      lastUsedAt === null ? 'never' : timestamp(lastUsedAt),
    ]);
    const columns = ['Name', 'Added (UTC)', 'Last used (UTC)'];
    const content = html`<h1>Your passkeys</h1>
      ${problemBox(problem)}
      <p>
        A passkey signs you in together with your password, and confirms actions that move credits
        or erase data. It only works at this address of the console.
      </p>
      ${table(columns, rows, 'No passkeys yet.')}
      <div class="columns">${addForm(ctx)} ${rows.length > 0 && removeForm(ctx, own)}</div>`;
    showPage(ctx, 'Your passkeys', content, status);
  }

  const addForm = (ctx: StaffContext): Html =>
    html`<section>
      <h2>Add a passkey</h2>
      <form class="stack" method="post" action="${paths.begin}">
        ${tokenField(ctx)} ${nameField(ctx.state.form.get('name'))}
        ${proofFields(ctx, deps, paths.begin)}
        <button>Continue</button>
      </form>
    </section>`;

  const removeForm = (ctx: StaffContext, own: readonly { id: string; name: string }[]): Html =>
    html`<section>
      <h2>Remove a passkey</h2>
      <p>This signs you out on all devices.</p>
      <form class="stack" method="post" action="${paths.remove}">
        ${tokenField(ctx)}
        <label
          >Passkey
          <select name="id">
            ${own.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
          </select></label
        >
        ${proofFields(ctx, deps, paths.remove)}
        <button class="danger">Remove passkey</button>
      </form>
    </section>`;

  function showMaking(ctx: StaffContext, name: string, others: readonly string[]): void {
    const { id, email } = staffOf(ctx);
    const content = html`<div class="narrow">
      <h1>Add a passkey</h1>
      <form class="stack" method="post" action="${paths.make}">
        ${tokenField(ctx)} ${nameField(name)}
        ${newPasskeyFields(ctx, deps, paths.make, { id, email, others })}
        <p><button>Create passkey</button> <a href="${path}">Cancel</a></p>
      </form>
    </div>`;
    showPage(ctx, 'Add a passkey', content);
  }
}

const planOf = (
  { accountId }: StaffActor,
  action: 'add passkey' | 'remove passkey',
): PlannedAction => ({
  action,
  targets: [accountId],
  reason: '',
  formId: null,
});

/** Field for the name of a new passkey. */
export function nameField(value: string): Html {
  return html`<label
    >Passkey name
    <input
      name="name"
      value="${value}"
      maxlength="${maxPasskeyNameLength}"
      autocomplete="off"
      required
  /></label>`;
}
