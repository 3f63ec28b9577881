import { parseArgs } from 'node:util';

type Value = number | string | boolean;
type WidenedValue<Default> = Default extends number
  ? number
  : Default extends string
    ? string
    : boolean;

/** Options of a program, and its words without a name. */
interface ParsedOptions<Defaults> {
  values: { [Name in keyof Defaults]: WidenedValue<Defaults[Name]> };
  words: string[];
}

/**
 * Reads this program's arguments. An option takes a number or a string, as its default is; one whose default is
 * `false` takes nothing. `--help` prints names and defaults and ends the process.
 * @param takesWords Whether arguments without a name are allowed.
 * @throws Error for an unknown option, and for one that is not the number it should be.
 */
export function parseOptions<const Defaults extends Readonly<Record<string, Value>>>(
  defaults: Defaults,
  takesWords = false,
): ParsedOptions<Defaults> {
  const names = Object.entries<Value>(defaults);
  const typeOf = (value: Value) => (typeof value === 'boolean' ? 'boolean' : 'string');
  const { values: options, positionals } = parseArgs({
    allowPositionals: takesWords,
    options: {
      help: { type: 'boolean' },
      ...Object.fromEntries(names.map(([name, value]) => [name, { type: typeOf(value) }])),
    },
  });
  if (options.help) {
    for (const [name, value] of names) {
      process.stdout.write(`--${name}${value === false ? '' : ` (${String(value)})`}\n`);
    }
    process.exit();
  }
  const texts = options as Record<string, string | boolean | undefined>;
  const read = names.map(([name, value]): [string, Value] => {
    const text = texts[name];
    if (text === undefined || typeof value !== 'number') return [name, text ?? value];
    const number = Number(text);
    if (text === '' || !Number.isFinite(number)) throw new Error(`--${name} takes a number`);
    return [name, number];
  });
  return {
    values: Object.fromEntries(read) as ParsedOptions<Defaults>['values'],
    words: positionals,
  };
}
