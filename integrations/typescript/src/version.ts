import { userAgentOf } from './core/userAgent.ts';

/** The package's version, as in its manifest. */
const version = '0.1.0';

/** User agent of the requests: client, version and runtime, such as `framegate-typescript/0.1.0 (Node.js/24)`. */
export const userAgent = (client: 'typescript' | 'cli' = 'typescript'): string =>
  userAgentOf(`framegate-${client}/${version}`);
