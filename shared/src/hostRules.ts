/**
 * Whether one of the rules covers the host, both in lower case. `*.suffix` covers names at any depth below the suffix,
 * but not the suffix itself. Rules and hosts may end in a port, which must be equal.
 */
export function coversHost(rules: readonly string[], host: string): boolean {
  return rules.some((rule) =>
    rule.startsWith('*.')
      ? host.length > rule.length - 1 && host.endsWith(rule.slice(1))
      : rule === host,
  );
}
