/**
 * The headers of a limit that is used up (draft-ietf-httpapi-ratelimit-headers): its policy, and when
 * there is room again.
 * @param quota What the limit allows; within `windowSeconds`, where it counts over a window.
 */
export function rateLimitHeaders(
  name: string,
  { quota, windowSeconds }: { quota: number; windowSeconds?: number },
  retryAfterSeconds: number,
): Record<string, string> {
  const window = windowSeconds === undefined ? '' : `;w=${windowSeconds}`;
  return {
    'RateLimit-Policy': `"${name}";q=${quota}${window}`,
    RateLimit: `"${name}";r=0;t=${retryAfterSeconds}`,
  };
}
