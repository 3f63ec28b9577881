import { userAgentOf } from './generated/userAgent.ts';

/** The package's version, as in its manifest. */
const version = '0.1.0';

/** User agent of the requests: provider, version and runtime, such as `framegate-ai-sdk/0.1.0 (Node.js/24)`. */
export const userAgent = (): string => userAgentOf(`framegate-ai-sdk/${version}`);
