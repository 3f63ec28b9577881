import { withoutTexts } from '@framegate/contract';
import type { GenerationInspection } from '../../../application/staff/generationActions.ts';
import { roleIn } from '../../../domain/teams/team.ts';
import { outputsPart } from '../../pages/elements.ts';
import { formatCount, formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { accountLink, facts, generationLink, table } from '../elements.ts';
import { jobsOf } from './jobPages.ts';
import { runsAtDeadline } from './jobWaits.ts';

/** The request of a generation with its times. */
export function requestPart({ generation, account, key }: GenerationInspection): Html {
  const { parameters, realPerson } = generation;
  const byKey = key
    ? html`${key.name} <code>${key.id}</code> …${key.lastFour}`
    : (generation.keyId ?? 'studio');
  const { madeBy } = generation;
  return html`<section>
    <h2>Request</h2>
    ${facts([
      ['Account', accountLink(generation.accountId)],
      ['Key', byKey],
      ['Delivers', generation.replaces === undefined ? null : generationLink(generation.replaces)],
      ['Created by', madeBy === undefined ? null : personPart(madeBy, account)],
      ['Request', html`<code>${generation.requestId}</code>`],
      ['Channel', generation.channel],
      ['Model', `${generation.model}${generation.mode === null ? '' : `, ${generation.mode}`}`],
      ...Object.entries(withoutTexts(parameters)).map(
        ([name, value]) => [name, String(value)] as const,
      ),
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

/** The person who made a generation at the site, with a link to their own account. */
function personPart(id: string, account: GenerationInspection['account']): Html {
  const isFormer = account !== null && roleIn(account, id) === null;
  const name =
    account?.id === id ? account.email : account?.members?.find((each) => each.id === id)?.email;
  return html`${name} ${accountLink(id)}${isFormer && ', no longer in the team'}`;
}

/** Files of a generation. */
export function mediaPart(
  { generation, customerView }: GenerationInspection,
  present: Parameters<typeof outputsPart>[1],
): Html {
  const { outputs, storedInputs, outputsRemovedAt, outputsRemoveAt } = generation;
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
  const retention =
    outputsRemovedAt === null
      ? html`Kept until ${timestamp(outputsRemoveAt)}.`
      : html`Deleted ${timestamp(outputsRemovedAt)}.`;
  return html`<section>
    <h2>Media</h2>
    ${urls.length > 0 && outputsPart(generation, present, { urls, title: 'an output' })}
    ${table(['File', 'Type', 'Size', 'SHA-256'], rows, 'No output.')}
    ${outputs.length > 0 && html`<p>${retention}</p>`}
    ${storedInputs && storedInputs.length > 0 && html`<p>${formatCount(storedInputs.length, 'input')} stored.</p>`}
  </section>`;
}

/** Agenda job of a generation. */
export function jobPart({ generation, job }: GenerationInspection): Html {
  const link = html`<a href="${jobsOf(generation.id)}">Show in Jobs</a>`;
  const content = job
    ? html`${facts([
          ['Job', html`<code>${job.id}</code> ${job.name}`],
          [
            runsAtDeadline(generation) ? 'Runs no later than' : 'Runs next',
            timestamp(job.nextRunAt),
          ],
          ['Running since', timestamp(job.lockedAt)],
          ['Last run', timestamp(job.lastRunAt)],
          ['Last changed by', job.lastModifiedBy],
          ['Failure', job.failReason],
        ])}
        <p>${link}</p>`
    : html`<p class="quiet">
        ${
          generation.step === 'ended'
            ? 'The generation has ended, so its job was removed.'
            : 'The job is missing. It will be recreated within 30 seconds, or by "Check now".'
        }
      </p>`;
  return html`<section>
    <h2>Job</h2>
    ${content}
  </section>`;
}

/** The API's response to the customer. */
export function customerViewPart({ customerView }: GenerationInspection): Html {
  return html`<section>
    <h2>Customer's view</h2>
    <details>
      <summary>API response</summary>
      <pre tabindex="0">${JSON.stringify(JSON.parse(customerView), null, 2)}</pre>
    </details>
  </section>`;
}
