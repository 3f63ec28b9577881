import type { Router } from '@koa/router';
import { AdminProblem } from '../../application/admin/adminProblem.ts';
import { awaitsFiles, revealPrompt } from '../../application/staff/generationActions.ts';
import { inspectGeneration, type Inspected } from '../../application/staff/inspectGeneration.ts';
import type { AuditEntry } from '../../application/staff/ports.ts';
import { requireReason, runAction } from '../../application/staff/runAction.ts';
import { html, type Html } from '../site/html.ts';
import { actionLinks } from './actionLinks.ts';
import { targetOf, type ConsoleAction } from './actionPages.ts';
import { attemptsPart } from './attemptsPart.ts';
import { auditTable } from './auditPage.ts';
import { problemBox, showPage, tokenField } from './layout.ts';
import { actorOf, staffOf, type StaffConsole } from './staffContext.ts';
import type { StaffContext, StaffState } from './staffContext.ts';
import { accountLink, badge, count, facts, moment, span, table } from './words.ts';

interface Shown {
  revealed: { prompt: string; inputs: string[] } | null;
  problem: string;
  status: number;
}

/** A generation's page: everything that there is to know, and what can be done. */
export function generationPages(
  router: Router<StaffState>,
  { deps }: StaffConsole,
  actions: readonly ConsoleAction[],
): void {
  router.get('/staff/generations/:id', (ctx: StaffContext) => show(ctx, {}));

  router.post('/staff/generations/:id/reveal', async (ctx: StaffContext) => {
    const id = targetOf(ctx);
    try {
      const reason = requireReason(ctx.state.form.get('reason'));
      let revealed: Shown['revealed'] = null;
      const plan = { action: 'reveal prompt' as const, targets: [id], reason, formId: null };
      await runAction(deps, actorOf(ctx), plan, async () => {
        revealed = await revealPrompt(deps, id);
        return 'Shown.';
      });
      await show(ctx, { revealed });
    } catch (error) {
      if (!(error instanceof AdminProblem)) throw error;
      await show(ctx, { problem: error.message, status: 409 });
    }
  });

  async function show(ctx: StaffContext, shown: Partial<Shown>): Promise<void> {
    const { revealed = null, problem = '', status = 200 } = shown;
    const id = targetOf(ctx);
    const inspected = await inspectGeneration(deps, id);
    const log = await deps.audit.search(id, null, 20);
    const now = deps.clock.now();
    const content = html`${noticeOf(ctx, log)} ${problemBox(problem)} ${headOf(inspected, now)}
      ${buttonsOf(ctx, inspected, actions)}
      <div class="columns">
        <div>
          ${timelineOf(inspected)} ${attemptsPart(inspected, revealed !== null)}
          ${creditsOf(inspected)}
        </div>
        <div>
          ${factsOf(inspected)} ${promptOf(ctx, inspected, revealed)} ${mediaOf(inspected)}
          ${jobOf(inspected)} ${customerViewOf(inspected)}
        </div>
      </div>
      <section>
        <h2>What staff did</h2>
        ${auditTable(log)}
      </section>`;
    showPage(ctx, id, content, status);
  }
}

/** After an action: what came of it. */
export function noticeOf(ctx: StaffContext, [last]: readonly AuditEntry[]): Html | null {
  if (ctx.query['done'] === undefined || !last) return null;
  return html`<p class="notice" role="status">${last.result}</p>`;
}

function headOf({ generation, account }: Inspected, now: number): Html {
  const { id, accountId, status, step, createdAt, endedAt, failure, costCredits } = generation;
  const charged = status === 'failed' ? 'charged and refunded' : 'charged';
  const age = span((endedAt ?? now) - createdAt);
  const place = endedAt === null ? ` (${step}), for ${age}` : `, after ${age}`;
  return html`<h1 class="id"><code>${id}</code></h1>
    <p class="lead">
      ${badge(status)}${place}${failure ? html`: <code>${failure.code}</code>` : null} ·
      <b>${count(costCredits)} credits ${charged}</b> · ${generation.model} ·
      ${account ? html`<a href="/staff/accounts/${accountId}">${account.email}</a>` : accountId}
    </p>`;
}

function buttonsOf(
  ctx: StaffContext,
  { generation }: Inspected,
  actions: readonly ConsoleAction[],
): Html {
  const { id, step, status, outputs, outputsDeletedAt, attempts } = generation;
  const open = step !== 'ended';
  const unfetched = awaitsFiles(generation);
  const unknown = attempts.some(({ outcome }) => outcome === 'unknown') && !generation.resolution;
  const fits: Readonly<Record<string, boolean>> = {
    'look-now': open && !unfetched,
    'retry-download': unfetched,
    'resolve-unknown': unknown || step === 'submitting',
    'fail-and-refund': open,
    'take-down': status === 'completed' && outputs.length > 0 && outputsDeletedAt === null,
  };
  const path = `/staff/generations/${id}`;
  return actionLinks(path, staffOf(ctx).staffRole, actions, (slug) => fits[slug] === true);
}

function timelineOf({ timeline, generation }: Inspected): Html {
  const rows = timeline.map(({ at, what, process = null, attempt }) => [
    moment(at),
    what,
    attempt ?? '',
    process === null ? null : html`<span class="quiet">${process}</span>`,
  ]);
  const deadline =
    generation.step === 'ended'
      ? null
      : html`<p>Ends at the latest ${moment(generation.deadlineAt)}.</p>`;
  return html`<section>
    <h2>Timeline</h2>
    ${table(['Time (UTC)', 'What', 'Attempt', 'Process'], rows, 'Nothing happened yet.')}
    ${deadline}
  </section>`;
}

function creditsOf({ entries }: Inspected): Html {
  const rows = entries.map((entry) => [
    moment(entry.at),
    entry.kind,
    html`<b>${count(entry.amount)}</b>`,
    html`${entry.movements.map(
      ({ lotId, kind, amount }) =>
        html`<span class="quiet"><code>${lotId}</code> ${kind} ${count(amount)}</span><br />`,
    )}`,
    html`<code>${entry.id.slice(entry.id.indexOf('.') + 1).replace(/^0+/, '')}</code>`,
  ]);
  return html`<section>
    <h2>Credits</h2>
    ${table(['Time (UTC)', 'Entry', 'Credits', 'Lots', 'Ledger no.'], rows, 'No ledger entry.')}
  </section>`;
}

function factsOf({ generation, key }: Inspected): Html {
  const { parameters, realPerson } = generation;
  const byKey = key
    ? html`${key.name} <code>${key.id}</code> …${key.lastFour}`
    : (generation.keyId ?? 'the account site');
  return html`<section>
    <h2>Request</h2>
    ${facts([
      ['Account', accountLink(generation.accountId)],
      ['Key', byKey],
      ['Request', html`<code>${generation.requestId}</code>`],
      ['Channel', generation.channel],
      ['Model', `${generation.model}${generation.mode === null ? '' : `, ${generation.mode}`}`],
      ...Object.entries(parameters).map(([name, value]) => [name, String(value)] as const),
      [
        'Inputs',
        generation.inputs.map(({ type, role }) => `${type} (${role})`).join(', ') || 'none',
      ],
      [
        'Consent',
        realPerson &&
          html`<code>${realPerson.consentReference}</code> (policy ${realPerson.policyVersion})`,
      ],
      ['Created', moment(generation.createdAt)],
      ['Started', moment(generation.startedAt)],
      ['Ended', moment(generation.endedAt)],
    ])}
  </section>`;
}

function promptOf(ctx: StaffContext, { generation }: Inspected, revealed: Shown['revealed']): Html {
  if (revealed) {
    return html`<section id="prompt">
      <h2>Prompt</h2>
      <p class="prompt">${revealed.prompt === '' ? 'It was erased.' : revealed.prompt}</p>
      ${revealed.inputs.map((url) => html`<p><code>${url}</code></p>`)}
    </section>`;
  }
  return html`<section id="prompt">
    <h2>Prompt</h2>
    <details>
      <summary>Show prompt, input addresses and providers' answers</summary>
      <form class="stack" method="post" action="/staff/generations/${generation.id}/reveal">
        ${tokenField(ctx)}
        <label
          >Why, for the audit log
          <input name="reason" minlength="3" maxlength="500" autocomplete="off" required
        /></label>
        <button>Reveal</button>
      </form>
    </details>
  </section>`;
}

function mediaOf({ generation, customerView }: Inspected): Html {
  const { outputs, storedInputs, outputsDeletedAt, outputsDeleteAt } = generation;
  const { output } = JSON.parse(customerView) as { output?: { urls: string[] } };
  const rows = outputs.map(({ mediaType, bytes, sha256 }, index) => {
    const url = output?.urls[index];
    return [
      url === undefined ? 'deleted' : html`<a href="${url}" rel="noreferrer">open</a>`,
      mediaType,
      `${count(bytes)} bytes`,
      html`<code class="quiet">${sha256.slice(0, 16)}…</code>`,
    ];
  });
  const kept =
    outputsDeletedAt === null
      ? html`Kept until ${moment(outputsDeleteAt)}.`
      : html`Deleted ${moment(outputsDeletedAt)}.`;
  return html`<section>
    <h2>Media</h2>
    ${table(['File', 'Type', 'Size', 'SHA-256'], rows, 'No output.')}
    ${outputs.length > 0 ? html`<p>${kept}</p>` : null}
    ${storedInputs && storedInputs.length > 0 ? html`<p>${storedInputs.length} input(s) stored.</p>` : null}
  </section>`;
}

function jobOf({ generation, job }: Inspected): Html {
  const link = html`<a href="/staff/jobs/?q=${generation.id}">Show it in Jobs</a>`;
  const shown = job
    ? html`${facts([
          ['Job', html`<code>${job.id}</code> ${job.name}`],
          ['Runs next', moment(job.nextRunAt)],
          ['Running since', moment(job.lockedAt)],
          ['Ran last', moment(job.lastRunAt)],
          ['Written by', job.lastModifiedBy],
          ['Failed with', job.failReason],
        ])}
        <p>${link}</p>`
    : html`<p class="quiet">
        ${
          generation.step === 'ended'
            ? 'It has ended: its job is done and gone.'
            : 'Its job is lost; it is made again within half a minute, or by "Look now".'
        }
      </p>`;
  return html`<section>
    <h2>Agenda job</h2>
    ${shown}
  </section>`;
}

function customerViewOf({ customerView }: Inspected): Html {
  return html`<section>
    <h2>What the customer sees</h2>
    <pre class="view">${JSON.stringify(JSON.parse(customerView), null, 2)}</pre>
  </section>`;
}
