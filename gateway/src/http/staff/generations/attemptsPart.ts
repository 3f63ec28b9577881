import { withoutPrompt, wordsOf } from '@framegate/contract';
import type { GenerationInspection } from '../../../application/staff/generationActions.ts';
import type { Attempt, KeptResponse, LostReason } from '../../../domain/generations/attempt.ts';
import { describeDifferences } from '../../../domain/generations/delivery.ts';
import { formatOperation } from '../../../domain/generations/providerTask.ts';
import {
  type Charge,
  chargeOf,
  costOfAttempt,
  formatMoney,
} from '../../../domain/providers/cost.ts';
import { type Html, html, timestamp } from '../../pages/html.ts';
import { badge, table } from '../elements.ts';

/**
 * Attempts of a generation with the providers' responses. Responses may quote the prompt, so their text is shown only
 * after the prompt has been revealed with a reason; until then, messages are shown without it.
 */
export function attemptsPart({ generation }: GenerationInspection, isRevealed: boolean): Html {
  const { attempts, resolution } = generation;
  const words = isRevealed ? [] : wordsOf(generation);
  const rows = attempts.map((attempt) => [
    attempt.number,
    html`${attempt.provider}<br /><span class="quiet">${attempt.model}</span>${keyLine(attempt)}`,
    timestamp(attempt.startedAt),
    html`${badge(attempt.outcome)} ${stateOf(attempt, generation.dueAt, words)}
    ${cancelOf(attempt, words)}`,
    handleOf(attempt),
    costOf(attempt),
    attempt.note === null ? null : noteOf(attempt.note, words),
  ]);
  const columns = ['No.', 'Route', 'Started', 'Outcome', 'Operation', 'Cost', "Provider's message"];
  const resolved = resolution
    ? html`<p>
        Unknown outcome resolved ${timestamp(resolution.resolvedAt)} by ${resolution.by}: the
        provider ${resolution.isFound ? 'had it' : 'never had it'}.
      </p>`
    : null;
  return html`<section>
    <h2>Attempts</h2>
    ${attempts.flatMap((attempt) => lossOf(attempt, words))} ${attempts.map(differencesOf)}
    ${table(columns, rows, 'No attempts yet.')} ${resolved}
    ${attempts.flatMap((attempt) => responsesOf(attempt, isRevealed))}
  </section>`;
}

function handleOf(attempt: Attempt): Html | null {
  const text = formatOperation(attempt);
  return text === null ? null : html`<code>${text}</code>`;
}

const charges: Readonly<Record<Charge, string>> = {
  charged: 'charged',
  possible: 'may be billed',
  none: 'not billed',
};

/** Cost of an attempt as reported by the provider, and according to the routes file. */
function costOf(attempt: Attempt): Html {
  const { cost, charged, reported } = attempt;
  const charge = chargeOf(attempt);
  const total = costOfAttempt(attempt);
  const amount = total ? formatMoney(total) : charge === 'none' ? '' : 'unknown';
  const source = charged && cost ? `reported; estimate ${formatMoney(cost)}` : 'reported';
  return html`${amount}<br /><span class="quiet">${charges[charge]}</span>
    ${charged && html`<br /><span class="quiet">${source}</span>`}
    ${reported !== undefined && html`<br /><code>${reported}</code>`}`;
}

function keyLine({ key }: Attempt): Html | null {
  return key === undefined ? null : html`<br /><span class="quiet">key ${key}</span>`;
}

/** Outcome of cancelling the provider's job. */
function cancelOf({ cancel }: Attempt, words: readonly string[]): Html | null {
  if (!cancel) return null;
  const result = cancel.isAccepted ? 'cancelled at the provider' : 'not cancelled at the provider';
  return html`<br /><span class="quiet">${result} ${timestamp(cancel.at)}</span>
    ${noteOf(cancel.note, words)}`;
}

function noteOf(note: string, words: readonly string[]): Html {
  return html`<span class="said">${withoutPrompt(note, words)}</span>`;
}

/** Notice about a finished result that was not delivered, although the provider may bill it. */
function lossOf({ number, provider, lost }: Attempt, words: readonly string[]): Html[] {
  if (!lost) return [];
  return [
    html`<p class="notice danger" role="alert">
      Attempt ${number}: ${provider} had finished this, but it was not delivered:
      ${lossReasons[lost.reason]}. ${noteOf(lost.note, words)}
    </p>`,
  ];
}

/** How a result differs from the order, as a sentence per attempt. */
function differencesOf({ number, differences = [] }: Attempt): Html | null {
  if (differences.length === 0) return null;
  return html`<p class="notice">
    Attempt ${number} differs from the order: ${describeDifferences(differences)}.
  </p>`;
}

const lossReasons: Readonly<Record<LostReason, string>> = {
  not_stored: 'its files could not be downloaded and stored in time',
  process_stopped: 'the process stopped before its files were stored',
  lease_lost: 'another process had taken over the generation',
  invalid_output: 'it is damaged or has the wrong type',
  not_as_ordered: 'it differs too much from the order',
  no_result: 'it finished without a readable result',
  file_missing: 'its files are no longer in the media store',
};

/** State of an accepted attempt. */
function stateOf(
  { outcome, finishedAt, fault, fetches }: Attempt,
  dueAt: number,
  words: readonly string[],
): Html | null {
  if (outcome !== 'accepted') return null;
  if (finishedAt !== undefined) {
    return html`<br /><span class="quiet"
        >finished ${timestamp(finishedAt)}, files not stored yet</span
      >
      ${fetches && fetchesPart(fetches, dueAt, words)}`;
  }
  return fault === undefined
    ? null
    : html`<br /><span class="quiet">last poll error: ${fault}</span>`;
}

/** Failed downloads with the time of the next attempt. */
function fetchesPart(
  { attempts, at, error }: NonNullable<Attempt['fetches']>,
  dueAt: number,
  words: readonly string[],
): Html {
  const times = attempts === 1 ? 'once' : `${attempts} times`;
  return html`<br />tried ${times}, last ${timestamp(at)}: ${noteOf(error, words)} <br /><span
      class="quiet"
      >next attempt ${timestamp(dueAt)}</span
    >`;
}

function responsesOf({ number, responses }: Attempt, isRevealed: boolean): Html[] {
  const stored: [string, KeptResponse | undefined][] = [
    ['submission', responses?.submit],
    ['last stored poll', responses?.poll],
  ];
  return stored.flatMap(([label, response]) =>
    response ? [responsePart(`Attempt ${number}, ${label}`, response, isRevealed)] : [],
  );
}

function responsePart(title: string, response: KeptResponse, isRevealed: boolean): Html {
  const { at, request, status, mediaType, body, failure } = response;
  const outcome = status === null ? 'no response' : `HTTP ${status}`;
  const hidden = html`<p class="quiet">
    The response may quote the prompt: <a href="#prompt">reveal the prompt</a> to read both.
  </p>`;
  const text =
    body === null
      ? html`<p class="quiet">No text stored.</p>`
      : isRevealed
        ? html`<pre tabindex="0">${body === '' ? '(empty)' : body}</pre>`
        : hidden;
  return html`<details ${isRevealed && html`open`}>
    <summary>${title}: ${outcome}</summary>
    <p>
      ${timestamp(at)} · <code>${request}</code>${mediaType !== null && html` · ${mediaType}`}
      ${failure !== null && html`<br />${failure}`}
    </p>
    ${text}
  </details>`;
}
