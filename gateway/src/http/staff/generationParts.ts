import type { Inspected } from '../../application/staff/generationActions.ts';
import { chargeOf, formatMoney, type Charge } from '../../domain/cost.ts';
import {
  operationText,
  type Attempt,
  type KeptAnswer,
  type LostReason,
} from '../../domain/generation.ts';
import { outputsPart } from '../pages/elements.ts';
import { html, timestamp, formatNumber, type Html } from '../pages/html.ts';
import { jobsOf } from './jobPages.ts';
import { badge, table, accountLink, facts } from './layout.ts';

/**
 * The attempts of a generation, with the answers behind them. An answer may quote the
 * prompt: its text is shown with the prompt, after a reason for reading it was given.
 */
export function attemptsPart({ generation }: Inspected, revealed: boolean): Html {
  const { attempts, resolution } = generation;
  const rows = attempts.map((attempt) => [
    attempt.number,
    html`${attempt.provider}<br /><span class="quiet">${attempt.model}</span>${keyOf(attempt)}`,
    timestamp(attempt.startedAt),
    html`${badge(attempt.outcome)} ${stateOf(attempt, generation.dueAt)} ${cancelOf(attempt)}`,
    handleOf(attempt),
    costOf(attempt),
    attempt.note === null ? null : noteOf(attempt.note, revealed ? '' : generation.prompt),
  ]);
  const columns = ['No.', 'Route', 'Started', 'Outcome', 'Upstream', 'Cost', "Provider's words"];
  const resolved = resolution
    ? html`<p>
        Unknown outcome resolved ${timestamp(resolution.resolvedAt)} by ${resolution.by}: the
        provider ${resolution.found ? 'had made it' : 'never had it'}.
      </p>`
    : null;
  return html`<section>
    <h2>Attempts</h2>
    ${attempts.flatMap((attempt) => lossOf(attempt, revealed ? '' : generation.prompt))}
    ${table(columns, rows, 'No provider has been asked yet.')} ${resolved}
    ${attempts.flatMap((attempt) => answersOf(attempt, revealed))}
  </section>`;
}

function handleOf(attempt: Attempt): Html | null {
  const text = operationText(attempt);
  return text === null ? null : html`<code>${text}</code>`;
}

const charges: Readonly<Record<Charge, string>> = {
  charged: 'charged',
  possible: 'possibly charged',
  none: 'not charged',
};

/** What an attempt costs by the routes file, and what the provider itself reports. */
function costOf(attempt: Attempt): Html {
  const { cost, reported } = attempt;
  const charge = chargeOf(attempt);
  const amount = cost ? formatMoney(cost) : charge === 'none' ? '' : 'unknown';
  return html`${amount}<br /><span class="quiet">${charges[charge]}</span>
    ${reported !== undefined && html`<br /><code>${reported}</code>`}`;
}

function keyOf({ key }: Attempt): Html | null {
  return key === undefined ? null : html`<br /><span class="quiet">key ${key}</span>`;
}

/** What became of cancelling the provider's job. */
function cancelOf({ cancel }: Attempt): Html | null {
  if (!cancel) return null;
  const said = cancel.accepted ? 'cancelled at the provider' : 'not cancelled at the provider';
  return html`<br /><span class="quiet">${said} ${timestamp(cancel.at)}</span>
    <span class="said">${cancel.note}</span>`;
}

/** A note without the prompt that it may quote. A prompt of up to three characters would match anywhere. */
function noteOf(note: string, prompt: string): Html {
  const text = prompt.length < 4 ? note : note.replaceAll(prompt, '<prompt>');
  return html`<span class="said">${text}</span>`;
}

/** Why what the provider had finished, and may bill, was not delivered. */
function lossOf({ number, provider, lost }: Attempt, prompt: string): Html[] {
  if (!lost) return [];
  return [
    html`<p class="notice danger" role="alert">
      Attempt ${number}: ${provider} had finished this, and it was not delivered:
      ${lossReasons[lost.reason]}. ${noteOf(lost.note, prompt)}
    </p>`,
  ];
}

const lossReasons: Readonly<Record<LostReason, string>> = {
  not_stored: 'its files could not be fetched and stored in time',
  process_stopped: 'the process had to stop before they were stored',
  lease_lost: 'another process had the generation by then',
  invalid_output: 'it was not what was asked for',
};

/** What an accepted attempt waits for. */
function stateOf({ outcome, finishedAt, fault, fetches }: Attempt, dueAt: number): Html | null {
  if (outcome !== 'accepted') return null;
  if (finishedAt !== undefined) {
    return html`<br /><span class="quiet">made ${timestamp(finishedAt)}, files not here yet</span>
      ${fetches && fetchesPart(fetches, dueAt)}`;
  }
  return fault === undefined
    ? null
    : html`<br /><span class="quiet">last fault of a look: ${fault}</span>`;
}

/** How the download fails, and when it is tried again. */
function fetchesPart({ tries, at, error }: NonNullable<Attempt['fetches']>, dueAt: number): Html {
  const times = tries === 1 ? 'once' : `${tries} times`;
  return html`<br />tried ${times}, last ${timestamp(at)}: <span class="said">${error}</span>
    <br /><span class="quiet">next try ${timestamp(dueAt)}</span>`;
}

function answersOf({ number, answers }: Attempt, revealed: boolean): Html[] {
  const shown: [string, KeptAnswer | undefined][] = [
    ['submission', answers?.submit],
    ['last look kept', answers?.look],
  ];
  return shown.flatMap(([what, answer]) =>
    answer ? [answerPart(`Attempt ${number}, ${what}`, answer, revealed)] : [],
  );
}

function answerPart(what: string, answer: KeptAnswer, revealed: boolean): Html {
  const { at, request, status, mediaType, body, failure } = answer;
  const came = status === null ? 'no answer' : `status ${status}`;
  const hidden = html`<p class="quiet">
    It may quote the prompt: <a href="#prompt">reveal the prompt</a> to read it, too.
  </p>`;
  const text =
    body === null
      ? html`<p class="quiet">No text was kept.</p>`
      : revealed
        ? html`<pre tabindex="0">${body === '' ? '(empty)' : body}</pre>`
        : hidden;
  return html`<details ${revealed ? html`open` : null}>
    <summary>${what}: ${came}</summary>
    <p>
      ${timestamp(at)} · <code>${request}</code>${mediaType === null ? null : html` · ${mediaType}`}
      ${failure === null ? null : html`<br />${failure}`}
    </p>
    ${text}
  </details>`;
}

/** What was asked for, and when. */
export function requestPart({ generation, key }: Inspected): Html {
  const { parameters, realPerson } = generation;
  const byKey = key
    ? html`${key.name} <code>${key.id}</code> …${key.lastFour}`
    : (generation.keyId ?? 'the account site');
  return html`<section>
    <h2>Request</h2>
    ${facts([
      ['Account', accountLink(generation.accountId)],
      ['Key', byKey],
      ['Request', html`<code>${generation.requestId}</code>`],
      ['Channel', generation.channel],
      ['Model', `${generation.model}${generation.mode === null ? '' : `, ${generation.mode}`}`],
      ...Object.entries(parameters).map(([name, value]) => [name, String(value)] as const),
      [
        'Inputs',
        generation.inputs.map(({ type, role }) => `${type} (${role})`).join(', ') || 'none',
      ],
      [
        'Consent',
        realPerson &&
          html`<code>${realPerson.consentReference}</code> (policy ${realPerson.policyVersion})`,
      ],
      ['Created', timestamp(generation.createdAt)],
      ['Started', timestamp(generation.startedAt)],
      ['Ended', timestamp(generation.endedAt)],
    ])}
  </section>`;
}

/** Its files. */
export function mediaPart(
  { generation, customerView }: Inspected,
  present: Parameters<typeof outputsPart>[1],
): Html {
  const { outputs, storedInputs, outputsDeletedAt, outputsDeleteAt } = generation;
  const { output } = JSON.parse(customerView) as { output?: { urls: string[] } };
  const urls = output?.urls ?? [];
  const rows = outputs.map(({ mediaType, bytes, sha256 }, index) => {
    const url = urls[index];
    return [
      url === undefined ? 'deleted' : html`<a href="${url}" rel="noreferrer">open</a>`,
      mediaType,
      `${formatNumber(bytes)} bytes`,
      html`<code class="quiet">${sha256.slice(0, 16)}…</code>`,
    ];
  });
  const kept =
    outputsDeletedAt === null
      ? html`Kept until ${timestamp(outputsDeleteAt)}.`
      : html`Deleted ${timestamp(outputsDeletedAt)}.`;
  return html`<section>
    <h2>Media</h2>
    ${urls.length > 0 && outputsPart(generation, present, { urls, title: 'an output' })}
    ${table(['File', 'Type', 'Size', 'SHA-256'], rows, 'No output.')}
    ${outputs.length > 0 ? html`<p>${kept}</p>` : null}
    ${storedInputs && storedInputs.length > 0 ? html`<p>${storedInputs.length} input(s) stored.</p>` : null}
  </section>`;
}

/** The job that moves it on. */
export function jobPart({ generation, job }: Inspected): Html {
  const link = html`<a href="${jobsOf(generation.id)}">Show it in Jobs</a>`;
  const shown = job
    ? html`${facts([
          ['Job', html`<code>${job.id}</code> ${job.name}`],
          // A provider is polled beside the jobs: this one only sees to the deadline.
          [
            generation.step === 'submitted' ? 'Runs at the latest' : 'Runs next',
            timestamp(job.nextRunAt),
          ],
          ['Running since', timestamp(job.lockedAt)],
          ['Ran last', timestamp(job.lastRunAt)],
          ['Written by', job.lastModifiedBy],
          ['Failed with', job.failReason],
        ])}
        <p>${link}</p>`
    : html`<p class="quiet">
        ${
          generation.step === 'ended'
            ? 'It has ended: its job is done and gone.'
            : 'Its job is lost; it is made again within half a minute, or by "Look now".'
        }
      </p>`;
  return html`<section>
    <h2>Agenda job</h2>
    ${shown}
  </section>`;
}

/** What the API answers its owner. */
export function customerViewPart({ customerView }: Inspected): Html {
  return html`<section>
    <h2>What the customer sees</h2>
    <details>
      <summary>The answer of the API</summary>
      <pre tabindex="0">${JSON.stringify(JSON.parse(customerView), null, 2)}</pre>
    </details>
  </section>`;
}
