/** A request as a page shows it. */
export interface PageRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Content under a heading of the third level, up to the next heading. */
export function sectionOf(page: string, heading: string): string {
  const section = page.split(/^#{2,3} /m).find((each) => each.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`the page has no section ${heading}`);
  return section;
}

/** The requests in the `http` blocks of a section, in their order. */
export function requestsOf(section: string): PageRequest[] {
  return [...section.matchAll(/^ *```http\n(.*?)^ *```/gms)].map(([, block = '']) => {
    const text = block.replaceAll(/^ {3}/gm, '');
    const [head = '', body] = text.split('\n\n');
    const [first = '', ...lines] = head.trim().split('\n');
    const [method = '', ...url] = first.split(' ');
    const headers = lines.map((line) => line.split(': ') as [string, string]);
    return {
      method,
      url: url.join(' '),
      headers: Object.fromEntries(headers),
      body: body ? body.trim() : null,
    };
  });
}

/**
 * Puts the values of steps where a platform's placeholders name them: `{{2.data.id}}`, `{{step_1['body']['id']}}`.
 * @throws When a placeholder names nothing.
 */
export function fillPlaceholders(text: string, values: Record<string, unknown>): string {
  return text.replaceAll(/\{\{(.+?)\}\}/g, (whole, path: string) => {
    const value = (path.match(/\w+/g) ?? []).reduce<unknown>(
      (from, name) => (from as Record<string, unknown> | undefined)?.[name],
      values,
    );
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Error(`${whole} is nothing in ${JSON.stringify(values)}`);
    }
    return String(value);
  });
}
