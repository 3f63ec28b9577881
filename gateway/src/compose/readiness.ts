import { repeatEvery } from '../application/ports/concurrency.ts';

/** Readiness of this process: `/readyz` on the API's port and on the metrics port. */
export interface Readiness {
  /** True between `begin` and `end`, while the database answers. */
  ready: () => boolean;
  /** Call when everything has started. */
  begin(): void;
  /** Call when a stop is requested: load balancers must send nothing more. Safe to repeat. */
  end(): void;
}

const pingEveryMs = 2_000;

/** Pings the database every few seconds. */
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
