import { expect, test } from 'vitest';
import { z } from 'zod';
import { findingsOf } from '../../src/http/findings-of-issue.ts';

const Schema = z.strictObject({
  name: z.string().min(1).max(3),
  kind: z.enum(['a', 'b']),
  one: z.literal('x'),
  lines: z.array(z.string()).max(1),
  count: z.int().min(1),
  share: z.number().lt(1),
  on: z.iso.date(),
  own: z.string().refine(() => false, { error: 'must be ours' }),
});

test('refusals say in plain words what a value must be', () => {
  const given = {
    name: 'long',
    kind: 'c',
    one: 'y',
    lines: ['a', 'b'],
    count: 0,
    share: 1,
    on: 'today',
    own: 'z',
  };
  expect(messages(given)).toEqual({
    '/name': 'must have at most 3 characters.',
    '/kind': 'must be one of "a", "b".',
    '/one': 'must be "x".',
    '/lines': 'must have at most 1 item.',
    '/count': 'must be at least 1.',
    '/share': 'must be below 1.',
    '/on': 'must be a day such as 2026-11-24.',
    '/own': 'must be ours.',
  });
});

test('refusals of a wrong type name both types, and a missing value is required', () => {
  expect(messages({ name: 5, lines: 'a', count: 1.5, share: null, on: 1, own: true })).toEqual({
    '/name': 'must be a text, not a number.',
    '/kind': 'must be one of "a", "b".',
    '/one': 'must be "x".',
    '/lines': 'must be a list, not a text.',
    '/count': 'must be a whole number.',
    '/share': 'must be a number, not null.',
    '/on': 'must be a text, not a number.',
    '/own': 'must be a text, not true or false.',
  });
});

function messages(given: unknown): Record<string, string> {
  const issues = Schema.safeParse(given).error?.issues ?? [];
  return Object.fromEntries(issues.flatMap(findingsOf).map(({ pointer, message }) => [pointer, message]));
}
