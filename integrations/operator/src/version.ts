/** The package's version, as in its manifest. */
const version = '0.1.0';

interface Runtime {
  navigator?: { userAgent?: string };
  process?: { versions?: { node?: string } };
}

/** User agent of the requests: client, version and runtime, such as `framegate-operator/0.1.0 (Node.js/24)`. */
export function userAgent(): string {
  const { navigator, process } = globalThis as Runtime;
  const runtime = navigator?.userAgent ?? `Node.js/${process?.versions?.node ?? 'unknown'}`;
  return `framegate-operator/${version} (${runtime})`;
}
