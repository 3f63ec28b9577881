import { isPrivateHost } from '../generated/privateHost';

/**
 * The base URL in the form required by requests. People paste it with and without the trailing slash and /v1. Without
 * TLS the key could be intercepted, so plain http is only for gateways not reached through a public network: this
 * machine, and hosts of a private network.
 * @throws RangeError with a sentence for the user if it is not such an address.
 */
export function parseBaseUrl(typed: unknown): string {
  const address = typeof typed === 'string' ? typed.trim() : '';
  if (address === '') throw new RangeError("The credential's Base URL is empty");
  const url = addressOf(address);
  if (url === undefined || /[?#\s]/.test(address) || url.username || url.password) {
    throw new RangeError("The credential's Base URL is not a valid URL");
  }
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
    throw new RangeError("The credential's Base URL must begin with https://");
  }
  return address.replace(/\/+$/, '').replace(/(\/v1)?$/, '/v1');
}

/** Advice for such a base URL. */
export const baseUrlAdvice =
  "Open Credentials, choose the Framegate credential and enter the Base URL that your account's API keys page shows, such as https://media.example.com/v1. Plain http is for localhost and private networks only.";

function addressOf(address: string): URL | undefined {
  if (!/^https?:\/\/[^/]/i.test(address)) return undefined;
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
