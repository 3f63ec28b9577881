import { pollHintFor } from '../../../application/generations/presentGeneration.ts';
import type { HistoryItem } from '../../../application/ports/generations.ts';
import type { Generation } from '../../../domain/generation.ts';
import { isUnordered, phaseOf, type Phase } from '../../../domain/phase.ts';
import { probablePercent } from '../../../domain/pollHint.ts';
import { formatNumber, formatSeconds, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import type { Site, SiteContext } from './site.ts';

/** How far a generation is, for a page and its script. */
export type Progress = ReturnType<typeof progressOf>;

/** Estimates the progress from recent durations of the model. */
export function progressOf({ deps, durations, healthOf }: Site, generation: Generation) {
  const { model, parameters, createdAt, startedAt, deadlineAt } = generation;
  const wait = pollHintFor({ clock: deps.clock, random: deps.random, durations }, generation);
  if (wait === null) {
    const done = { percent: 100, next_percent: 100, words: 'Done.', about: '' };
    return { ...done, elapsed_seconds: 0, may_take_back: false, retry_after_seconds: 1 };
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
    about: phase === 'running' ? `of about ${formatSeconds(usual)}` : shortWords[phase],
    elapsed_seconds: Math.round((now - createdAt) / 1000),
    may_take_back: phase !== 'starting' && isUnordered(generation),
    retry_after_seconds: wait,
  };
}

/** Short description of each phase. */
const shortWords: Readonly<Record<Exclude<Phase, 'running'>, string>> = {
  queued: 'queued',
  waiting: 'waiting for a place',
  'held up': 'delayed',
  starting: 'starting',
  'out of sight': 'delayed',
  fetching: 'fetching files',
};

/** The current phase and the next step. @param left Time until the refund. */
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

/** The progress of a generation on its own page. */
export function progressPart(ctx: SiteContext, generation: Generation, progress: Progress): Html {
  const path = `/generations/${generation.id}/progress`;
  const { percent, words, elapsed_seconds: elapsed, may_take_back: mayTakeBack } = progress;
  return html`<div class="card" data-progress="${path}" data-state="${JSON.stringify(progress)}">
    <label for="progress">Progress</label>
    <progress id="progress" max="100" value="${percent}">${percent} %</progress>
    <p class="words" role="status">${words}</p>
    <p><span class="elapsed">${formatSeconds(elapsed)}</span> so far</p>
    ${takeBackForm(ctx, generation, mayTakeBack)}
    <p class="quiet">
      You can leave this page: the result will be in your <a href="/history">history</a>.
    </p>
  </div>`;
}

/** A button that ends a generation which no provider has; hidden while it may not. */
export function takeBackForm(
  ctx: SiteContext,
  { id, costCredits }: HistoryItem,
  mayTakeBack: boolean,
): Html {
  return html`<form
    action="/generations/${id}/take-back"
    method="post"
    class="take-back"
    ${!mayTakeBack && html`hidden`}
  >
    ${tokenField(ctx)}
    <button class="small">Cancel and refund ${formatNumber(costCredits)} credits</button>
  </form>`;
}

/** True while a generation has not ended. */
export function isOpen({ status }: Pick<Generation, 'status'>): boolean {
  return status === 'queued' || status === 'processing';
}
