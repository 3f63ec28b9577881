import ipaddr from 'ipaddr.js';

/** Azure's metadata and wire server: it looks public, and is inside every virtual machine there. */
const insideClouds = ['168.63.129.16'];

/** Global unicast as IANA hands it out (RFC 4291); everything else means something special. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is a public unicast one, to which a customer's or a provider's URL may lead.
 * Not so are loopback, private, link-local (cloud metadata), carrier-grade NAT, documentation,
 * multicast and reserved addresses, and every IPv6 form that hides an IPv4 address: mapped,
 * compatible, 6to4, Teredo and NAT64 (RFC 6890 and the registries it names). What is no IP address is
 * not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || insideClouds.includes(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}
