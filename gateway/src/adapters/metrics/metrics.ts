import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CreditTotals, OpenFigures } from '../../application/ports/figures.ts';

const httpSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const generationSeconds = [5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 1800, 3600];

/** All metrics. docs/operating/monitoring.md explains them; a test compares both. */
export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics of one process. Counters and histograms cover this process; gauges show the state of the
 * database, the same from each process: take their maximum, not their sum.
 */
export function createMetrics() {
  const register = new Registry();
  const registers = [register];
  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ) => new Gauge({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) => new Histogram({ name, help, labelNames, buckets, registers });
  collectDefaultMetrics({ register });
  return {
    register,
    httpRequests: counter('framegate_http_requests_total', 'Requests handled, by route pattern.', [
      'method',
      'route',
      'status',
    ]),
    httpSeconds: histogram(
      'framegate_http_request_seconds',
      'Time from a request to the end of its response.',
      ['method', 'route'],
      httpSeconds,
    ),
    polls: counter(
      'framegate_polls_total',
      'Reads of a generation by its owner, by returned status.',
      ['status'],
    ),
    signIns: counter(
      'framegate_sign_ins_total',
      'Sign-ins, by entry point (site, console, enrolment, settings, mail, link, oidc) and outcome (done, password, code, throttled).',
      ['entry_point', 'outcome'],
    ),
    mails: counter(
      'framegate_mails_total',
      'Attempts to deliver emails to the mail server: sent, failed (retried later), given_up.',
      ['outcome'],
    ),
    accepted: counter('framegate_generations_accepted_total', 'Generations accepted and charged.', [
      'model',
      'channel',
    ]),
    ended: counter(
      'framegate_generations_ended_total',
      'Generations that ended; code is empty when completed.',
      ['model', 'status', 'code'],
    ),
    generationSeconds: histogram(
      'framegate_generation_seconds',
      'Time from creation to completion.',
      ['model'],
      generationSeconds,
    ),
    providerCalls: counter(
      'framegate_provider_calls_total',
      'Calls to providers by route: submit (accepted, completed, refused, busy, unknown, undelivered), poll (pending, completed, failed, fault).',
      ['provider', 'model', 'call', 'outcome'],
    ),
    providerSeconds: histogram(
      'framegate_provider_call_seconds',
      'Duration of calls to providers.',
      ['provider', 'call'],
      httpSeconds,
    ),
    lostResults: counter(
      'framegate_lost_results_total',
      'Finished results of providers that were not delivered: not_stored, process_stopped, lease_lost, invalid_output, not_as_ordered, no_result, file_missing.',
      ['provider', 'reason'],
    ),
    differences: counter(
      'framegate_delivery_differences_total',
      'Differences between results of ended generations and their orders: size, ratio, length, sound, files, type, flat, still, equal, rate.',
      ['provider', 'in', 'gross'],
    ),
    cost: counter(
      'framegate_provider_cost_total',
      "Cost of ended generations' attempts according to the routes file, in currency units: charged, or possible.",
      ['provider', 'model', 'currency', 'charge'],
    ),
    unknownCosts: counter(
      'framegate_provider_unknown_costs_total',
      'Attempts of ended generations that are or may be charged and whose cost is not in the routes file.',
      ['provider', 'model', 'charge'],
    ),
    ledgerEntries: counter('framegate_ledger_entries_total', 'Ledger entries written.', ['kind']),
    ledgerCredits: counter(
      'framegate_ledger_credits_total',
      'Absolute amount of credits moved by ledger entries.',
      ['kind'],
    ),
    refunds: counter('framegate_refunds_total', 'Generations refunded.', ['model']),
    open: gauge('framegate_generations_open', 'Unfinished generations in the database, by step.', [
      'status',
      'step',
      'model',
    ]),
    oldestSeconds: gauge(
      'framegate_oldest_open_seconds',
      'Age of the oldest unfinished generation, by step.',
      ['step'],
    ),
    jobsDue: gauge(
      'framegate_queue_jobs_due',
      'Due jobs of generations that no worker has taken yet, at most 10000.',
    ),
    queueLag: gauge('framegate_queue_lag_seconds', 'How long the oldest of them has been due.'),
    unresolved: gauge(
      'framegate_unknown_outcomes',
      'Submissions with an unknown outcome that staff have not resolved.',
    ),
    credits: gauge(
      'framegate_credits',
      'Credits of all accounts: available, and charged for unfinished generations. Updated every minute.',
      ['state'],
    ),
    upkeepIdle: gauge(
      'framegate_upkeep_idle_seconds',
      'Time since an upkeep task last finished a round in each of its shards.',
      ['task'],
    ),
    buildInfo: gauge(
      'framegate_build_info',
      "Always 1: labels give this process's release, Node.js version and role.",
      ['version', 'node', 'role'],
    ),
    clockSkew: gauge(
      'framegate_clock_skew_seconds',
      "How far this machine's clock is ahead of the database's.",
    ),
    clockWrong: gauge(
      'framegate_clock_wrong',
      "1 while the database's or this machine's clock is wrong.",
      ['whose'],
    ),
  };
}

/** Sets the gauges from the figures of the database. */
export function setFigures(metrics: Metrics, figures: OpenFigures): void {
  metrics.open.reset();
  metrics.oldestSeconds.reset();
  const oldest = new Map<string, number>();
  for (const { status, step, model, count, oldestAt } of figures.open) {
    metrics.open.set({ status, step, model }, count);
    oldest.set(step, Math.min(oldest.get(step) ?? Infinity, oldestAt));
  }
  for (const [step, at] of oldest) {
    metrics.oldestSeconds.set({ step }, Math.max(0, figures.readAt - at) / 1000);
  }
  metrics.jobsDue.set(figures.jobsDue);
  metrics.queueLag.set(figures.jobLagMs / 1000);
  metrics.unresolved.set(figures.unresolved);
}

/** Sets the totals of all accounts. */
export function setCredits(metrics: Metrics, { available, inFlight }: CreditTotals): void {
  metrics.credits.set({ state: 'available' }, available);
  metrics.credits.set({ state: 'in_flight' }, inFlight);
}

/** Sets the time since each task's last finished round. */
export function setUpkeepIdle(
  metrics: Metrics,
  upkeepTasks: readonly { task: string; idleMs: number }[],
): void {
  for (const { task, idleMs } of upkeepTasks) metrics.upkeepIdle.set({ task }, idleMs / 1000);
}
