/** The address under which callers reach this service, for what it tells them to come back to. */
import type { Request } from 'express';
import { AppError } from '../errors.ts';

/** A name or an address of the length that there are, with or without a port. */
const HOST = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Without a path. Throws `invalid_header` where the request names no host, or what is none: it would stand in what is kept and
 * passed on, and a picture of it takes seconds to draw.
 */
export function ownAddress({ protocol, host }: Pick<Request, 'protocol' | 'host'>): string {
  if (!HOST.test(host ?? '')) throw new AppError('invalid_header', 'The header host names no host.');
  return `${protocol}://${host}`;
}
