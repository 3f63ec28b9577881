/** A line of comma-separated values (RFC 4180), with its line end. */
export function csvLine(values: readonly string[]): string {
  const quoted = values.map((value) =>
    /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value,
  );
  return `${quoted.join(',')}\r\n`;
}

/** Text that a spreadsheet would take for a formula, marked as text. */
export function harmlessText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
