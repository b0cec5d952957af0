/**
 * Says what is wrong with a value that a schema refused: where it stands, and in plain words what it must be. Zod says "Invalid input:
 * expected string, received array".
 */
import type { z } from 'zod';
import type { FieldError } from '../errors.ts';
import { pointerOf } from './json-pointer.ts';

/** Findings that a refusal names at most. */
export const FINDINGS_MAX = 100;

/** Returns what a refusal says of the issue: one finding for each unknown field, otherwise one. */
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

const FORMS: Record<string, string> = {
  date: 'must be a day such as 2026-11-24',
  datetime: 'must be a time such as 2026-11-24T08:30:00Z',
  uuid: 'must be an id such as 01a1f9f5-ae50-7000-8330-cac8de028e0c',
  email: 'must be an e-mail address',
  url: 'must be a URL',
};

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Returns a message without its full stop. The words of a schema stand; only those of zod itself are replaced. */
function messageOf(issue: z.core.$ZodIssue): string {
  return (isOfZod(issue) && plainMessage(issue)) || issue.message;
}

function isOfZod({ message }: z.core.$ZodIssue): boolean {
  return /^(Invalid|Too (big|small):)/.test(message);
}

function plainMessage(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_format':
      return FORMS[issue.format];
    case 'invalid_type':
      return typeMessage(issue.expected, /received (\w+)/.exec(issue.message)?.[1]);
    case 'invalid_value': {
      const values = issue.values.map((value) => JSON.stringify(value));
      return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
    }
    case 'too_big':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'below' : 'at most', issue.maximum)}`;
    case 'too_small':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'above' : 'at least', issue.minimum)}`;
    default:
      return undefined;
  }
}

function typeMessage(expected: string, received: string | undefined): string | undefined {
  const wanted = TYPES[expected];
  if (wanted === undefined) return undefined;
  const given = received === undefined ? undefined : TYPES[received];
  const isAlike = given === wanted || (expected === 'int' && received === 'number');
  return given === undefined || isAlike ? `must be ${wanted}` : `must be ${wanted}, not ${given}`;
}

function bound(origin: string, how: string, limit: number | bigint): string {
  const unit = { string: 'character', array: 'item', set: 'item', map: 'entry', record: 'field' }[origin];
  if (unit === undefined) return `be ${how} ${limit}`;
  const plural = unit === 'entry' ? 'entries' : `${unit}s`;
  return `have ${how} ${limit} ${limit === 1 ? unit : plural}`;
}
