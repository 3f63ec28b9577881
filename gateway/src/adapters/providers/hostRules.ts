/**
 * Reads hosts as `mediaHosts` of a provider has them: `host` and `*.suffix` stand for the scheme's
 * own port, `host:port` and `*.suffix:port` for that port only; `*.suffix` has at least one label
 * before the suffix. Nothing else matches.
 */
export function hostMatcher(entries: readonly string[]): (url: URL) => boolean {
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
