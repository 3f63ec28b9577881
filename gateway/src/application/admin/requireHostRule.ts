import { parseHostRule } from '../../domain/inputHost.ts';
import { checkSharedSuffix } from '../../domain/sharedSuffix.ts';
import { AdminProblem } from './adminProblem.ts';

/** A host rule as it is stored. @throws AdminProblem that says what is wrong with the text. */
export function requireHostRule(text: string): string {
  const judged = parseHostRule(text.trim());
  if (!judged.ok) throw new AdminProblem(`The host "${text}" cannot be approved. ${judged.reason}`);
  return judged.rule;
}

/**
 * A host rule that a key may have: none that covers other people's hosts.
 * @param listed The operator's AUTO_APPROVED_HOSTS, in which a store's wildcard may stand.
 * @throws AdminProblem
 */
export function requireOwnHostRule(text: string, listed: readonly string[] = []): string {
  const judged = checkSharedSuffix(requireHostRule(text), listed);
  if (!judged.ok) throw new AdminProblem(`The host "${text}" cannot be approved. ${judged.reason}`);
  return judged.rule;
}
