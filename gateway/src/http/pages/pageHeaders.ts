import type { PublicUrls } from '../../application/generations/presentGeneration.ts';
import { contentPolicy, ownOrigin } from '../contentPolicy.ts';

/** Headers by name. */
type Headers = Readonly<Record<string, string>>;

/** Sources on every page: our own style sheet, font and images. */
const ownParts = { 'style-src': [ownOrigin], 'font-src': [ownOrigin], 'img-src': [ownOrigin] };

/**
 * Headers of a page without forms and scripts: it loads only our own style sheet, font and images, and cannot be
 * framed.
 */
export const staticPageHeaders: Headers = {
  'Content-Security-Policy': contentPolicy(ownParts),
  'Referrer-Policy': 'no-referrer',
};

/**
 * Headers of the start page: it has a form, and may have showpieces with a script.
 * @param origins Origins of the showpieces' images and clips.
 */
export const startPageHeaders = (
  origins: Record<'images' | 'clips', readonly string[]>,
): Headers => ({
  'Content-Security-Policy': contentPolicy({
    ...ownParts,
    'script-src': [ownOrigin],
    'img-src': [ownOrigin, ...origins.images],
    'media-src': [ownOrigin, ...origins.clips],
    'form-action': [ownOrigin],
  }),
  'Referrer-Policy': formReferrer,
});

/** Headers of the documentation, which has a script, and an inline style sheet with this hash. */
export const docsPageHeaders = (styleSource: string): Headers => ({
  ...staticPageHeaders,
  'Content-Security-Policy': contentPolicy({
    ...ownParts,
    'style-src': [styleSource],
    'script-src': [ownOrigin],
  }),
});

/** With "no-referrer", browsers would send "Origin: null" with our own forms. */
const formReferrer = 'same-origin';

type ResultUrls = Pick<PublicUrls, 'mediaUrl' | 'redirectUrl'>;

/** The origins of results for a policy, including redirect targets, which browsers check as well. */
const originsOf = ({ mediaUrl, redirectUrl = mediaUrl }: ResultUrls): string[] => [
  ...new Set([mediaUrl, redirectUrl].map((url) => new URL(url).origin)),
];

/**
 * Headers of a page with forms: it loads only our own style sheet, font, scripts, images and results, sends
 * forms only to us and cannot be framed.
 * @param imageSources Sources of other images.
 */
export function formPageHeaders(
  publicUrls: ResultUrls,
  imageSources: readonly string[] = [],
): Headers {
  const origins = originsOf(publicUrls);
  return {
    'Content-Security-Policy': contentPolicy({
      ...ownParts,
      'script-src': [ownOrigin],
      'connect-src': [ownOrigin],
      'img-src': [ownOrigin, ...origins, ...imageSources],
      'media-src': [ownOrigin, ...origins],
      'form-action': [ownOrigin],
    }),
    'Referrer-Policy': formReferrer,
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/**
 * Headers of a page for anyone with its link: only results and our own style, no scripts, no forms, hidden from search
 * engines and other sites.
 */
export function sharedPageHeaders(publicUrls: ResultUrls): Headers {
  const origins = originsOf(publicUrls);
  return {
    ...staticPageHeaders,
    'Content-Security-Policy': contentPolicy({
      ...ownParts,
      'img-src': [ownOrigin, ...origins],
      'media-src': origins,
    }),
    'X-Robots-Tag': 'noindex, nofollow',
  };
}
