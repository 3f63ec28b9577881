/**
 * Steps at which a test may stop the process; in production nothing but the call. Named in the order
 * in which a generation meets them.
 */
export type FaultPoint =
  | 'create.beforeTransaction'
  | 'create.beforeAnswer'
  | 'inputs.afterStored'
  | 'submit.beforeProvider'
  | 'submit.afterProvider'
  | 'complete.afterStored'
  | 'end.beforeTransaction'
  | 'end.beforeJobRemoval'
  | 'poll.afterLook'
  | 'reconcile.beforeHealing';

/** Called at each labelled step. */
export type ReachFaultPoint = (point: FaultPoint) => void | Promise<void>;
