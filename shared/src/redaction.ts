/** Stands for removed text. Rules that run after others must not match it. */
export const redactedMark = '<redacted>';

/** A pattern and its replacement. Every pattern runs in time proportional to the text. */
export type RedactionRule = readonly [RegExp, string | ((match: string) => string)];

/** The text after all rules, each on the result of the one before it. */
export function applyRules(rules: readonly RedactionRule[], text: string): string {
  let clean = text;
  for (const [pattern, replacement] of rules) clean = clean.replace(pattern, replacement as string);
  return clean;
}
