/** Our own origin, as a source of a policy. */
export const ownOrigin = "'self'";

/** Inline style sheets, as a source of a policy: an image needs them, and without scripts they do no harm. */
export const inlineStyles = "'unsafe-inline'";

/** The directives that can allow something, in the order in which they are written. */
const directives = [
  'style-src',
  'font-src',
  'script-src',
  'connect-src',
  'img-src',
  'media-src',
  'form-action',
] as const;

type Sources = Partial<Record<(typeof directives)[number], readonly string[]>>;

/** A Content-Security-Policy that allows only these sources, and no frame around the page. */
export function contentPolicy(sources: Sources): string {
  return [
    "default-src 'none'",
    ...directives.flatMap((name) => {
      const allowed = sources[name];
      return allowed ? [[name, ...allowed].join(' ')] : [];
    }),
    "base-uri 'none'",
    ...('form-action' in sources ? [] : ["form-action 'none'"]),
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The policy of a file that may be opened directly: it also gets an origin of its own. */
export const filePolicy = (sources: Sources = {}): string => `${contentPolicy(sources)}; sandbox`;
