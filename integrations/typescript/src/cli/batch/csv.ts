/** A line of a table, by column name. */
export interface CsvRow {
  /** Line number in the file, starting at 1. */
  line: number;
  cells: Readonly<Record<string, string>>;
}

/** A quoted field, with doubled quotes inside, or an unquoted one; then its separator. */
const field = /"((?:[^"]|"")*)"(,|\r\n|\n|\r|$)|([^",\r\n]*)(,|\r\n|\n|\r|$)/y;

/**
 * Reads a table (RFC 4180) whose first line names the columns; empty lines are skipped. Implemented here because the
 * package has no dependencies.
 * @throws SyntaxError with the line for unbalanced quotes, and for more cells than columns.
 */
export function parseCsv(text: string): CsvRow[] {
  const [head, ...records] = recordsOf(text.replace(/^\uFEFF/, ''));
  const names = (head?.fields ?? []).map((name) => name.trim());
  if (new Set(names).size < names.length) throw new SyntaxError('Line 1 names a column twice.');
  return records.map(({ line, fields }) => {
    if (fields.length > names.length) {
      throw new SyntaxError(
        `Line ${line} has ${fields.length} cells for ${names.length} columns: put text with commas in quotes.`,
      );
    }
    const cells = fields.map((value, index) => [names[index] ?? '', value] as const);
    return { line, cells: Object.fromEntries(cells) };
  });
}

function recordsOf(text: string) {
  const records: { line: number; fields: string[] }[] = [];
  let line = 1;
  let fields: string[] = [];
  let begun = line;
  for (field.lastIndex = 0; field.lastIndex < text.length || fields.length > 0;) {
    const match = field.exec(text);
    if (!match) throw new SyntaxError(`Line ${line} has an unmatched quote.`);
    const [whole, quoted, quotedEnd, plain, plainEnd] = match;
    fields.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if ((quotedEnd ?? plainEnd) === ',') continue;
    if (fields.length > 1 || fields[0] !== '') records.push({ line: begun, fields });
    fields = [];
    begun = line;
  }
  return records;
}
