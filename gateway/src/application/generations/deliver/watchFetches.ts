import type { FileFetch, ProviderOutput } from '@framegate/provider-routes';

/** Wraps files with a record of whether the last fetch from each host worked. */
export function watchFetches(outputs: readonly ProviderOutput[]) {
  const hosts = new Map<string, boolean>();
  const outputsWithWatch = outputs.map((output): ProviderOutput => {
    const { host } = output;
    if (host === undefined) return output;
    return {
      ...output,
      async read(signal) {
        hosts.set(host, false);
        const file = await output.read(signal);
        hosts.set(host, true);
        return file;
      },
    };
  });
  const fetches = () => [...hosts].map(([host, hasWorked]): FileFetch => ({ host, hasWorked }));
  return { outputs: outputsWithWatch, fetches };
}
