/* Copied from integrations/typescript/src/core/userAgent.ts by "npm run generate": do not edit. */

interface Runtime {
  navigator?: { userAgent?: string };
  process?: { versions?: { node?: string } };
}

/** User agent of a client's requests. @param client Name and version, such as `framegate-cli/2.1.0`. */
export function userAgentOf(client: string): string {
  const { navigator, process } = globalThis as Runtime;
  const runtime = navigator?.userAgent ?? `Node.js/${process?.versions?.node ?? 'unknown'}`;
  return `${client} (${runtime})`;
}
