/** Checks a part of a request against its zod schema; what is wrong comes back with RFC 6901 pointers. */
import type { z } from 'zod';
import { AppError, type FieldError } from '../../errors.ts';
import { storageFaults } from '../check-stored.ts';
import { pointerOf } from '../json-pointer.ts';
import { messageOf } from './message-of-issue.ts';

export type Part = 'path' | 'query' | 'body';

export const FINDINGS_MAX = 100;

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
  const first = located[0];
  const where = first === undefined ? '' : ` ${part}${first.pointer === '' ? '' : ` ${first.pointer}`}:`;
  return new AppError(onlyUnknown ? 'unknown_field' : 'validation_failed', {
    detail: `The request is not valid.${where} ${first?.message ?? ''}`.trim(),
    errors: located,
  });
}

/** In the form of a refusal. */
export function findingsOf(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, FINDINGS_MAX).map((key) => ({
      pointer: pointerOf([...issue.path, key]),
      code: 'unknown_field',
      message: `There is no field "${key.slice(0, 100)}" here.`,
    }));
  }
  if (issue.code === 'invalid_union') return findingsOfUnion(issue);
  const own = issue.code === 'custom' ? (issue.params as { code?: unknown } | undefined)?.code : undefined;
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return [
    {
      pointer: pointerOf(issue.path),
      code: typeof own === 'string' ? own : missing ? 'required' : issue.code,
      message: sentence(missing ? 'Required' : messageOf(issue)),
    },
  ];
}

/** Returns the findings of the union's alternative that fits best, which is the one that the caller meant. */
function findingsOfUnion(issue: z.core.$ZodIssueInvalidUnion): FieldError[] {
  const best = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)[0];
  if (best === undefined || depthOf(best) === 0) {
    return [{ pointer: pointerOf(issue.path), code: issue.code, message: sentence(messageOf(issue)) }];
  }
  return best.flatMap((inner) =>
    findingsOf({ ...inner, path: [...issue.path, ...inner.path] } as typeof inner),
  );
}

function depthOf(issues: z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
