/** Compares a condition with the definition of its property: the values that it names, typed. */
import type {
  PropertyConfiguration,
  WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import { numberInUnit } from '../../configuration/properties/convert-unit.ts';
import { exactNumber } from '../../configuration/properties/exact-number.ts';
import { namedChoices, shortText } from '../../configuration/properties/property-rules.ts';
import {
  isDate,
  type PropertyType,
  type PropertyValue,
  propertyTypes,
} from '../../configuration/properties/property-value.ts';
import { AppError } from '../../errors.ts';
import { type Operator, splitCondition, splitValues } from './condition.ts';
import { dayOf } from './relative-day.ts';

export interface Condition {
  /** With `isOwn` it is a field of the entity itself. */
  property: Pick<PropertyConfiguration, 'key' | 'type'> & { isOwn?: boolean };
  /** `containing` compares a part of a text exactly; it has no written form. */
  operator: Operator | 'containing';
  /** Values are absent for `none` and for `has` alone; `in` has several. */
  values: readonly PropertyValue[];
}

const IN_VALUES_MAX = 100;
const compared = ['lt', 'le', 'gt', 'ge', 'eq', 'ne', 'in', 'has', 'none'] as const;
const told = ['eq', 'ne', 'in', 'has', 'none'] as const;

const operatorsOf: Readonly<Record<PropertyType, readonly Operator[]>> = {
  text: compared,
  numeric: compared,
  date: compared,
  boolean: ['eq', 'ne', 'has', 'none'],
  choice: told,
  url: told,
  reference: told,
};
const textTypes: ReadonlySet<PropertyType> = new Set(['text', 'choice', 'url']);
const KEYS_NAMED = 50;

type Comparable = Condition['property'] & Partial<Pick<PropertyConfiguration, 'choices' | 'unit'>>;

const own = (key: string): [string, Comparable] => [key, { key, type: 'text', isOwn: true }];
/** The fields of an entity that conditions can name. A property that has such a key comes first. */
const ownFields = new Map(['number', 'name', 'category', 'state'].map(own));

interface Fault {
  code: string;
  message: string;
  /** A condition that would be right. */
  example: string;
  /** All that would be right in the place of what is wrong, where it can be listed. */
  allowed?: readonly string[];
}

/**
 * Throws `invalid_condition`, which says what is wrong in which condition and shows a right one. `now` is what relative days count from.
 */
export function readConditions(
  texts: readonly string[],
  configuration: Pick<WorkspaceConfiguration, 'properties'>,
  now: Date,
): Condition[] {
  return texts.map((text, place) => readCondition(text, place, configuration, now));
}

function readCondition(
  text: string,
  place: number,
  { properties }: Pick<WorkspaceConfiguration, 'properties'>,
  now: Date,
): Condition {
  const fault = ({ code, message, example, allowed }: Fault) =>
    new AppError('invalid_condition', {
      detail: `The condition ${shortText(text)} is not valid. ${message} Write, for example, ${shortText(example)}.`,
      errors: [{ pointer: `/where/${place}`, code, message }],
      extensions: { example, ...(allowed === undefined ? {} : { allowed }) },
    });
  const written = splitCondition(text, (key) => properties.has(key));
  const property: Comparable | undefined =
    written === null ? undefined : (properties.get(written.key) ?? ownFields.get(written.key));
  if (written === null || property === undefined) {
    const keys = [...[...properties.keys()].slice(0, KEYS_NAMED), ...ownFields.keys()];
    const message = `The workspace defines no property ${shortText(written?.key ?? text)}.`;
    throw fault({ code: 'unknown_property', message, example: `${keys[0]}:has`, allowed: keys });
  }
  const { operator, value } = written;
  const allowed = operatorsOf[property.type];
  const right = `${property.key}:${operator}:${exampleOf(property)}`;
  if (!allowed.includes(operator)) {
    const message = `A property of type ${property.type} takes ${allowed.join(', ')}.`;
    const example = `${property.key}:${allowed[0]}:${exampleOf(property)}`;
    throw fault({ code: 'unknown_operator', message, example, allowed });
  }
  if (operator === 'none' || (operator === 'has' && (value ?? '') === '')) {
    if ((value ?? '') === '') return { property, operator, values: [] };
    throw fault({
      code: 'too_many_values',
      message: '`none` takes no value.',
      example: `${property.key}:none`,
    });
  }
  if (value === null)
    throw fault({ code: 'required', message: `\`${operator}\` needs a value.`, example: right });
  if (operator === 'has') {
    if (textTypes.has(property.type)) return { property, operator, values: [value] };
    const message = `A property of type ${property.type} has no words: use \`has\` without a text.`;
    throw fault({ code: 'unknown_operator', message, example: `${property.key}:has` });
  }
  const parts = operator === 'in' ? splitValues(value) : [value];
  if (parts.length > IN_VALUES_MAX) {
    const message = `\`in\` takes at most ${IN_VALUES_MAX} values, and has ${parts.length}.`;
    throw fault({ code: 'too_many_values', message, example: right });
  }
  const values = new Set<PropertyValue>();
  for (const [at, one] of parts.entries()) {
    const typed = typedValue(property, one, now);
    if (typed === null) {
      const which = parts.length > 1 ? ` (value ${at + 1} of ${parts.length})` : '';
      const message = `${shortText(one)}${which} is not ${formOf(property)}.`;
      throw fault({ code: `invalid_${property.type}`, message, example: right, ...allowedOf(property) });
    }
    values.add(typed);
  }
  return { property, operator, values: [...values] };
}

function typedValue(
  { type, choices, unit = null }: Comparable,
  text: string,
  now: Date,
): PropertyValue | null {
  const trimmed = text.trim();
  switch (type) {
    case 'numeric': {
      const value = exactNumber(trimmed) ?? (unit === null ? null : numberInUnit(trimmed, unit));
      return value === null || Number.isNaN(value) ? null : value;
    }
    case 'date':
      return isDate(trimmed) ? trimmed : dayOf(trimmed, now);
    case 'boolean':
      return trimmed === 'true' ? true : trimmed === 'false' ? false : null;
    case 'choice':
      return choices?.includes(trimmed) === true ? trimmed : null;
    case 'reference':
      return propertyTypes.reference.fits(trimmed.toLowerCase()) ? trimmed.toLowerCase() : null;
    default:
      return text;
  }
}

function formOf({ type, choices, unit = null }: Comparable): string {
  switch (type) {
    case 'numeric':
      return unit === null ? 'a number' : `a number, nor one with a unit that converts to ${unit}`;
    case 'date':
      return 'a date in the form YYYY-MM-DD, nor a relative one: today, -30d, +2w, -6m, -1y';
    case 'choice':
      return `one of the choices: ${namedChoices(choices ?? [])}`;
    case 'boolean':
      return 'true or false';
    case 'reference':
      return 'the id of an entity, nor `guid:` and a GUID';
    default:
      return 'a text';
  }
}

/** A value that the property takes, as it stands in a condition. */
function exampleOf({ type, choices }: Comparable): string {
  switch (type) {
    case 'numeric':
      return '0.5';
    case 'date':
      return '-30d';
    case 'choice':
      return choices?.[0] ?? 'TEXT';
    case 'boolean':
      return 'true';
    case 'reference':
      return 'guid:6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    default:
      return 'TEXT';
  }
}

/** The values where there are only a few. */
function allowedOf({ type, choices }: Comparable): { allowed?: readonly string[] } {
  if (type === 'choice') return { allowed: choices ?? [] };
  return type === 'boolean' ? { allowed: ['true', 'false'] } : {};
}
