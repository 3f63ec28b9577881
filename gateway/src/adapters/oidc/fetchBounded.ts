import type { CustomFetch } from 'openid-client';
import { readWhole } from '@framegate/limits';

/** Maximum size of a provider's response, in bytes: keys and tokens take a few kilobytes. */
const maxBytes = 1024 * 1024;

/** A fetch that reads whole responses up to a limit; redirects are not followed. */
export const fetchBounded: CustomFetch = async (url, options) => {
  const { body, ...rest } = options;
  const response = await fetch(url, {
    ...rest,
    ...(body !== null && body !== undefined && { body }),
    redirect: 'manual',
  });
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(await readWhole(response.body, maxBytes), { status, statusText, headers });
};
