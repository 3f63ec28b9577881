/** How a language writes what differs from JSON. */
const grammars = {
  TypeScript: {
    quote: "'",
    key: (name: string) => name,
    word: (value: unknown) => String(value),
  },
  Python: {
    quote: '"',
    key: (name: string) => `"${name}"`,
    word: (value: unknown) =>
      ({ true: 'True', false: 'False', null: 'None' })[String(value)] ?? String(value),
  },
} as const;

/**
 * A JSON value as a literal of a language, one field a line.
 * @param depth Levels of indentation of the line on which it begins.
 */
export function literalFor(language: keyof typeof grammars, value: unknown, depth = 0): string {
  const { quote, key, word } = grammars[language];
  const step = language === 'Python' ? '    ' : '  ';
  const inner = step.repeat(depth + 1);
  const block = (open: string, lines: readonly string[], close: string) =>
    `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${step.repeat(depth)}${close}`;
  if (typeof value === 'string') {
    return `${quote}${value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
  }
  const each = (item: unknown) => literalFor(language, item, depth + 1);
  if (Array.isArray(value)) return block('[', value.map(each), ']');
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, item]) => `${key(name)}: ${each(item)}`);
    return block('{', fields, '}');
  }
  return word(value);
}
