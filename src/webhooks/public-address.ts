/**
 * Which addresses a webhook may reach: those of the public internet, by the registries of special-purpose
 * addresses (RFC 6890 and its successors). Whoever may set a webhook's URL must not reach what only this
 * service can: metadata services, databases, the machine itself.
 */
import { BlockList, isIP } from 'node:net';

const special4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Within global unicast: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const special6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [net, prefix] of special4) refused.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of special6) refused.addSubnet(net, prefix, 'ipv6');
/** The only range of IPv6 that is routed; mapped, translated, local and multicast addresses lie outside it. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Whether the text is an IP address of the public internet. An IPv4 address in the clothes of an IPv6 one is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refused.check(address, 'ipv4');
    case 6:
      return global6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Checks a URL before any name is resolved; returns null if nothing speaks against it. */
export function faultInTarget(url: string): string | null {
  const host = hostOf(new URL(url));
  if (isIP(host) !== 0)
    return isPublicAddress(host) ? null : `${host} is not an address of the public internet`;
  const local = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host) || !/\.[^.]/.test(host);
  return local ? `${host} is a name of a local network` : null;
}

/** Without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
