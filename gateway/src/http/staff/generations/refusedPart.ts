import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import { findDelivery } from '../../../application/staff/deliverRefused.ts';
import type { GenerationInspection } from '../../../application/staff/generationActions.ts';
import { requireReason, runActionForValue } from '../../../application/staff/runAction.ts';
import { makeRefusedPreviews, openRefused } from '../../../application/staff/seeRefused.ts';
import type { RefusedFile } from '../../../domain/generations/attempt.ts';
import { keptFiles, refusedAttempt } from '../../../domain/generations/refusedResult.ts';
import { does } from '../../atWork.ts';
import { filePolicy } from '../../contentPolicy.ts';
import { tokenField } from '../../pages/elements.ts';
import { formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { formPageHeaders } from '../../pages/pageHeaders.ts';
import { targetOf } from '../actions/actionPages.ts';
import { actorOf, type StaffContext, type StaffState } from '../context.ts';
import { generationLink, reasonField, table } from '../elements.ts';
import { needs } from '../needs.ts';

/** Previews of the kept files, in their order, for staff who have given a reason; null for a page without them. */
export type RefusedPreviews = readonly (Buffer | null)[] | null;

/** Reads a generation's refused result for its page; null if none was kept. */
export async function loadRefused(
  deps: App,
  { generation }: Pick<GenerationInspection, 'generation'>,
) {
  if (refusedAttempt(generation) === null) return null;
  return { delivery: await findDelivery(deps, generation), nowMs: deps.clock.now() };
}

/** The kept files of a refused result, and whether they were delivered. */
export function refusedPart(
  ctx: StaffContext,
  { generation }: Pick<GenerationInspection, 'generation'>,
  loaded: Awaited<ReturnType<typeof loadRefused>>,
  previews: RefusedPreviews,
): Html | null {
  const { refused } = refusedAttempt(generation) ?? {};
  if (!refused || !loaded) return null;
  const { delivery, nowMs } = loaded;
  const files = keptFiles(generation, nowMs);
  const state =
    files.length > 0
      ? html`Kept since ${timestamp(refused.at)}, until ${timestamp(refused.until)}.`
      : html`Its files were kept until ${timestamp(refused.until)} at the latest and have been
        removed.`;
  const rows = refused.files.map((file, index) => [
    index + 1,
    `${formatNumber(file.bytes)} bytes`,
    figuresOf(file),
    file.problem ?? 'can be delivered',
    html`<code class="quiet">${file.sha256.slice(0, 16)}…</code>`,
    previews && html`<code class="said">${file.head}</code>`,
    files.length > 0 ? downloadForm(ctx, generation.id, index) : null,
  ]);
  const columns = ['File', 'Size', 'Measured', 'Problem', 'SHA-256', 'First bytes', 'Download'];
  return html`<section id="refused">
    <h2>Rejected result</h2>
    <p>
      ${state}
      ${delivery && html`Delivered by staff as ${generationLink(delivery.id)} (${delivery.status}).`}
    </p>
    ${table(columns, rows, 'No files.')}
    ${files.length > 0 && (previews ? picturesOf(previews) : revealForm(ctx, generation.id))}
  </section>`;
}

function figuresOf({ width, height, seconds, sound }: RefusedFile): string {
  const size = width === undefined || height === undefined ? [] : [`${width}x${height}`];
  const length = seconds === undefined ? [] : [`${seconds.toFixed(1)} s`];
  const heard = sound === undefined ? [] : [sound ? 'with sound' : 'without sound'];
  return [...size, ...length, ...heard].join(', ');
}

function picturesOf(previews: readonly (Buffer | null)[]): Html[] {
  return previews.map((data, index) =>
    data
      ? html`<img
          class="poster"
          alt="Preview of file ${index + 1}"
          src="data:image/webp;base64,${data.toString('base64')}"
        />`
      : html`<p class="quiet">File ${index + 1} has no preview.</p>`,
  );
}

function revealForm(ctx: StaffContext, id: string): Html {
  return html`<details>
    <summary>Show previews and first bytes</summary>
    <form class="stack" method="post" action="/staff/generations/${id}/refused">
      ${tokenField(ctx)} ${reasonField()}
      <button>Show</button>
    </form>
  </details>`;
}

function downloadForm(ctx: StaffContext, id: string, index: number): Html {
  return html`<details>
    <summary>Download</summary>
    <form class="stack" method="post" action="/staff/generations/${id}/refused/${index}">
      ${tokenField(ctx)} ${reasonField()}
      <button>Download original</button>
    </form>
  </details>`;
}

/**
 * Lets staff see and download the kept files of a refused result, for a reason that the audit log keeps.
 * @param show Shows the page of the generation with the previews, or with a problem.
 */
export function addRefusedPages(
  router: Router<StaffState>,
  deps: App,
  show: (ctx: StaffContext, previews: RefusedPreviews) => Promise<void>,
  refuse: (ctx: StaffContext, error: unknown) => Promise<void>,
): void {
  const act = async <T>(ctx: StaffContext, summary: string, work: () => Promise<T>): Promise<T> => {
    const reason = requireReason(ctx.state.form.get('reason'));
    const targets = [targetOf(ctx)];
    const plan = { action: 'see refused result' as const, targets, reason, formId: null };
    return runActionForValue(deps, actorOf(ctx), plan, async () => ({
      value: await work(),
      summary,
    }));
  };

  router.post(
    '/staff/generations/:id/refused',
    needs('see refused result'),
    async (ctx: StaffContext) => {
      try {
        const id = targetOf(ctx);
        const previews = await act(ctx, 'Shown.', () => makeRefusedPreviews(deps, id));
        // The previews are in the page: they have no URL of their own.
        ctx.set(formPageHeaders(deps.publicUrls, ['data:']));
        await show(ctx, previews);
      } catch (error) {
        await refuse(ctx, error);
      }
    },
  );

  router.post(
    '/staff/generations/:id/refused/:index',
    needs('see refused result'),
    does('export'),
    async (ctx: StaffContext) => {
      try {
        const generationId = targetOf(ctx);
        const place = { generationId, index: Number(ctx.params['index']) };
        const file = await act(ctx, 'Downloaded.', () => openRefused(deps, place));
        ctx.set({
          'Content-Type': 'application/octet-stream',
          'Content-Length': String(file.bytes),
          'Content-Disposition': `attachment; filename="${generationId}-${place.index}.raw"`,
          'Content-Security-Policy': filePolicy(),
        });
        ctx.body = file.stream;
      } catch (error) {
        await refuse(ctx, error);
      }
    },
  );
}
