import type { Config } from '../config.ts';
import { fileParts, jsonObject } from '../domain/installation/jsonObject.ts';
import { isNearHost } from '../domain/network/addresses.ts';

/**
 * Warns of unencrypted connections that leave this machine and its private network, one sentence each: every network on
 * the way could read prompts, files and keys.
 */
export function clearTextWarnings(
  config: Pick<Config, 'mediaStore' | 'routes'> & { database: Pick<Config['database'], 'uri'> },
): string[] {
  const { mediaStore, database, routes } = config;
  const warnings: string[] = [];
  if (database.uri !== null && isMongoInClear(database.uri)) {
    warnings.push('MONGODB_URI does not use TLS: add tls=true to it.');
  }
  if (
    mediaStore.kind === 's3' &&
    mediaStore.endpoint !== null &&
    isFarInClear(mediaStore.endpoint)
  ) {
    warnings.push('S3_ENDPOINT is an http address: use https.');
  }
  for (const [name, entry] of Object.entries(fileParts(routes?.content).providers)) {
    const { baseURL, servers, options, rewriteOrigins } = jsonObject(entry);
    const urls = [
      baseURL,
      ...[servers, options, rewriteOrigins].flatMap((each) => Object.values(jsonObject(each))),
    ];
    if (urls.some((each) => typeof each === 'string' && isFarInClear(each))) {
      warnings.push(
        `The provider ${name} of ROUTES_FILE is reached over http: use https addresses.`,
      );
    }
  }
  return warnings;
}

function isFarInClear(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && !isNearHost(url.hostname);
}

/** `mongodb+srv` implies TLS unless it is disabled (MongoDB's connection string specification). */
function isMongoInClear(uri: string): boolean {
  const [, srv, hosts = '', query = ''] =
    /^mongodb(\+srv)?:\/\/(?:[^@/]*@)?([^/?]*)\/?[^?]*(?:\?(.*))?$/.exec(uri) ?? [];
  const options = new URLSearchParams(query.toLowerCase());
  const tls = options.get('tls') ?? options.get('ssl');
  const isClear = srv === undefined ? tls !== 'true' : tls === 'false';
  const names = hosts.split(',').map((host) => host.replace(/:\d*$/, ''));
  return isClear && !names.every((name) => isNearHost(decodeURIComponent(name)));
}
