/** Readiness of this process: `/readyz` on the API's port and on the metrics port. */
export interface Readiness {
  /** Whether it is between `begin` and `end`, and the database answers. */
  isReady: () => boolean;
  /** Call once everything has started. */
  begin: () => void;
  /** Call when a stop is requested, so that load balancers send nothing more. Safe to repeat. */
  end: () => void;
}

/** @param isReachable Whether the database answers. */
export function watchReadiness(isReachable: () => boolean): Readiness {
  let hasBegun = false;
  return {
    isReady: () => hasBegun && isReachable(),
    begin() {
      hasBegun = true;
    },
    end() {
      hasBegun = false;
    },
  };
}
