/* Copied from integrations/typescript/src/core/noStore.ts by "npm run generate": do not edit. */

/**
 * Option of every request: responses come from the service, never from a cache that a framework puts into `fetch`, as
 * Next.js does. Empty where requests have no such option: Cloudflare Workers of older dates would throw.
 */
export const noStore: RequestInit = 'cache' in Request.prototype ? { cache: 'no-store' } : {};
