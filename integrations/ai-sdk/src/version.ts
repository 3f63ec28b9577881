/** The package's version, as in its manifest. */
const version = '0.1.0';

interface Runtime {
  navigator?: { userAgent?: string };
  process?: { versions?: { node?: string } };
}

/** User agent of the requests: provider, version and runtime, such as `framegate-ai-sdk/0.1.0 (Node.js/24)`. */
export function userAgent(): string {
  const { navigator, process } = globalThis as Runtime;
  const runtime = navigator?.userAgent ?? `Node.js/${process?.versions?.node ?? 'unknown'}`;
  return `framegate-ai-sdk/${version} (${runtime})`;
}
