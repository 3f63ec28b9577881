/** Escapes a text as a pattern that matches exactly that text. (RegExp.escape is not in Node 22.) */
export function literalPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
