/** What somebody else has changed of the fields that a form shows, and what stays of what was typed. */
import type { MeanwhileChange } from './changed-meanwhile.tsx';

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Theirs where nothing was typed. */
export function merged<Of extends object>(typed: Of, begun: Of, theirs: Of): Of {
  const mine = Object.entries(typed).filter(([key, value]) => !isSame(value, begun[key as keyof Of]));
  return { ...theirs, ...Object.fromEntries(mine) };
}

/** Of the fields that `to` has. */
export function changesOf<Of extends object>(
  from: Of,
  to: Of,
  labels: Partial<Record<keyof Of, string>>,
): MeanwhileChange[] {
  const keys = (Object.keys(to) as (keyof Of & string)[]).filter((key) => !isSame(from[key], to[key]));
  return keys.map((key) => ({ name: labels[key] ?? key, from: textOf(from[key]), to: textOf(to[key]) }));
}

function textOf(value: unknown): string {
  if (value === null || value === '') return '—';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
