/**
 * A header that says one thing comes once. Of two, Node keeps the first, and a proxy may have gone by the other: what it
 * let through would not be what is served.
 */
import type { NextFunction, Request, Response } from 'express';
import { AppError } from '../../errors.ts';

const single = new Set([
  'host',
  'authorization',
  'x-api-key',
  'content-type',
  'content-length',
  'idempotency-key',
]);

export function refuseDoubleHeaders(req: Request, _res: Response, next: NextFunction): void {
  const seen = new Set<string>();
  const { rawHeaders } = req;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    if (!single.has(name)) continue;
    if (seen.has(name)) {
      next(new AppError('invalid_header', `The header ${name} is there more than once.`));
      return;
    }
    seen.add(name);
  }
  next();
}
