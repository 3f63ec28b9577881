import { pollHintFor } from '../../../application/generations/presentGeneration.ts';
import type { Generation } from '../../../domain/generation.ts';
import { isId } from '../../../domain/ids.ts';
import { probablePercent } from '../../../domain/pollHint.ts';
import { formatNumber, formatSeconds, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { outputsPart } from '../../pages/elements.ts';
import type { GenerationSummary } from './generationSummary.ts';
import { accountOf, type Site, type SiteContext } from './site.ts';
import { statusLabels, tagClass } from './pictures.ts';

/** Progress or result of a generation, for its own page and the studio. */
export interface Stage {
  /** Title with the state. */
  heading: Html;
  content: Html;
  /** Reload interval; undefined when the generation has ended. */
  refreshSeconds: number | undefined;
}

/** Finds a generation of the signed-in account; null for any other id. */
export async function findOwn(
  { deps }: Site,
  ctx: SiteContext,
  id: unknown,
): Promise<Generation | null> {
  const found =
    typeof id === 'string' && isId('gen', id) ? await deps.database.generations.find(id) : null;
  return found?.accountId === accountOf(ctx).id ? found : null;
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
  const tag = html`<span class="${tagClass(status)}" id="status">${statusLabels[status]}</span>`;
  return {
    heading: html`${titleOf(generation)} ${tag}`,
    content: html`${progress ? progressPart(id, progress) : resultPart(site, generation, summary)}
      <div class="inline">
        ${downloads(summary)}
        <a class="button second" href="/studio?like=${id}">Make a variation</a>
        ${
          summary.output?.image_urls?.[0] !== undefined &&
          html`<a class="button second" href="/studio?frame=${id}">Use as first frame</a>`
        }
        ${site.takesFrames && summary.output?.video_url !== undefined && framesPart(ctx, id)}
      </div>`,
    refreshSeconds: progress?.retry_after_seconds,
  };
}

/** Buttons that use a frame of a video as the first frame of the next one. */
function framesPart(ctx: SiteContext, id: string): Html {
  return html`<form action="/generations/${id}/frame" method="post" class="inline">
    ${tokenField(ctx)}
    <button class="second" name="which" value="last">Continue from its last frame</button>
    <button class="second" name="which" value="first">Use its first frame</button>
  </form>`;
}

function isOpen({ status }: Generation): boolean {
  return status === 'queued' || status === 'processing';
}

function titleOf({ type, parameters }: Generation): string {
  if (type === 'video') return 'Your video';
  return 'n' in parameters && parameters.n > 1 ? 'Your images' : 'Your image';
}

type Progress = ReturnType<typeof progressOf>;

/** Estimates the progress from recent durations of the model. */
export function progressOf({ deps, durations }: Site, generation: Generation) {
  const { model, parameters, step, createdAt, startedAt } = generation;
  const wait = pollHintFor({ clock: deps.clock, random: deps.random, durations }, generation);
  if (wait === null) {
    const done = { percent: 100, next_percent: 100, words: 'Done.' };
    return { ...done, elapsed_seconds: 0, retry_after_seconds: 1 };
  }
  const { median: usual, most } = durations.usual(model, parameters);
  const running = startedAt === null ? 0 : (deps.clock.now() - startedAt) / 1000;
  const percent = probablePercent(running, usual);
  const isWaiting = step === 'waiting';
  return {
    percent,
    next_percent: isWaiting ? percent : probablePercent(running + wait, usual),
    words: isWaiting
      ? 'Waiting: your other generations run first.'
      : running <= most
        ? `Usually takes ${span(usual, most)}.`
        : `This takes longer than usual (${span(usual, most)}). If it fails, it is refunded.`,
    elapsed_seconds: Math.round((deps.clock.now() - createdAt) / 1000),
    retry_after_seconds: wait,
  };
}

/** Median to 90th percentile: `20 s to 35 s`. */
function span(from: number, to: number): string {
  const [first, last] = [formatSeconds(from), formatSeconds(to)];
  return first === last ? first : `${first} to ${last}`;
}

function progressPart(id: string, progress: Progress): Html {
  const path = `/generations/${id}/progress`;
  const { percent, words, elapsed_seconds: elapsed } = progress;
  return html`<div class="card" data-progress="${path}" data-state="${JSON.stringify(progress)}">
    <label for="progress">Progress</label>
    <progress id="progress" max="100" value="${percent}">${percent} %</progress>
    <p id="progress-words" role="status">${words}</p>
    <p><span id="elapsed">${formatSeconds(elapsed)}</span> so far</p>
    <p class="quiet">
      You can leave this page: the result will be in your <a href="/history">history</a>.
    </p>
  </div>`;
}

/** Outputs or error of a generation that has ended. */
function resultPart(
  { addresses, deps }: Site,
  generation: Generation,
  { title, error, output, refundedCredits }: GenerationSummary,
): Html {
  if (refundedCredits !== undefined) {
    return html`<div class="notice danger">
      <p><strong>${error?.message ?? 'It failed.'}</strong></p>
      <p>
        ${formatNumber(refundedCredits)} credits were refunded.
        ${error?.retryable === true && 'Another attempt may succeed.'}
      </p>
    </div>`;
  }
  const urls = output?.urls ?? [];
  if (urls.length === 0) {
    return html`<p class="notice">
      The file has been deleted, because results are kept for a limited time.
    </p>`;
  }
  return outputsPart(generation, { addresses, now: deps.clock.now() }, { urls, title });
}

/** Links to each file and to an archive of all files. */
function downloads({ id, output }: GenerationSummary): Html[] {
  const urls = output?.urls ?? [];
  const files = urls.map(
    (url, index) =>
      html`<a class="button" href="${url}" download
        >Download${urls.length > 1 && ` ${index + 1}`}</a
      >`,
  );
  if (urls.length < 2) return files;
  return [html`<a class="button" href="/generations/${id}/files.zip">Download all</a>`, ...files];
}
