/* Copied from integrations/typescript/src/core/connection.ts by "npm run generate": do not edit. */

/**
 * The fault of a base URL without trailing slashes, in a sentence that repeats no user name; null if the key may be
 * sent there. Without TLS others could read the key, so plain http is for this machine and private networks only.
 * @param ending Required end, such as `/v1`.
 */
export function baseUrlProblem(base: string, ending: string): string | null {
  if (base === '' || base === ending) return 'The base URL is missing.';
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url || !/^https?:\/\/[^/]/i.test(base) || /[\s?#@]/.test(base)) {
    return 'The base URL is not a valid URL without a user name, "?" or "#".';
  }
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
    return 'The base URL must begin with https://: otherwise others on the network could read the key.';
  }
  if (base.endsWith(ending)) return null;
  return `The base URL must end in ${ending}. Did you mean ${base}${ending}?`;
}

/** The fault of a key, in a sentence that does not repeat it; null for the form in which gateways issue keys. */
export function keyProblem(key: string, prefix: 'fg_live_' | 'fg_operator_'): string | null {
  const kind = prefix === 'fg_live_' ? 'API' : 'operator';
  if (key === '') return `The ${kind} key is missing.`;
  if (/\s/.test(key)) return `The ${kind} key contains spaces or line breaks.`;
  if (key.startsWith(prefix) && /^[0-9A-Za-z]{38}$/.test(key.slice(prefix.length))) return null;
  return `This is not an ${kind} key: it must be ${prefix} followed by 38 letters and digits.`;
}

const privateNames = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/** Ranges of private networks: RFC 1918, loopback, link-local, and carrier-grade NAT (RFC 6598). */
const privateIpv4 =
  /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** Loopback, unique local and link-local addresses. */
const privateIpv6 = /^\[(::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/;

/**
 * Whether plain http is acceptable for this host: this machine, or a private network. Docker's names
 * without a dot count.
 * @param hostname As in a `URL`: lower case, and IPv6 in brackets.
 */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return privateIpv6.test(host);
  if (/^[\d.]+$/.test(host)) return privateIpv4.test(host);
  return !host.includes('.') || privateNames.test(host);
}
