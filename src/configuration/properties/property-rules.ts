/** Checks values by their definition, beyond their type. */
import { matchesPattern } from './property-pattern.ts';
import type { PropertyType, PropertyValue } from './property-value.ts';

/** The part of a definition that decides which values it takes. */
export interface ValueRules {
  readonly key: string;
  readonly type: PropertyType;
  readonly choices: readonly string[] | null;
  readonly pattern: string | null;
}

export interface ValueFault {
  code: 'value_not_in_choices' | 'pattern_mismatch';
  message: string;
}

const CHOICES_NAMED = 10;

/** Returns the fault of a value that its type takes; null for none. */
export function faultOfValue(
  { key, type, choices, pattern }: ValueRules,
  value: PropertyValue,
): ValueFault | null {
  if (typeof value !== 'string') return null;
  if (type === 'choice' && choices !== null && !choices.includes(value)) {
    const message = `The value ${shortText(value)} of property ${JSON.stringify(key)} is none of its choices: ${namedChoices(choices)}.`;
    return { code: 'value_not_in_choices', message };
  }
  if (type === 'text' && pattern !== null && !matchesPattern(pattern, value)) {
    const message = `The value ${shortText(value)} of property ${JSON.stringify(key)} does not match the pattern "${pattern}".`;
    return { code: 'pattern_mismatch', message };
  }
  return null;
}

/** The first choices, for messages. */
export function namedChoices(choices: readonly string[]): string {
  const named = choices.slice(0, CHOICES_NAMED).join(', ');
  return choices.length > CHOICES_NAMED ? `${named} and ${choices.length - CHOICES_NAMED} more` : named;
}

/** A value as messages quote it. */
export function shortText(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…`.toWellFormed() : text);
}
