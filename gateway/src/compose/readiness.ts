/** Whether this process can do its part: `/readyz`, on the API's port and on that of the metrics. */
export interface Readiness {
  /** True between `begin` and `end`, while the database answers. */
  ready: () => boolean;
  /** Everything has started. */
  begin(): void;
  /** A stop was asked for: load balancers shall send nothing more. May be called twice. */
  end(): void;
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
