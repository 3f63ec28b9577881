import { dayMs } from '@framegate/contract';

/** Idle time after which a session of the account site ends, in ms: a week. */
export const sessionIdleMs = 7 * dayMs;
