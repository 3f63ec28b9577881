import { language } from '../../../texts/language.ts';
import { text, textsOf } from '../../../texts/text.ts';
import type { SitePage } from './site.ts';

type Texts = Readonly<Record<string, string>>;
type Script = NonNullable<SitePage['script']>;

/** Made once: there are as many as scripts and languages. */
const cache = new Map<string, Texts>();

/** Texts of a page's script in the language of the page; `say` of site.js fills them in. */
export function scriptTexts(script: Script): Texts {
  const name = `${language()} ${script}`;
  const cached = cache.get(name);
  if (cached) return cached;
  const texts = makeTexts(script);
  cache.set(name, texts);
  return texts;
}

function makeTexts(script: Script): Texts {
  const everywhere = textsOf('scripts');
  if (script === 'wall') return { ...everywhere, ...textsOf('wallScript') };
  if (script === 'site') return everywhere;
  // Also used by the server, here with placeholders for values.
  const credits = '{credits}';
  return {
    ...everywhere,
    ...textsOf('studioScript'),
    credits: text('studio.credits', { credits }),
    timesCredits: text('studio.timesCredits', { times: '{times}', each: '{each}', credits }),
    youHave: text('studio.youHave', { credits }),
    ofYour: text('studio.ofYour', { credits }),
    upTo: text('studio.upToCharacters', { max: '{max}' }),
  };
}
