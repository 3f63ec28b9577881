import { text, textsOf } from '../../../texts/text.ts';
import type { SitePage } from './site.ts';

/** Texts of a page's script in the language of the page; `say` of site.js fills them in. */
export function scriptTexts(script: NonNullable<SitePage['script']>): Record<string, string> {
  const everywhere = textsOf('scripts');
  if (script === 'wall') return { ...everywhere, ...textsOf('wallScript') };
  if (script === 'site') return everywhere;
  // Also used by the server, here with placeholders for values.
  const credits = '{credits}';
  return {
    ...everywhere,
    ...textsOf('studioScript'),
    credits: text('studio.credits', { credits }),
    youHave: text('studio.youHave', { credits }),
    ofYour: text('studio.ofYour', { credits }),
    upTo: text('studio.upToCharacters', { most: '{most}' }),
  };
}
