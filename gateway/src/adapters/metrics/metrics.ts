import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
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
  collectDefaultMetrics({ register });
  return {
    register,
    httpRequests: new Counter({
      name: 'framegate_http_requests_total',
      help: 'Requests answered, by route pattern.',
      labelNames: ['method', 'route', 'status'] as const,
      registers,
    }),
    httpSeconds: new Histogram({
      name: 'framegate_http_request_seconds',
      help: 'Time from a request to the end of its answer.',
      labelNames: ['method', 'route'] as const,
      buckets: httpSeconds,
      registers,
    }),
    polls: new Counter({
      name: 'framegate_polls_total',
      help: 'Readings of a generation by its owner, by the status that was answered.',
      labelNames: ['status'] as const,
      registers,
    }),
    signIns: new Counter({
      name: 'framegate_sign_ins_total',
      help: 'Sign-ins, by entry point (site, console, enrolment, settings, mail, link, oidc) and outcome (done, password, code, throttled).',
      labelNames: ['entry_point', 'outcome'] as const,
      registers,
    }),
    mails: new Counter({
      name: 'framegate_mails_total',
      help: 'Tries to hand mails to the mail server: sent, failed (tried again), given_up.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    accepted: new Counter({
      name: 'framegate_generations_accepted_total',
      help: 'Generations accepted and charged.',
      labelNames: ['model', 'channel'] as const,
      registers,
    }),
    ended: new Counter({
      name: 'framegate_generations_ended_total',
      help: 'Generations that ended; code is empty when completed.',
      labelNames: ['model', 'status', 'code'] as const,
      registers,
    }),
    generationSeconds: new Histogram({
      name: 'framegate_generation_seconds',
      help: 'Time from creation to completion.',
      labelNames: ['model'] as const,
      buckets: generationSeconds,
      registers,
    }),
    providerCalls: new Counter({
      name: 'framegate_provider_calls_total',
      help: 'Calls to providers by route: submit (accepted, completed, refused, busy, unknown, undelivered), poll (pending, completed, failed, fault).',
      labelNames: ['provider', 'model', 'call', 'outcome'] as const,
      registers,
    }),
    providerSeconds: new Histogram({
      name: 'framegate_provider_call_seconds',
      help: 'Time that a call to a provider took.',
      labelNames: ['provider', 'call'] as const,
      buckets: httpSeconds,
      registers,
    }),
    lostResults: new Counter({
      name: 'framegate_lost_results_total',
      help: "Providers' finished results that were not delivered: not_stored, process_stopped, lease_lost, invalid_output, not_as_ordered, no_result, file_missing.",
      labelNames: ['provider', 'reason'] as const,
      registers,
    }),
    differences: new Counter({
      name: 'framegate_delivery_differences_total',
      help: 'Differences between results of ended generations and their orders: size, ratio, length, sound, files, type, flat, still, equal, rate.',
      labelNames: ['provider', 'in', 'gross'] as const,
      registers,
    }),
    cost: new Counter({
      name: 'framegate_provider_cost_total',
      help: 'What attempts of ended generations cost by the routes file, in units of the currency: charged, or possible.',
      labelNames: ['provider', 'model', 'currency', 'charge'] as const,
      registers,
    }),
    unknownCosts: new Counter({
      name: 'framegate_provider_unknown_costs_total',
      help: 'Attempts of ended generations that are or may be charged and whose cost the routes file does not say.',
      labelNames: ['provider', 'model', 'charge'] as const,
      registers,
    }),
    ledgerEntries: new Counter({
      name: 'framegate_ledger_entries_total',
      help: 'Ledger entries written.',
      labelNames: ['kind'] as const,
      registers,
    }),
    ledgerCredits: new Counter({
      name: 'framegate_ledger_credits_total',
      help: 'Credits moved by ledger entries, without their sign.',
      labelNames: ['kind'] as const,
      registers,
    }),
    refunds: new Counter({
      name: 'framegate_refunds_total',
      help: 'Generations refunded.',
      labelNames: ['model'] as const,
      registers,
    }),
    open: new Gauge({
      name: 'framegate_generations_open',
      help: 'Unfinished generations in the database, by step.',
      labelNames: ['status', 'step', 'model'] as const,
      registers,
    }),
    oldestSeconds: new Gauge({
      name: 'framegate_oldest_open_seconds',
      help: 'Age of the oldest unfinished generation, by step.',
      labelNames: ['step'] as const,
      registers,
    }),
    jobsDue: new Gauge({
      name: 'framegate_queue_jobs_due',
      help: 'Jobs of generations that are due and that no worker has taken, 10000 at most.',
      registers,
    }),
    queueLag: new Gauge({
      name: 'framegate_queue_lag_seconds',
      help: 'How long the longest due of them has waited.',
      registers,
    }),
    unresolved: new Gauge({
      name: 'framegate_unknown_outcomes',
      help: 'Submissions of unknown outcome that staff have not resolved.',
      registers,
    }),
    credits: new Gauge({
      name: 'framegate_credits',
      help: 'Credits of all accounts: available, and charged for unfinished generations. Read each minute.',
      labelNames: ['state'] as const,
      registers,
    }),
    upkeepIdle: new Gauge({
      name: 'framegate_upkeep_idle_seconds',
      help: 'Time since an upkeep task last finished a round in each of its shards.',
      labelNames: ['task'] as const,
      registers,
    }),
    buildInfo: new Gauge({
      name: 'framegate_build_info',
      help: 'Always 1: the release that this process runs, its Node and its role.',
      labelNames: ['version', 'node', 'role'] as const,
      registers,
    }),
    clockSkew: new Gauge({
      name: 'framegate_clock_skew_seconds',
      help: "How far this machine's clock is ahead of the database's.",
      registers,
    }),
    clockWrong: new Gauge({
      name: 'framegate_clock_wrong',
      help: "1 while that clock is wrong: the database's, or this machine's.",
      labelNames: ['whose'] as const,
      registers,
    }),
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
