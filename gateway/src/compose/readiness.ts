import { repeatEvery } from '../application/ports/concurrency.ts';

/** Whether this process can do its part: `/readyz`, on the API's port and on that of the metrics. */
export interface Readiness {
  /** True between `begin` and `end`, while the database answers. */
  ready: () => boolean;
  /** Everything has started. */
  begin(): void;
  /** A stop was asked for: load balancers shall send nothing more. May be called twice. */
  end(): void;
}

const pingEveryMs = 2_000;

/** Knows from a ping every few seconds whether the database answers. */
export function watchReadiness(ping: () => Promise<void>): Readiness {
  let hasBegun = false;
  let answers = true;
  const check = async () => {
    await ping();
    answers = true;
  };
  const stopChecks = repeatEvery(pingEveryMs, check, () => {
    answers = false;
  });
  return {
    ready: () => hasBegun && answers,
    begin() {
      hasBegun = true;
    },
    end() {
      stopChecks();
      hasBegun = false;
    },
  };
}
