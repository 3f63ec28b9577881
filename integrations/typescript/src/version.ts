/** Version of the package, as its manifest has it. */
const version = '0.1.0';

interface Runtime {
  navigator?: { userAgent?: string };
  process?: { version?: string };
}

/** What requests are sent by: client, version and runtime, such as `framegate-typescript/0.1.0 Node.js/24`. */
export function userAgent(): string {
  const { navigator, process } = globalThis as Runtime;
  const runtime = navigator?.userAgent ?? `Node.js/${process?.version ?? 'unknown'}`;
  return `framegate-typescript/${version} ${runtime}`;
}
