import { text, textsOf } from '../../../texts/text.ts';
import type { SitePage } from './site.ts';

/** Texts of a page's script in the language of the page; `say` of base.js writes them. */
export function scriptTexts(script: NonNullable<SitePage['script']>): Record<string, string> {
  const everywhere = textsOf('scripts');
  if (script === 'wall') return { ...everywhere, ...textsOf('wallScript') };
  if (script === 'site') return everywhere;
  // Those that the server writes as well, with the places of their values.
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
