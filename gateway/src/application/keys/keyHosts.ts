import { keyLimits } from '../../domain/accounts/keyLimits.ts';
import { parseHostRule } from '../../domain/network/inputUrl.ts';
import { checkSharedSuffix } from '../../domain/network/sharedSuffix.ts';
import { Refusal } from '../../domain/refusal.ts';

/** The stored form of a host rule. @throws Refusal `host_invalid`. */
export function requireHostRule(name: string, param?: string): string {
  const parsed = parseHostRule(name.trim());
  return parsed.ok ? parsed.rule : refuseHost(name, parsed, param);
}

/**
 * A host rule that a key may have: it must not cover other people's hosts.
 * @param operatorRules The operator's AUTO_APPROVED_HOSTS, which may include the wildcard of a store.
 * @throws Refusal `host_invalid`.
 */
export function requireOwnHostRule(
  name: string,
  operatorRules: readonly string[] = [],
  param?: string,
): string {
  const checked = checkSharedSuffix(requireHostRule(name, param), operatorRules);
  return checked.ok ? checked.rule : refuseHost(name, checked, param);
}

function refuseHost(
  name: string,
  { problem, reason }: { problem: string; reason: string },
  param = 'host',
): never {
  throw new Refusal('host_invalid', {
    values: { name, problem },
    param,
    message: `"${name}": ${reason}`,
  });
}

/**
 * The distinct host rules of a new key.
 * @param field The field of a form that has them all; otherwise each is an item of `hosts`.
 * @throws Refusal `host_invalid`, `key_hosts_full`.
 */
export function requireHosts(
  texts: readonly string[],
  operatorRules?: readonly string[],
  field?: string,
): string[] {
  const rules = texts.map((text, index) =>
    requireOwnHostRule(text, operatorRules, field ?? `hosts[${index}]`),
  );
  const distinct = [...new Set(rules)];
  const max = keyLimits.hostsPerKey;
  if (distinct.length <= max) return distinct;
  throw new Refusal('key_hosts_full', { values: { max }, param: field ?? 'hosts' });
}
