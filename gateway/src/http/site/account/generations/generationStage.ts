import type { HistoryItem } from '../../../../application/ports/generations.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import { isDeletedSoon } from '../../../../domain/generations/retention.ts';
import type { OrderedResult } from '../../../../domain/generations/order.ts';
import type { GenerationStatus } from '../../../../domain/generations/work.ts';
import { isId } from '../../../../domain/ids.ts';
import { text } from '../../../../texts/text.ts';
import { date, formatNumber, html, richText, time, type Html } from '../../../pages/html.ts';
import { newFormKey } from '../../../pages/form.ts';
import { tokenField } from '../../../pages/layout.ts';
import { outputsPart } from '../../../pages/elements.ts';
import { isOpen, progressOf, progressPart } from './generationProgress.ts';
import type { GenerationSummary } from './generationSummary.ts';
import { pictureId } from '../studio/recentWork.ts';
import { accountOf, takesFrames, type Site, type SiteContext } from '../site.ts';
import { labelOf } from '../pictures.ts';

/** Progress or result of a generation, for its own page and the studio. */
export interface Stage {
  /** Title with the state. */
  heading: Html;
  content: Html;
  /** Reload interval; undefined once the generation has ended. */
  refreshSeconds: number | undefined;
}

/** Finds a generation of the signed-in account; null for any other id. */
export async function findOwn(
  { deps }: Site,
  ctx: SiteContext,
  id: unknown,
): Promise<Generation | null> {
  if (typeof id !== 'string' || !isId('gen', id)) return null;
  return deps.database.generations.find(id, accountOf(ctx).id);
}

/** Renders the progress or result of a generation with its actions. */
export function stageOf(
  site: Site,
  ctx: SiteContext,
  generation: Generation,
  summary: GenerationSummary,
): Stage {
  const { id, status } = generation;
  const progress = isOpen(generation) ? progressOf(site, generation) : null;
  const { words, badge } = labelOf(generation);
  const actions =
    status === 'failed'
      ? html`${tryAgainForm(site, ctx, generation)}
          <a class="button second" href="/studio?like=${id}"
            >${text('generation.changeInStudio')}</a
          >`
      : html`${downloads(summary)}
        ${
          generation.prompt !== '' &&
          html`<a class="button second" href="/studio?like=${id}"
              >${text('generation.makeVariation')}</a
            >
            <a class="button second" href="/studio?like=${id}&seed=same"
              >${text('generation.sameSeed')}</a
            >`
        }
        ${frameLinks(summary)}
        ${takesFrames(site) && summary.output?.video_url !== undefined && framesPart(ctx, id)}`;
  return {
    heading: html`${titleOf(generation)}
      <span class="${badge}" id="status">${words}</span>
      ${summary.deletedSoonAt !== null && soonPart(summary.deletedSoonAt)}`,
    content: html`${
        progress ? progressPart(ctx, generation, progress) : resultPart(site, generation, summary)
      }
      <div class="inline">${actions}</div>`,
    refreshSeconds: progress?.retry_after_seconds,
  };
}

/** Links that animate each image. */
function frameLinks({ id, output }: GenerationSummary): Html[] {
  const urls = output?.image_urls ?? [];
  return urls.map((_url, index) => {
    const words = text('generation.useAsFirst', { number: numberAmong(urls, index) });
    return html`<a class="button second" href="/studio?frame=${pictureId(id, index)}">${words}</a>`;
  });
}

/** Buttons that use a frame of a video as the first frame of the next one. */
function framesPart(ctx: SiteContext, id: string): Html {
  return html`<form action="/generations/${id}/frame" method="post" class="inline">
    ${tokenField(ctx)}
    <button class="second" name="which" value="last">${text('generation.continueFromLast')}</button>
    <button class="second" name="which" value="first">${text('generation.useItsFirst')}</button>
  </form>`;
}

/** A button that repeats the order at the price on it; null if its model or prompt no longer exists. */
export function tryAgainForm(
  { modelsOf }: Site,
  ctx: SiteContext,
  { id, model, costCredits, prompt }: HistoryItem,
): Html | null {
  // Prompts are deleted after a time or by their owner; without one there is nothing to repeat.
  if (prompt === '') return null;
  if (!modelsOf(accountOf(ctx)).some((each) => each.id === model)) return null;
  return html`<form action="/generations/${id}/again" method="post" class="again">
    ${tokenField(ctx)}
    <input type="hidden" name="form_key" value="${newFormKey()}" autocomplete="off" />
    <input type="hidden" name="shown_credits" value="${costCredits}" />
    <button>${text('generation.tryAgain', { credits: formatNumber(costCredits) })}</button>
  </form>`;
}

function titleOf({ type, parameters }: OrderedResult): string {
  if (type === 'video') return text('generation.yourVideo');
  return 'n' in parameters && parameters.n > 1
    ? text('generation.yourImages')
    : text('generation.yourImage');
}

/** Why a generation failed, and its refund. */
export function failedPart(
  { failure }: Pick<GenerationStatus, 'failure'>,
  { error, refundedCredits = 0 }: GenerationSummary,
): Html {
  const refunded = text('generation.refunded', { credits: formatNumber(refundedCredits) });
  if (failure?.takenBack) {
    return html`<p class="notice quiet-notice">${text('generation.youCancelled')} ${refunded}</p>`;
  }
  return html`<div class="notice danger">
    <p><strong>${error?.message ?? text('generation.itFailed')}</strong></p>
    <p>${refunded} ${error?.retryable === true && text('generation.mayWork')}</p>
  </div>`;
}

/** Outputs or error of a generation that has ended. */
function resultPart({ deps }: Site, generation: Generation, summary: GenerationSummary): Html {
  if (generation.status === 'failed') return failedPart(generation, summary);
  const { title, output } = summary;
  const urls = output?.urls ?? [];
  if (urls.length === 0) {
    return html`<p class="notice">
      ${
        generation.removedAt === undefined
          ? text('generation.isExpired')
          : richText('generation.youDeleted', { time: time(generation.removedAt) })
      }
    </p>`;
  }
  return outputsPart(
    generation,
    { addresses: deps.addresses, now: deps.clock.now() },
    { urls, title, plays: true },
  );
}

/** How long files are kept, as a reminder if they will soon be deleted. */
export const keptPart = (deleteAt: number, nowMs: number): Html =>
  isDeletedSoon(deleteAt, nowMs)
    ? soonPart(deleteAt)
    : html`<span class="quiet">${keptWords(deleteAt)}</span>`;

/** A reminder that files will soon be deleted. */
export const soonPart = (deleteAt: number): Html =>
  html`<span class="badge warning">${keptWords(deleteAt)}</span>`;

// A day, which no script replaces: nothing moves.
const keptWords = (deleteAt: number) => richText('generation.keptUntil', { day: date(deleteAt) });

/** Links to each file and to an archive of all files. */
function downloads({ id, output }: GenerationSummary): Html[] {
  const urls = output?.urls ?? [];
  const files = urls.map(
    (url, index) =>
      html`<a class="button" href="${url}" download
        >${text('generation.download', { number: numberAmong(urls, index) })}</a
      >`,
  );
  if (urls.length < 2) return files;
  const all = html`<a class="button" href="/generations/${id}/files.zip"
    >${text('generation.downloadAll')}</a
  >`;
  return [all, ...files];
}

/** Number of a file from 1, for texts; 0 if it is the only one. */
export const numberAmong = (files: readonly string[], index: number): number =>
  files.length > 1 ? index + 1 : 0;
