import { language } from '../../texts/language.ts';
import type { Html } from './html.ts';

/**
 * Renders a part of a page, or returns it as it was rendered for the same values in the same language.
 * @param dependencies All values that the part shows or depends on, except the language. They must not depend on the
 *   viewer: no form token, no right.
 */
export type CachePart = (dependencies: unknown, render: () => Html) => Html;

/**
 * Creates a cache of rendered parts.
 * @param maxCharacters Characters of all parts and their keys; beyond them, the least recently used parts are dropped.
 */
export function createPartCache(maxCharacters: number): CachePart {
  const parts = new Map<string, Html>();
  let characters = 0;
  return (dependencies, render) => {
    const key = `${language()} ${JSON.stringify(dependencies)}`;
    const cached = parts.get(key);
    if (cached) {
      // Moves it to the end, as the newest.
      parts.delete(key);
      parts.set(key, cached);
      return cached;
    }
    const part = render();
    parts.set(key, part);
    characters += key.length + part.markup.length;
    for (const [oldest, { markup }] of parts) {
      if (characters <= maxCharacters) break;
      parts.delete(oldest);
      characters -= oldest.length + markup.length;
    }
    return part;
  };
}
