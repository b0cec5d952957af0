/** Origin of a request as limits count it: an IPv4 address, or the network of an IPv6 address. */
import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

/** Returns the counted address. A customer has at least a /64 network and can use all of its addresses. */
export function clientAddress(req: Pick<Request, 'ip'>): string {
  const ip = (req.ip ?? '').replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  return isIPv6(ip) ? `${networkOf(ip)}::/64` : ip || 'unknown';
}

function networkOf(ip: string): string {
  const [front = '', back] = ip.split('::');
  const head = front === '' ? [] : front.split(':');
  const tail = back === undefined || back === '' ? [] : back.split(':');
  const zeros = back === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
