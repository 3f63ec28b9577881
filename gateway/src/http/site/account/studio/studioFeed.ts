import type { HistoryItem } from '../../../../application/ports/generations.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import { text } from '../../../../texts/text.ts';
import { attributes, ago, formatSeconds, html, type Html } from '../../../pages/html.ts';
import { framesOf } from '../generations/frames.ts';
import {
  isOpen,
  progressOf,
  cancelForm,
  type Progress,
} from '../generations/generationProgress.ts';
import { failedPart, soonPart, tryAgainForm } from '../generations/generationStage.ts';
import { noMakers, summaryDependencies, summarise } from '../generations/generationSummary.ts';
import type { RecentWork } from './recentWork.ts';
import type { Site, SiteContext } from '../site.ts';

/** Maximum requests in the feed. */
const maxShown = 12;

/**
 * The newest requests of the account, each with its prompt and its frames.
 * @param opened The generation that the page was opened with; it comes first if it is older than the others.
 */
export async function feedOf(
  site: Site,
  ctx: SiteContext,
  { items }: RecentWork,
  opened: Generation | null,
): Promise<Html[]> {
  const newest = items.slice(0, maxShown).map(({ item }) => item);
  const isAmong = newest.some(({ id }) => id === opened?.id);
  const shown: HistoryItem[] = opened && !isAmong ? [opened, ...newest] : newest;
  return Promise.all(
    shown.map(async (item) => {
      const open = isOpen(item) ? await findOpen(site, item, opened) : null;
      const render = () => requestPart(site, ctx, open ?? item, open && progressOf(site, open));
      // The others have forms.
      return item.status === 'completed'
        ? site.keepPart(['feed', summaryDependencies(site, item)], render)
        : render();
    }),
  );
}

async function findOpen(
  { deps }: Site,
  { id }: HistoryItem,
  opened: Generation | null,
): Promise<Generation | null> {
  return opened?.id === id ? opened : deps.database.generations.find(id);
}

/** One request; the script replaces it once it has ended. */
function requestPart(
  site: Site,
  ctx: SiteContext,
  item: HistoryItem,
  progress: Progress | null,
): Html {
  const { id, prompt, status } = item;
  const summary = summarise(site, item, noMakers);
  const over = progress && clockPart(progress);
  const own = attributes({
    class: `request ${status}`,
    id,
    'data-progress': progress ? `/generations/${id}/progress` : undefined,
    'data-state': progress ? JSON.stringify(progress) : undefined,
  });
  const files = summary.output?.urls.length ?? 0;
  return html`<li ${own}>
    <div class="frames">${framesOf(site, item, summary, over)}</div>
    <div class="about">
      <p class="said" dir="auto">${prompt}</p>
      <p class="quiet">${parameterFacts(item, summary).join(' · ')}<br />${ago(item.createdAt)}</p>
      ${summary.deletedSoonAt !== null && html`<p>${soonPart(summary.deletedSoonAt)}</p>`}
      ${progress && waitingPart(ctx, item, progress)}
      ${status === 'failed' && failedPart(item, summary)}
      <div class="inline">
        ${status === 'failed' && tryAgainForm(site, ctx, item)}
        ${
          files > 1 &&
          html`<a href="/generations/${id}/files.zip">${text('generation.downloadAll')}</a>`
        }
        <a href="/generations/${id}">${text('generation.details')}</a>
      </div>
    </div>
  </li>`;
}

/** The most important parameters of a request, its model and its cost. */
export function parameterFacts(
  { parameters, channel }: HistoryItem,
  { modelName, cost }: ReturnType<typeof summarise>,
): string[] {
  const seconds = 'duration_seconds' in parameters ? [`${parameters.duration_seconds} s`] : [];
  const by = channel === 'api' ? [text('studio.byApi')] : [];
  const { aspect_ratio: ratio, resolution } = parameters;
  return [modelName, ratio, ...seconds, resolution, cost, ...by];
}

/** Shown on the first frame while it is made. */
function clockPart({ elapsed_seconds: elapsed, about }: Progress): Html {
  return html`<span class="elapsed">${formatSeconds(elapsed)}</span>
    <span class="usual">${about}</span>`;
}

function waitingPart(ctx: SiteContext, item: HistoryItem, progress: Progress): Html {
  const { percent, words, may_take_back: mayTakeBack } = progress;
  const bar = attributes({ max: 100, value: percent, 'aria-label': text('generation.progress') });
  return html`<progress ${bar}>${percent} %</progress>
    <p class="words">${words}</p>
    ${cancelForm(ctx, item, mayTakeBack)}`;
}
