/**
 * Conditions on properties and on fields of an entity, the one language of lists, exports, CSV links, automation filters, scripts and agents:
 * `KEY:OPERATOR` or `KEY:OPERATOR:VALUE` (contract §3.6).
 */
import { z } from 'zod';

const operators = ['lt', 'le', 'gt', 'ge', 'eq', 'ne', 'in', 'has', 'none'] as const;
export type Operator = (typeof operators)[number];

const CONDITIONS_MAX = 20;
const CONDITION_CHARS_MAX = 1000;

/** A condition as it is written, split but not yet compared with the definition. */
export interface WrittenCondition {
  key: string;
  operator: Operator;
  /** The text behind the operator; null if there is none. */
  value: string | null;
}

const form = new RegExp(`:(${operators.join('|')})(?=:|$)`, 'g');

/**
 * Splits a condition. A key may contain colons and even an operator, so each place where one stands is a candidate: the key that the
 * workspace defines decides, or else the first. Null for a text without an operator.
 */
export function splitCondition(text: string, isDefined: (key: string) => boolean): WrittenCondition | null {
  const candidates = [...text.matchAll(form)].map((match): WrittenCondition => {
    const end = match.index + match[0].length;
    return {
      key: text.slice(0, match.index),
      operator: match[1] as Operator,
      value: end === text.length ? null : text.slice(end + 1),
    };
  });
  return candidates.find(({ key }) => isDefined(key)) ?? candidates[0] ?? null;
}

/** The values of `in`: separated by commas; a backslash before a comma or a backslash makes it part of the value. */
export function splitValues(text: string): string[] {
  const values: string[] = [];
  let value = '';
  for (let at = 0; at < text.length; at++) {
    const next = text[at + 1];
    if (text[at] === '\\' && (next === ',' || next === '\\')) {
      value += next;
      at += 1;
    } else if (text[at] === ',') {
      values.push(value.trim());
      value = '';
    } else value += text[at];
  }
  return [...values, value.trim()];
}

const FORM = `KEY:OPERATOR:VALUE, such as Mass:lt:0.5; operators are ${operators.join(', ')}`;

const Condition = z
  .string()
  .min(1)
  .max(CONDITION_CHARS_MAX)
  .refine((text) => splitCondition(text, () => false) !== null, { error: `must be ${FORM}` });

/** The rule in the words of the API reference. */
const CONDITION_RULE = `\`KEY:OPERATOR:VALUE\` with \`lt\`, \`le\`, \`gt\`, \`ge\`, \`eq\`, \`ne\` and \`in\` (values separated by commas, \`\\,\` for a comma in one); \`KEY:has:TEXT\` for a text that has all these words, \`KEY:has\` for any value, \`KEY:none\` for no value. Dates may be relative: \`today\`, \`-30d\`, \`+2w\`, \`-6m\`, \`-1y\`. \`number\`, \`name\`, \`category\` (a key) and \`state\` are the fields of the entity, unless the workspace has a property of that key. At most ${CONDITIONS_MAX}, which must all hold; \`ne\` and \`none\` alone fit an entity without a value.`;

/** Conditions as a list in a body. */
export const Conditions = z
  .array(Condition)
  .max(CONDITIONS_MAX)
  .meta({
    description: `Conditions on properties: ${CONDITION_RULE}`,
    examples: [['Mass:lt:0.5', 'Material:in:EN AW-6082,S235']],
  });

/** The parameter `where` of a list, which may be repeated. */
export const Where = z
  .union([Condition.transform((one) => [one]), z.array(Condition).min(1).max(CONDITIONS_MAX)], {
    error: `must be 1 to ${CONDITIONS_MAX} conditions, each ${FORM}`,
  })
  .optional()
  .describe(`Only entities whose properties meet this condition; if repeated, all of them. ${CONDITION_RULE}`)
  .meta({ examples: ['Mass:lt:0.5'] });
