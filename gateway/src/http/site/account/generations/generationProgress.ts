import { pollHintFor } from '../../../../application/generations/presentGeneration.ts';
import { healthOf } from '../../../../application/generations/reads.ts';
import type { HistoryItem } from '../../../../application/ports/generations.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import { isUnordered, type Phase, phaseOf } from '../../../../domain/generations/phase.ts';
import { probablePercent } from '../../../../domain/generations/usualDurations.ts';
import type { GenerationStatus } from '../../../../domain/generations/work.ts';
import { type FixedKey, text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import { formatSeconds, type Html, html, richText } from '../../../pages/html.ts';
import { mayActOn } from '../acting.ts';
import type { Site, SiteContext } from '../site.ts';

/** The progress of a generation, for a page and its script. */
export type Progress = ReturnType<typeof progressOf>;

/** Estimates the progress from recent durations of the model. */
export function progressOf({ deps }: Site, generation: Generation) {
  const { model, parameters, createdAt, startedAt, deadlineAt } = generation;
  const waitSeconds = pollHintFor(deps, generation);
  if (waitSeconds === null) {
    const complete = { percent: 100, next_percent: 100, words: text('generation.done'), about: '' };
    return { ...complete, elapsed_seconds: 0, may_cancel: false, retry_after_seconds: 1 };
  }
  const { median: usual, p90 } = deps.durations.usual(model, parameters);
  const nowMs = deps.clock.now();
  const running = startedAt === null ? 0 : (nowMs - startedAt) / 1000;
  const percent = probablePercent(running, usual);
  const phase = phaseOf(generation, healthOf(deps, model));
  const left = formatSeconds(Math.max(1, Math.round((deadlineAt - nowMs) / 1000)));
  const runs = running <= p90 ? 'generation.usual' : 'generation.longer';
  return {
    percent,
    next_percent: phase === 'running' ? probablePercent(running + waitSeconds, usual) : percent,
    words:
      phase === 'running' ? text(runs, { span: span(usual, p90), left }) : phaseWords[phase](left),
    about:
      phase === 'running'
        ? text('generation.ofAbout', { usual: formatSeconds(usual) })
        : text(shortWords[phase]),
    elapsed_seconds: Math.round((nowMs - createdAt) / 1000),
    may_cancel: phase !== 'starting' && isUnordered(generation),
    retry_after_seconds: waitSeconds,
  };
}

/** Short description of each phase. */
const shortWords: Readonly<Record<Exclude<Phase, 'running'>, FixedKey>> = {
  queued: 'generation.isQueued',
  waiting: 'generation.isWaiting',
  'held up': 'generation.isDelayed',
  starting: 'generation.isStarting',
  'out of sight': 'generation.isDelayed',
  fetching: 'generation.isFetching',
};

/** The current phase and the next step. @param left Time until the refund. */
const phaseWords: Readonly<Record<Exclude<Phase, 'running'>, (left: string) => string>> = {
  queued: (left) => text('generation.whyQueued', { left }),
  waiting: (left) => text('generation.whyWaiting', { left }),
  'held up': (left) => text('generation.whyHeldUp', { left }),
  starting: () => text('generation.whyStarting'),
  'out of sight': (left) => text('generation.whyOutOfSight', { left }),
  fetching: () => text('generation.whyFetching'),
};

/** Median to 90th percentile: `20 s to 35 s`. */
function span(from: number, to: number): string {
  const [first, last] = [formatSeconds(from), formatSeconds(to)];
  return first === last ? first : text('generation.span', { from: first, to: last });
}

/** The progress of a generation on its own page. */
export function progressPart(ctx: SiteContext, generation: Generation, progress: Progress): Html {
  const path = `/generations/${generation.id}/progress`;
  const { percent, words, elapsed_seconds: elapsed, may_cancel: mayCancel } = progress;
  const sofar = html`<span class="elapsed">${formatSeconds(elapsed)}</span>`;
  return html`<div class="card" data-progress="${path}" data-state="${JSON.stringify(progress)}">
    <label for="progress">${text('generation.progress')}</label>
    <progress id="progress" max="100" value="${percent}">${percent} %</progress>
    <p class="words" role="status">${words}</p>
    <p>${richText('generation.soFar', { elapsed: sofar })}</p>
    ${cancelForm(ctx, generation, mayCancel)}
    <p class="quiet">
      ${richText('generation.mayLeave', { history: (inner) => html`<a href="/history">${inner}</a>` })}
    </p>
  </div>`;
}

/** A button that ends a generation which no provider has; hidden if that is impossible, null if the person may not. */
export function cancelForm(ctx: SiteContext, item: HistoryItem, mayCancel: boolean): Html | null {
  const { id, costCredits } = item;
  if (!mayActOn(ctx, 'delete own work', item)) return null;
  return html`<form
    action="/generations/${id}/cancel"
    method="post"
    class="cancel"
    ${!mayCancel && html`hidden`}
  >
    ${tokenField(ctx)}
    <button class="small">${text('generation.cancel', { credits: costCredits })}</button>
  </form>`;
}

/** True until a generation ends. */
export function isOpen({ status }: Pick<GenerationStatus, 'status'>): boolean {
  return status === 'queued' || status === 'processing';
}
