/** Checks a part of a request against its zod schema; what is wrong comes back with RFC 6901 pointers. */
import type { z } from 'zod';
import { AppError, type FieldError } from '../../errors.ts';
import { storageFaults } from '../check-stored.ts';
import { FINDINGS_MAX, findingsOf } from '../findings-of-issue.ts';

export type Part = 'path' | 'query' | 'body';

/** The checked value; throws `validation_failed`, or `unknown_field` where that is all that is wrong. */
export function validateInput<S extends z.ZodType>(schema: S, value: unknown, part: Part): z.output<S> {
  const faults = storageFaults(value);
  if (faults.length > 0) throw invalidInput(faults, part);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidInput(result.error.issues.flatMap(findingsOf), part);
}

/** A refusal in the same form, for what a schema cannot say. */
export function invalidInput(errors: FieldError[], part: Part = 'body'): AppError {
  const located = errors
    .slice(0, FINDINGS_MAX)
    .map((error) => (part === 'body' ? error : { ...error, in: part }));
  const onlyUnknown = located.every((error) => error.code === 'unknown_field');
  return new AppError(onlyUnknown ? 'unknown_field' : 'validation_failed', {
    detail: `The request is not valid.${describeFirst(located)}`,
    errors: located,
  });
}

/** The first finding in a sentence, with the name of its parameter or the pointer of its field. */
function describeFirst([first, ...others]: readonly FieldError[]): string {
  if (first === undefined) return '';
  const more = others.length === 0 ? '' : ` (${others.length} more in \`errors\`)`;
  return ` ${placeOf(first)}: ${first.message}${more}`;
}

function placeOf(error: FieldError): string {
  const part: Part = error.in ?? 'body';
  const { pointer } = error;
  if (pointer === '') return `The ${part}`;
  return part === 'body' ? `Field \`${pointer}\`` : `Parameter \`${pointer.slice(1)}\` of the ${part}`;
}
