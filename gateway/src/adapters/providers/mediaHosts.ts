/** Whether a file may be downloaded from this URL. */
export type IsMediaHost = (url: URL) => boolean;

/**
 * Reads `mediaHosts` of a provider (design section 3): `host` and `*.suffix` stand for the scheme's
 * own port, `host:port` and `*.suffix:port` for that port only; `*.suffix` has at least one label
 * before the suffix. Nothing else matches.
 */
export function mediaHostMatcher(entries: readonly string[]): IsMediaHost {
  const rules = entries.map((entry) => entry.toLowerCase());
  return (url) => {
    // A trailing dot names the same host to DNS, but is no way around a rule.
    const { host } = url;
    return rules.some((rule) =>
      rule.startsWith('*.')
        ? host.endsWith(rule.slice(1)) && host.length >= rule.length
        : host === rule,
    );
  };
}
