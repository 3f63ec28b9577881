import type { Generation } from '../../../../domain/generations/generation.ts';
import type { OrderedResult } from '../../../../domain/generations/order.ts';
import { isRemovedSoon } from '../../../../domain/generations/retention.ts';
import type { GenerationStatus } from '../../../../domain/generations/work.ts';
import { isId } from '../../../../domain/ids.ts';
import { text } from '../../../../texts/text.ts';
import { outputsPart } from '../../../pages/elements.ts';
import { date, formatNumber, type Html, html, richText, time } from '../../../pages/html.ts';
import { labelOf } from '../pictures.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import { isOpen, progressOf, progressPart } from './generationProgress.ts';
import type { GenerationSummary } from './generationSummary.ts';

/** Progress or result of a generation, for its own page. */
export interface Stage {
  /** Title with the state. */
  heading: Html;
  content: Html;
  /** Reload interval; undefined once the generation has ended. */
  refreshSeconds: number | undefined;
}

/** The page of the generation in the path of a request. */
export const generationPath = ({ params }: SiteContext): string =>
  `/generations/${params['id'] ?? ''}`;

/** Finds a generation of the signed-in account; null for any other id. */
export async function findOwn(
  { deps }: Site,
  ctx: SiteContext,
  id: unknown,
): Promise<Generation | null> {
  if (typeof id !== 'string' || !isId('gen', id)) return null;
  return deps.database.generations.find(id, accountOf(ctx).id);
}

/** Renders the progress or result of a generation. */
export function stageOf(
  site: Site,
  ctx: SiteContext,
  generation: Generation,
  summary: GenerationSummary,
): Stage {
  const progress = isOpen(generation) ? progressOf(site, generation) : null;
  const { words, badge } = labelOf(generation);
  return {
    heading: html`${titleOf(generation)}
      <span class="${badge}" id="status">${words}</span>
      ${summary.removedSoonAt !== null && soonPart(summary.removedSoonAt)}`,
    content: progress
      ? progressPart(ctx, generation, progress)
      : resultPart(site, generation, summary),
    refreshSeconds: progress?.retry_after_seconds,
  };
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
  if (failure?.wasCancelled) {
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
        generation.deletedAt === undefined
          ? text('refusals.file_not_found')
          : richText('generation.youDeleted', { time: time(generation.deletedAt) })
      }
    </p>`;
  }
  return outputsPart(
    generation,
    { publicUrls: deps.publicUrls, nowMs: deps.clock.now() },
    { urls, title, plays: true },
  );
}

/** How long files are kept, as a reminder if they will soon be deleted. */
export const keptPart = (removeAt: number, nowMs: number): Html =>
  isRemovedSoon(removeAt, nowMs)
    ? soonPart(removeAt)
    : html`<span class="quiet">${describeRetention(removeAt)}</span>`;

/** A reminder that files will soon be deleted. */
export const soonPart = (removeAt: number): Html =>
  html`<span class="badge warning">${describeRetention(removeAt)}</span>`;

// A day, which no script replaces: nothing moves.
const describeRetention = (removeAt: number) =>
  richText('generation.keptUntil', { day: date(removeAt) });
