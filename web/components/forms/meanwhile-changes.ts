/** Compares two versions of what a form shows, and merges what was typed into a newer one. */
import { hashKey } from '@tanstack/react-query';

export interface MeanwhileChange {
  name: string;
  /** Null where a value is too long for a line. */
  from: string | null;
  to: string | null;
}

/** The same for equal values, whatever the order of their keys. */
export function keyOf(value: unknown): string {
  return hashKey([value]);
}

export function isSame(one: unknown, other: unknown): boolean {
  return keyOf(one) === keyOf(other);
}

/** Takes their value of each field in which nothing was typed. */
export function merged<Of extends object>(typed: Of, begun: Of, theirs: Of): Of {
  const mine = Object.entries(typed).filter(([key, value]) => !isSame(value, begun[key as keyof Of]));
  return { ...theirs, ...Object.fromEntries(mine) };
}

/** Names the fields of `to` that differ, by their labels. */
export function changesOf<Of extends object>(
  from: Of,
  to: Of,
  labels: Partial<Record<keyof Of, string>>,
): MeanwhileChange[] {
  const keys = (Object.keys(to) as (keyof Of & string)[]).filter((key) => !isSame(from[key], to[key]));
  return keys.map((key) => ({ name: labels[key] ?? key, from: textOf(from[key]), to: textOf(to[key]) }));
}

/** Longer texts, such as scripts, and lists of objects do not fit in a line. */
const TEXT_CHARS_MAX = 120;

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ') || '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > TEXT_CHARS_MAX || text.includes('\n') || Array.isArray(value) ? null : text;
}
