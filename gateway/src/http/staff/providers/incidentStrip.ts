import type { SignOn } from '../../../application/ports/signOn.ts';
import type { Incident } from '../../../application/staff/incidents.ts';
import { isoTime } from '../../../domain/time/isoTime.ts';
import { formatCount, formatDuration, formatNumber, type Html, html } from '../../pages/html.ts';
import { listUrl, queryFor } from '../generations/listPages.ts';

/** A provider with an open circuit with the damage so far; each figure links to its list. */
export function incidentStrip(incident: Incident, nowMs: number): Html {
  const { openedAt, models, waiting, failures } = incident;
  const isBudget = incident.of === 'budget';
  const subject = isBudget ? incident.provider : incident.name;
  const [model, ...others] = models;
  const queued = { state: 'queued', ...(others.length === 0 && model && { model }) };
  const failed = queryFor(failures);
  // All boxes are ticked there, because staff who follow this link want to compensate or email the customers.
  const affected = listUrl({ ...failed, by: 'customer', chosen: 'all' });
  const count = (value: number, one: string, many: string) =>
    `${incident.isWhole ? '' : 'at least '}${formatCount(value, one, many)}`;
  return html`<section class="notice danger" aria-label="${subject}">
    <a href="/staff/routes"
      ><b>${subject} ${isBudget ? "has used up today's budget" : 'has an open circuit'}</b></a
    >
    since ${clockTime(openedAt)} (UTC), for ${formatDuration(nowMs - openedAt)} ·
    ${models.map((id, index) => html`${index > 0 && ', '}<a href="${listUrl({ ...failed, model: id })}">${id}</a>`)}
    ·
    <a href="${listUrl(queued)}">${formatNumber(waiting)} waiting</a> ·
    <a href="${listUrl(failed)}"
      >${count(incident.failed, 'failure', 'failures')} since ${clockTime(failures.since)} (UTC)</a
    >
    ·
    <a href="${affected}">${count(incident.customers, 'customer', 'customers')}</a> ·
    <a href="${affected}">${formatNumber(incident.refundedCredits)} credits refunded</a>
  </section>`;
}

/** A warning while the sign-in provider does not respond to this process. */
export function signOnStrip(signOn: SignOn | null, nowMs: number): Html | null {
  const since = signOn?.provider.downSince() ?? null;
  if (signOn === null || since === null) return null;
  return html`<section class="notice danger" aria-label="${signOn.name}">
    <b>${signOn.name} is not responding</b>
    for ${formatDuration(nowMs - since)} · no one can sign in with it
  </section>`;
}

const clockTime = (ms: number) => isoTime(ms).slice(11, 16);
