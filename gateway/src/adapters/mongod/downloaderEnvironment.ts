/** Reads one variable of the environment. */
export type ReadVariable = (name: string) => string | undefined;

/**
 * What pip, python3 and the downloader may know of our environment: where programs and certificates are,
 * the way out, and their own settings. No setting of ours, so no secret.
 */
const names = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'VIRTUAL_ENV', 'PYENV_ROOT', 'PYENV_VERSION'],
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
    ...[name, name.toUpperCase(), `npm_config_${name}`],
  ]),
  ...['npm_config_proxy', 'npm_config_noproxy', 'NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['INDEX_URL', 'EXTRA_INDEX_URL', 'NO_INDEX', 'FIND_LINKS', 'TRUSTED_HOST', 'PROXY'].map(
    (name) => `PIP_${name}`,
  ),
  ...['PIP_CERT', 'PIP_CLIENT_CERT', 'PIP_CONFIG_FILE', 'PIP_CACHE_DIR'],
  ...['DOWNLOAD_MIRROR', 'DOWNLOAD_URL', 'USE_HTTP', 'DISTRO', 'PLATFORM', 'ARCH'].map(
    (name) => `MONGOMS_${name}`,
  ),
];

/** The environment of a program that downloads or unpacks mongod. */
export function downloaderEnvironment(read: ReadVariable): Record<string, string> {
  const given = names.map((name) => [name, read(name)] as const);
  return Object.fromEntries(
    given.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
