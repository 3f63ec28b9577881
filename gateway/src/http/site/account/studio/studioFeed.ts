import { sum } from '@framegate/contract';
import type { HistoryItem } from '../../../../application/ports/generations.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import { text } from '../../../../texts/text.ts';
import { ago, attributes, formatSeconds, type Html, html } from '../../../pages/html.ts';
import { framesIn, framesOf } from '../generations/frames.ts';
import { tryAgainForm } from '../generations/generationActs.ts';
import {
  cancelForm,
  isOpen,
  type Progress,
  progressOf,
} from '../generations/generationProgress.ts';
import { failedPart, soonPart } from '../generations/generationStage.ts';
import { noMakers, summarise, summaryDependencies } from '../generations/generationSummary.ts';
import type { Site, SiteContext } from '../site.ts';
import type { RecentWork } from './recentWork.ts';
import { inSets } from './sets.ts';
import { describeSetCost } from './studioPrice.ts';

/** Maximum requests and sets in the feed. */
const maxShown = 12;

/**
 * The newest requests of the account, each with its prompt and its frames.
 * @param pageGeneration The generation that the page was opened with; it comes first if it is older than the others.
 */
export async function renderFeed(
  site: Site,
  ctx: SiteContext,
  { items }: RecentWork,
  pageGeneration: Generation | null,
): Promise<Html[]> {
  const newest = inSets(items.map(({ item }) => item)).slice(0, maxShown);
  const isAmong = newest.flat().some(({ id }) => id === pageGeneration?.id);
  const sets: readonly HistoryItem[][] =
    pageGeneration && !isAmong ? [[pageGeneration], ...newest] : newest;
  return Promise.all(
    sets.map(async (set) => {
      const count = sum(set.map(framesIn));
      const parts = set.map(async (item) => {
        const open = isOpen(item) ? await findOpen(site, item, pageGeneration) : null;
        const entry = { item: open ?? item, progress: open && progressOf(site, open) };
        const render = () =>
          set.length > 1 ? shotPart(site, entry, count) : requestPart(site, ctx, entry);
        // Parts of other generations have forms, whose tokens differ.
        return item.status === 'completed'
          ? site.cachePart(['feed', count, set.length, summaryDependencies(site, item)], render)
          : render();
      });
      const drawn = await Promise.all(parts);
      return set.length > 1 ? setPart(site, set, drawn) : html`${drawn}`;
    }),
  );
}

interface FeedEntry {
  item: HistoryItem;
  /** Null once it has ended. */
  progress: Progress | null;
}

/** Attributes by which the script follows an unfinished generation. */
const progressAttributes = ({ item: { id }, progress }: FeedEntry, className: string): Html =>
  attributes({
    class: className,
    id,
    'data-progress': progress ? `/generations/${id}/progress` : undefined,
    'data-state': progress ? JSON.stringify(progress) : undefined,
  });

/** One generation of a set. @param count Frames in the set. */
function shotPart(site: Site, entry: FeedEntry, count: number): Html {
  const { item, progress } = entry;
  const over = progress && html`${clockPart(progress)} ${progressBar(progress)}`;
  const summary = summarise(site, item, noMakers);
  return html`<li ${progressAttributes(entry, 'shot frames')}>
    ${framesOf(site, item, summary, over, { count, isSet: true })}
  </li>`;
}

/** Requests ordered together, with one price. @param shots Their frames. */
function setPart(site: Site, set: readonly HistoryItem[], shots: readonly Html[]): Html {
  const [first] = set;
  if (!first) return html``;
  const summary = summarise(site, first, noMakers);
  const cost = describeSetCost(set.length, sum(set.map(({ costCredits }) => costCredits)));
  const refundedCredits = sum(set.map((item) => item.refundedCredits));
  const failed = set.find(({ status }) => status === 'failed');
  const files = set.filter(({ outputs }) => outputs.length > 0);
  const zip = files.map(({ id }) => `id=${id}`).join('&');
  return html`<li class="request set" id="${first.requestId}">
    <ul class="frames">
      ${shots}
    </ul>
    <div class="about">
      <p class="said" dir="auto">${first.prompt}</p>
      <p class="quiet">
        ${parameterFacts(first, { ...summary, cost }).join(' · ')}<br />${ago(first.createdAt)}
      </p>
      ${summary.removedSoonAt !== null && html`<p>${soonPart(summary.removedSoonAt)}</p>`}
      ${failed && failedPart(failed, { ...summarise(site, failed, noMakers), refundedCredits })}
      ${
        files.length > 0 &&
        html`<a href="/history/files.zip?${zip}">${text('generation.downloadAll')}</a>`
      }
    </div>
  </li>`;
}

async function findOpen(
  { deps }: Site,
  { id }: HistoryItem,
  pageGeneration: Generation | null,
): Promise<Generation | null> {
  return pageGeneration?.id === id ? pageGeneration : deps.database.generations.find(id);
}

/** One request; the script replaces it once it has ended. */
function requestPart(site: Site, ctx: SiteContext, entry: FeedEntry): Html {
  const { item, progress } = entry;
  const { id, prompt, status } = item;
  const summary = summarise(site, item, noMakers);
  const over = progress && clockPart(progress);
  const files = summary.output?.urls.length ?? 0;
  return html`<li ${progressAttributes(entry, `request ${status}`)}>
    <div class="frames">${framesOf(site, item, summary, over)}</div>
    <div class="about">
      <p class="said" dir="auto">${prompt}</p>
      <p class="quiet">${parameterFacts(item, summary).join(' · ')}<br />${ago(item.createdAt)}</p>
      ${summary.removedSoonAt !== null && html`<p>${soonPart(summary.removedSoonAt)}</p>`}
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

/** The clock on the first frame while a result is made. */
function clockPart({ elapsed_seconds: elapsed, about }: Progress): Html {
  return html`<span class="elapsed">${formatSeconds(elapsed)}</span>
    <span class="usual">${about}</span>`;
}

function progressBar({ percent }: Progress): Html {
  const bar = attributes({ max: 100, value: percent, 'aria-label': text('generation.progress') });
  return html`<progress ${bar}>${percent} %</progress>`;
}

function waitingPart(ctx: SiteContext, item: HistoryItem, progress: Progress): Html {
  const { words, may_cancel: mayCancel } = progress;
  return html`${progressBar(progress)}
    <p class="words">${words}</p>
    ${cancelForm(ctx, item, mayCancel)}`;
}
