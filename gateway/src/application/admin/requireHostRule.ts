import { parseHostRule } from '../../domain/inputHost.ts';
import { AdminProblem } from './adminProblem.ts';

/** Host rules of one key. */
export const hostsPerKeyMax = 100;

/** A host rule as it is stored. @throws AdminProblem that says what is wrong with the text. */
export function requireHostRule(text: string): string {
  const judged = parseHostRule(text.trim());
  if (!judged.ok) throw new AdminProblem(`The host "${text}" cannot be approved. ${judged.reason}`);
  return judged.rule;
}
