/** Checks the declared media type of a body against those that a call accepts. */
import type { Request } from 'express';
import { AppError } from '../../errors.ts';

/** Throws `unsupported_media_type` for any other type, and for a charset that is not UTF-8. */
export function requireMediaType(req: Request, types: string[]): void {
  const [type, ...parameters] = (req.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const readable = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (types.includes(type ?? '') && readable) return;
  throw new AppError('unsupported_media_type', {
    detail: `This call takes ${types.join(' or ')}, in UTF-8.`,
    headers: { Accept: types.join(', ') },
  });
}
