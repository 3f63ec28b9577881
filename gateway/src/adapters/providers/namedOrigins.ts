import type { RoutesFileJson } from './routesFileSchema.ts';

type HttpProviderJson = Exclude<RoutesFileJson['providers'][string], { kind: 'preview-renderer' }>;

/** Origins of a provider's API that its entry names: `baseURL`, addresses in `options`, what is rewritten. */
export function namedOrigins(json: HttpProviderJson): ReadonlySet<string> {
  const addresses = json.kind === 'model-ark' ? [json.baseURL] : Object.values(json.options);
  const named = [...Object.keys(json.rewriteOrigins), ...addresses].flatMap((each) => {
    const url = typeof each === 'string' ? URL.parse(each) : null;
    return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
  });
  return new Set(named);
}
