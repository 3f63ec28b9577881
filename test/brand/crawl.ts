import type { Visitor } from '../site/support/visitor.ts';

/** More pages than exist: a crawl that reaches this number runs in circles. */
const maxPages = 150;

/** A response with the headers and the body that its reader sees. */
export interface Seen {
  path: string;
  status: number;
  text: string;
}

/** Follows every link, picture, script and style sheet from some pages. One page is loaded for each path. */
export async function crawl(
  visitor: Visitor,
  from: readonly string[],
  isFollowed: (path: string) => boolean,
): Promise<Seen[]> {
  const waiting = [...from];
  const known = new Set(from.map(pathOf));
  const seen: Seen[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.length >= maxPages) throw new Error(`more than ${maxPages} pages`);
    const page = await visitor.get(next);
    const headers = [...page.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    seen.push({ path: next, status: page.status, text: `${headers}\n\n${page.text}` });
    if (!page.headers.get('content-type')?.startsWith('text/html')) continue;
    for (const [, to = ''] of page.text.matchAll(/\b(?:href|src|srcset)="(\/[^"\s]*)/g)) {
      const path = to.replaceAll('&amp;', '&').replace(/#.*$/, '');
      if (known.has(pathOf(path)) || !isFollowed(path)) continue;
      known.add(pathOf(path));
      waiting.push(path);
    }
  }
  return seen;
}

const pathOf = (path: string) => path.replace(/[?#].*$/, '');
