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

export const operatorsOf: Readonly<Record<PropertyType, readonly Operator[]>> = {
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

/** Throws `invalid_condition`, which says what is allowed. `now` is what relative days count from. */
export function readConditions(
  texts: readonly string[],
  configuration: Pick<WorkspaceConfiguration, 'properties'>,
  now: Date,
): Condition[] {
  return texts.map((text, place) => {
    const fault = (code: string, message: string, allowed: readonly string[]) =>
      new AppError('invalid_condition', {
        detail: `The condition ${shortText(text)} is not valid. ${message}`,
        errors: [{ pointer: `/where/${place}`, code, message }],
        extensions: { allowed },
      });
    const written = splitCondition(text, (key) => configuration.properties.has(key));
    const property: Comparable | undefined =
      written === null
        ? undefined
        : (configuration.properties.get(written.key) ?? ownFields.get(written.key));
    if (written === null || property === undefined) {
      const keys = [...[...configuration.properties.keys()].slice(0, KEYS_NAMED), ...ownFields.keys()];
      throw fault(
        'unknown_property',
        `The workspace defines no property ${shortText(written?.key ?? text)}.`,
        keys,
      );
    }
    const { operator, value } = written;
    const allowed = operatorsOf[property.type];
    if (!allowed.includes(operator)) {
      const message = `A property of type ${property.type} takes ${allowed.join(', ')}.`;
      throw fault('unknown_operator', message, allowed);
    }
    if (operator === 'none' || (operator === 'has' && (value ?? '') === '')) {
      if ((value ?? '') === '') return { property, operator, values: [] };
      throw fault('too_many_values', '`none` takes no value.', [`${property.key}:none`]);
    }
    if (value === null)
      throw fault('required', `\`${operator}\` needs a value.`, [`${property.key}:${operator}:VALUE`]);
    if (operator === 'has') {
      if (textTypes.has(property.type)) return { property, operator, values: [value] };
      const message = `A property of type ${property.type} has no words: use \`has\` without a text.`;
      throw fault('unknown_operator', message, [`${property.key}:has`]);
    }
    const parts = operator === 'in' ? splitValues(value) : [value];
    if (parts.length > IN_VALUES_MAX)
      throw fault('too_many_values', `\`in\` takes at most ${IN_VALUES_MAX} values.`, [
        `${property.key}:in:A,B`,
      ]);
    const values = new Set<PropertyValue>();
    for (const one of parts) {
      const typed = typedValue(property, one, now);
      if (typed !== null) values.add(typed);
      else
        throw fault(
          `invalid_${property.type}`,
          `${shortText(one)} is not ${formOf(property)}.`,
          allowedOf(property),
        );
    }
    return { property, operator, values: [...values] };
  });
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
      return trimmed.toLowerCase();
    default:
      return text;
  }
}

function formOf({ type, choices }: Comparable): string {
  switch (type) {
    case 'numeric':
      return 'a number';
    case 'date':
      return 'a date in the form YYYY-MM-DD, nor a relative one such as -30d';
    case 'boolean':
      return 'true or false';
    case 'choice':
      return `one of its choices: ${namedChoices(choices ?? [])}`;
    default:
      return 'a text';
  }
}

function allowedOf({ type, choices }: Comparable): readonly string[] {
  if (type === 'choice') return choices ?? [];
  if (type === 'boolean') return ['true', 'false'];
  return type === 'date' ? ['YYYY-MM-DD', 'today', '-30d', '+2w', '-6m', '-1y'] : ['0.5'];
}
