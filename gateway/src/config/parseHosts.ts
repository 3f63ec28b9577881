import { isIP } from 'node:net';
import { parseHostName, parseHostRule } from '../domain/inputHost.ts';
import { checkSharedSuffix } from '../domain/sharedSuffix.ts';

/** Where the guarded client connects instead of asking DNS. */
export interface HostOverride {
  /** IPv4 or IPv6 address. */
  address: string;
  port: number;
}

/** Reads a comma-separated list of host rules. @throws Error that names the first wrong one. */
export function parseHostRules(text: string): readonly string[] {
  return text.split(',').map((item) => {
    const parsed = parseHostRule(item.trim());
    // A wildcard under a shared host (a store) is the operator's decision; one under a registry's suffix is a mistake.
    const own = parsed.ok ? checkSharedSuffix(parsed.rule, [parsed.rule]) : parsed;
    if (!own.ok) throw new Error(`"${item.trim()}": ${own.reason.replace(/\.$/, '')}`);
    return own.rule;
  });
}

/** Reads `host=ip:port,host=[ip6]:port`. @throws Error that names the first wrong item. */
export function parseHostOverrides(text: string): Readonly<Record<string, HostOverride>> {
  const overrides = text.split(',').map((item): [string, HostOverride] => {
    const match = /^([^=]+)=(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(item.trim());
    if (match === null) throw new Error(`"${item.trim()}" is not host=ip:port`);
    const [, name = '', ip6, ip4, port] = match;
    const judged = parseHostName(name);
    if (!judged.ok) throw new Error(`"${name}": ${judged.reason.replace(/\.$/, '')}`);
    const address = ip6 ?? ip4 ?? '';
    if (isIP(address) !== (ip6 === undefined ? 4 : 6)) {
      throw new Error(`"${address}" is not an IP address`);
    }
    if (Number(port) < 1 || Number(port) > 65_535) throw new Error(`${port} is not a port`);
    return [judged.host, { address, port: Number(port) }];
  });
  return Object.fromEntries(overrides);
}
