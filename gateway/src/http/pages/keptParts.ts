import { language } from '../../texts/language.ts';
import type { Html } from './html.ts';

/**
 * Renders a part of a page, or returns it as it was rendered for the same values in the same language.
 * @param shown All that the part shows or depends on, besides the language. It must not depend on who looks at it: no
 *   token of a form, no right.
 */
export type KeepPart = (shown: unknown, render: () => Html) => Html;

/**
 * Creates a cache of rendered parts.
 * @param maxCharacters Letters of all parts with their keys; beyond it those go that were not used for longest.
 */
export function createKeptParts(maxCharacters: number): KeepPart {
  const kept = new Map<string, Html>();
  let letters = 0;
  return (shown, render) => {
    const key = `${language()} ${JSON.stringify(shown)}`;
    const known = kept.get(key);
    if (known) {
      // To the end, as the newest.
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const part = render();
    kept.set(key, part);
    letters += key.length + part.markup.length;
    for (const [oldest, { markup }] of kept) {
      if (letters <= maxCharacters) break;
      kept.delete(oldest);
      letters -= oldest.length + markup.length;
    }
    return part;
  };
}
