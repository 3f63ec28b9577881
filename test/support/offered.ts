const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');

/** The offers of a page: URLs of its links, forms and buttons. */
export function offeredOn(page: string): { links: string[]; forms: string[] } {
  const tags = [...page.matchAll(/<(?:a|form|button|input)\s[^>]*>/g)].map(([tag]) => tag);
  const own = (addresses: (string | undefined)[]) =>
    [...new Set(addresses)].filter((each) => each !== undefined).filter((each) => /^\//.test(each));
  return {
    links: own(tags.filter((tag) => /^<a\s/.test(tag)).map((tag) => attribute(tag, 'href'))),
    forms: own(
      tags.map((tag) =>
        attribute(tag, 'method') === 'post'
          ? attribute(tag, 'action')
          : attribute(tag, 'formaction'),
      ),
    ),
  };
}
