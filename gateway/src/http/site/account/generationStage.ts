import { pollHintFor } from '../../../application/generations/presentGeneration.ts';
import type { Generation } from '../../../domain/generation.ts';
import { isId } from '../../../domain/ids.ts';
import { phaseOf, type Phase } from '../../../domain/phase.ts';
import { probablePercent } from '../../../domain/pollHint.ts';
import { formatNumber, formatSeconds, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { outputsPart } from '../../pages/elements.ts';
import type { GenerationSummary } from './generationSummary.ts';
import { pictureId } from './recentWork.ts';
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
        ${frameLinks(summary)}
        ${site.takesFrames && summary.output?.video_url !== undefined && framesPart(ctx, id)}
      </div>`,
    refreshSeconds: progress?.retry_after_seconds,
  };
}

/** Links that animate each image. */
function frameLinks({ id, output }: GenerationSummary): Html[] {
  const urls = output?.image_urls ?? [];
  return urls.map((_url, index) => {
    const words =
      urls.length === 1 ? 'Use as first frame' : `Use image ${index + 1} as first frame`;
    return html`<a class="button second" href="/studio?frame=${pictureId(id, index)}">${words}</a>`;
  });
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
export function progressOf({ deps, durations, healthOf }: Site, generation: Generation) {
  const { model, parameters, createdAt, startedAt, deadlineAt } = generation;
  const wait = pollHintFor({ clock: deps.clock, random: deps.random, durations }, generation);
  if (wait === null) {
    const done = { percent: 100, next_percent: 100, words: 'Done.' };
    return { ...done, elapsed_seconds: 0, retry_after_seconds: 1 };
  }
  const { median: usual, most } = durations.usual(model, parameters);
  const now = deps.clock.now();
  const running = startedAt === null ? 0 : (now - startedAt) / 1000;
  const percent = probablePercent(running, usual);
  const phase = phaseOf(generation, healthOf(model));
  const left = formatSeconds(Math.max(1, Math.round((deadlineAt - now) / 1000)));
  const usually = running <= most ? `Usually takes` : `This takes longer than usual:`;
  return {
    percent,
    next_percent: phase === 'running' ? probablePercent(running + wait, usual) : percent,
    words:
      phase === 'running'
        ? `${usually} ${span(usual, most)}. You get a refund if it is not done in ${left}.`
        : phaseWords[phase](left),
    elapsed_seconds: Math.round((now - createdAt) / 1000),
    retry_after_seconds: wait,
  };
}

/** What happens in each phase and next. @param left Time until the refund. */
const phaseWords: Readonly<Record<Exclude<Phase, 'running'>, (left: string) => string>> = {
  queued: (left) =>
    `Queued behind your other generations. It starts by itself, or is refunded in ${left}.`,
  waiting: (left) =>
    `Waiting for a free place at this model. It starts by itself, or is refunded in ${left}.`,
  'held up': (left) =>
    `This model has problems at the moment. Your generation starts as soon as they are solved, or is refunded in ${left}.`,
  starting: () => 'Starting.',
  'out of sight': (left) =>
    `The model does not answer at the moment. Your generation may still be running: we keep checking, and refund it if it is not done in ${left}.`,
  fetching: () => 'Done. Fetching your files.',
};

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
