import { type Exchange, isAnswered, mayOrder } from './exchanges.ts';
import { type ProviderHttp, RequestBlockedError } from './providerHttp.ts';

/** Requires a host of the API: a poll carries the key, and its operation may name any URL. */
export function requireApi(http: ProviderHttp, url: string): void {
  if (http.isApi(url)) return;
  const host = String(URL.parse(url)?.host);
  throw new RequestBlockedError(`${host} is not named as a host of its API in the routes file`);
}

/**
 * Blocks requests inside an image call that go neither to the API nor to a media host. If not all hosts of the
 * API are known, a request with the key counts as one to the API.
 */
export function requireApiOrMedia(
  http: ProviderHttp,
  url: string,
  hasKey: boolean,
  earlier: readonly Exchange[],
): void {
  const host = URL.parse(url)?.host;
  const isApi = earlier.some((each) => mayOrder(each) && each.host === host);
  if (isApi || http.isApi(url) || http.isMedia(url)) return;
  if (hasKey && !http.knowsApi) return;
  throw new RequestBlockedError(`${String(host)} is not in mediaHosts`);
}

/** Whether a GET goes elsewhere than earlier answered polls: a package may send the key there as well. */
export function comesAfterPolls({ host }: Exchange, earlier: readonly Exchange[]): boolean {
  const answered = earlier.filter(isAnswered);
  return answered.some((each) => !mayOrder(each)) && answered.every((each) => each.host !== host);
}

/** Whether a header of a request contains the key. */
export function carriesKey({ headers }: RequestInit, apiKey: string): boolean {
  return [...new Headers(headers).values()].some((each) => each.includes(apiKey));
}
