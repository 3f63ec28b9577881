import { hostMatches } from './inputHost.ts';

/** Whether a host rule asks for nothing but what the operator's rules approve for all. */
export function isAutoApproved(rule: string, autoApproved: readonly string[]): boolean {
  if (!rule.startsWith('*.')) return hostMatches(autoApproved, rule);
  const wildcards = autoApproved.filter((each) => each.startsWith('*.'));
  return wildcards.includes(rule) || hostMatches(wildcards, rule.slice(2));
}
