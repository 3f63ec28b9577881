import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import {
  awaitsFiles,
  type GenerationInspection,
  inspectGeneration,
  type RevealedPrompt,
  revealPrompt,
} from '../../../application/staff/generationActions.ts';
import { requireReason, runActionForValue } from '../../../application/staff/runAction.ts';
import { deliverableKeys } from '../../../domain/generations/refusedResult.ts';
import { tokenField } from '../../pages/elements.ts';
import { formatDuration, formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { actionLinks, type ConsoleAction, targetOf } from '../actions/actionPages.ts';
import { auditTable } from '../audit/auditPages.ts';
import { actorOf, type StaffContext, staffOf, type StaffState } from '../context.ts';
import {
  accountLink,
  actionNotice,
  badge,
  problemBox,
  reasonField,
  shownProblem,
  table,
} from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { attemptsPart } from './attemptsPart.ts';
import { customerViewPart, jobPart, mediaPart, requestPart } from './generationParts.ts';
import { waitOf } from './jobWaits.ts';
import { addRefusedPages, loadRefused, refusedPart, type RefusedPreviews } from './refusedPart.ts';

interface GenerationPageState {
  revealed: RevealedPrompt | null;
  previews: RefusedPreviews;
  problem: string;
  status: number;
}

/** Page with all data and actions of one generation. */
export function addGenerationPages(
  router: Router<StaffState>,
  deps: App,
  actions: readonly ConsoleAction[],
): void {
  router.get('/staff/generations/:id', needs('see'), (ctx: StaffContext) => show(ctx, {}));

  router.post(
    '/staff/generations/:id/reveal',
    needs('reveal prompt'),
    async (ctx: StaffContext) => {
      const id = targetOf(ctx);
      try {
        const reason = requireReason(ctx.state.form.get('reason'));
        const plan = { action: 'reveal prompt' as const, targets: [id], reason, formId: null };
        const revealed = await runActionForValue(deps, actorOf(ctx), plan, async () => ({
          value: await revealPrompt(deps, id),
          summary: 'Shown.',
        }));
        await show(ctx, { revealed });
      } catch (error) {
        await showRefusal(ctx, error);
      }
    },
  );
  addRefusedPages(router, deps, (ctx, previews) => show(ctx, { previews }), showRefusal);

  async function showRefusal(ctx: StaffContext, error: unknown): Promise<void> {
    await show(ctx, { problem: shownProblem(error).problem, status: 409 });
  }

  async function show(ctx: StaffContext, page: Partial<GenerationPageState>): Promise<void> {
    const { revealed = null, previews = null, problem = '', status = 200 } = page;
    const id = targetOf(ctx);
    const [inspected, log] = await Promise.all([
      inspectGeneration(deps, id),
      deps.audit.search(id, null, 20),
    ]);
    const nowMs = deps.clock.now();
    const refused = await loadRefused(deps, inspected);
    const content = html`${actionNotice(ctx, log)} ${problemBox(problem)}
      ${heading(inspected, nowMs)} ${waitPart(deps, inspected)}
      ${actionButtons(ctx, inspected, actions, nowMs)} ${attemptsPart(inspected, revealed !== null)}
      ${refusedPart(ctx, inspected, refused, previews)}
      <div class="columns">
        <div>${timelinePart(inspected)} ${creditsPart(inspected)}</div>
        <div>
          ${requestPart(inspected)} ${promptPart(ctx, inspected, revealed)}
          ${mediaPart(inspected, { publicUrls: deps.publicUrls, nowMs })} ${jobPart(inspected)}
          ${customerViewPart(inspected)}
        </div>
      </div>
      <section>
        <h2>Staff actions</h2>
        ${auditTable(log)}
      </section>`;
    showPage(ctx, `${inspected.generation.status} · ${id}`, content, status);
  }
}

function heading({ generation, account }: GenerationInspection, nowMs: number): Html {
  const { id, accountId, status, createdAt, endedAt, failure } = generation;
  const age = formatDuration((endedAt ?? nowMs) - createdAt);
  const place = `${endedAt === null ? ' for' : ', after'} ${age}`;
  return html`<h1><code>${id}</code></h1>
    <p>
      ${badge(status)}${place}${failure && html`: <code>${failure.code}</code>`} ·
      <b>${describeCharge(generation)}</b> · ${generation.model} ·
      ${accountLink(accountId, account?.email)}
    </p>`;
}

/** The reason why an unfinished generation waits, as in the list of jobs. */
function waitPart({ breakers }: App, { generation }: GenerationInspection): Html | null {
  const wait = waitOf(generation, breakers);
  return wait && html`<p>It ${wait}.</p>`;
}

function describeCharge(generation: GenerationInspection['generation']): string {
  const { status, costCredits, refundedCredits: refunded } = generation;
  const charged = `${formatNumber(costCredits)} credits charged`;
  if (status !== 'failed') return charged;
  return refunded === costCredits
    ? `${charged} and refunded`
    : `${charged}, ${formatNumber(refunded)} refunded`;
}

/** Links to the actions that apply to a generation now. */
export function actionButtons(
  ctx: StaffContext,
  { generation }: Pick<GenerationInspection, 'generation'>,
  actions: readonly ConsoleAction[],
  nowMs: number,
): Html {
  const { id, step, status, outputs, outputsRemovedAt, attempts } = generation;
  const isOpen = step !== 'ended';
  const hasUnfetchedFiles = awaitsFiles(generation);
  const isOutcomeUnknown =
    attempts.some(({ outcome }) => outcome === 'unknown') && !generation.resolution;
  const fits: Readonly<Record<string, boolean>> = {
    note: true,
    'poll-now': isOpen && !hasUnfetchedFiles,
    'retry-download': hasUnfetchedFiles,
    'resolve-unknown': isOutcomeUnknown || step === 'submitting',
    'fail-and-refund': isOpen,
    'deliver-anyway': deliverableKeys(generation, nowMs).ok,
    'take-down': status === 'completed' && outputs.length > 0 && outputsRemovedAt === null,
  };
  const path = `/staff/generations/${id}`;
  return actionLinks(path, staffOf(ctx).staffRole, actions, (slug) => fits[slug] === true);
}

function timelinePart({ timeline, generation }: GenerationInspection): Html {
  const rows = timeline.map(({ at, what: event, process = null, attempt }) => [
    timestamp(at),
    event,
    attempt ?? '',
    process === null ? null : html`<span class="quiet">${process}</span>`,
  ]);
  const deadline =
    generation.step === 'ended'
      ? null
      : html`<p>Deadline: ${timestamp(generation.deadlineAt)}.</p>`;
  return html`<section>
    <h2>Timeline</h2>
    ${table(['Time (UTC)', 'Event', 'Attempt', 'Process'], rows, 'No events yet.')} ${deadline}
  </section>`;
}

function creditsPart({ entries }: GenerationInspection): Html {
  const rows = entries.map((entry) => [
    timestamp(entry.at),
    entry.kind,
    html`<b>${formatNumber(entry.amount)}</b>`,
    html`${entry.movements.map(
      ({ lotId, kind, amount }) =>
        html`<span class="quiet"><code>${lotId}</code> ${kind} ${formatNumber(amount)}</span
          ><br />`,
    )}`,
    html`<code>${entry.id.slice(entry.id.indexOf('.') + 1).replace(/^0+/, '')}</code>`,
  ]);
  return html`<section>
    <h2>Credits</h2>
    ${table(['Time (UTC)', 'Entry', 'Credits', 'Lots', 'Ledger no.'], rows, 'No ledger entries.')}
  </section>`;
}

function promptPart(
  ctx: StaffContext,
  { generation }: GenerationInspection,
  revealed: GenerationPageState['revealed'],
): Html {
  if (revealed) {
    return html`<section id="prompt">
      <h2>Prompt</h2>
      <p class="prompt" dir="auto">
        ${revealed.prompt === '' ? 'The prompt has been erased.' : revealed.prompt}
      </p>
      ${revealed.texts.map(([name, words]) => html`<p dir="auto">${name}: ${words}</p>`)}
      ${revealed.inputs.map((url) => html`<p><code>${url}</code></p>`)}
    </section>`;
  }
  return html`<section id="prompt">
    <h2>Prompt</h2>
    <details>
      <summary>Show prompt, input URLs and provider responses</summary>
      <form class="stack" method="post" action="/staff/generations/${generation.id}/reveal">
        ${tokenField(ctx)} ${reasonField()}
        <button>Reveal</button>
      </form>
    </details>
  </section>`;
}
