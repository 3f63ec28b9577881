/** Readiness of this process: `/readyz` on the API's port and on the metrics port. */
export interface Readiness {
  /** Whether it is between `begin` and `end`, and the database answers. */
  ready: () => boolean;
  /** Call once everything has started. */
  begin: () => void;
  /** Call when a stop is requested, so that load balancers send nothing more. Safe to repeat. */
  end: () => void;
}

/** @param answers Whether the database answers. */
export function watchReadiness(answers: () => boolean): Readiness {
  let hasBegun = false;
  return {
    ready: () => hasBegun && answers(),
    begin() {
      hasBegun = true;
    },
    end() {
      hasBegun = false;
    },
  };
}
