import type { Exchange } from './exchanges.ts';
import type { DefaultRule } from './failureRules.ts';
import type { ErrorRule } from './routesFile.ts';

/** How to understand what a provider says when something fails. */
export interface ProviderVoice {
  /** To be kept out of notes. */
  apiKey: string;
  rules: { operator: readonly ErrorRule[]; defaults: readonly DefaultRule[] };
  /** Error codes by which it says, whatever the status, that it took nothing. */
  declaredRefusal?: RegExp;
  /**
   * Whether an answer to a look is the job's own verdict, where the package calls every trouble a
   * failed job. Without it, every JSON answer with a status of success is.
   */
  isVerdict?: (exchange: Exchange) => boolean;
  /** Set for a renderer inside this machine, whose errors are verdicts without any HTTP. */
  isLocal?: boolean;
}
