const privateNames = /^[^.]+$|\.(localhost|local|internal|lan|home\.arpa)$/;
/** Loopback, link-local and private networks (RFC 1918, RFC 4193). */
const privateAddresses =
  /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^\[(::1|f[cde][0-9a-f]{2}:.*)\]$/;

/** Whether plain http is acceptable for this host: this machine, or a private network. */
export function isPrivateHost(host: string): boolean {
  return privateAddresses.test(host) || (!host.startsWith('[') && privateNames.test(host));
}
