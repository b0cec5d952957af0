/** Which days the axis of a chart names: the first, the last and the lowest always, others where there is room between them. */
import type { ScaleTime } from 'd3-scale';

export interface DayLabel {
  text: string;
  x: number;
  anchor: 'start' | 'middle' | 'end';
}

/** Pixels of a letter at 12 px, and those between two labels. */
const [LETTER, BETWEEN] = [7, 8];

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

interface ChartDays {
  first: Date;
  last: Date;
  lowest: Date;
  /** Days that are named where there is room. */
  others: readonly Date[];
}

/** Returns the labels from left to right; a day that would stand on its neighbour moves beside it. */
export function dayLabels(
  { first, last, lowest, others }: ChartDays,
  x: ScaleTime<number, number>,
): DayLabel[] {
  const from = leftmost(day.format(first), x(first));
  const to = rightmost(day.format(last), x(last));
  if (from.text === to.text) return [from];
  const taken = [from, to];
  const low = middle(day.format(lowest), x(lowest));
  const half = widthOf(low) / 2;
  const least = rangeOf(from)[1] + BETWEEN + half;
  const most = rangeOf(to)[0] - BETWEEN - half;
  const isOther = low.text !== from.text && low.text !== to.text;
  if (isOther && least <= most) taken.push({ ...low, x: Math.min(Math.max(low.x, least), most) });
  for (const other of others.map((one) => middle(day.format(one), x(one))))
    if (taken.every((one) => isApart(one, other))) taken.push(other);
  return taken.toSorted((a, b) => rangeOf(a)[0] - rangeOf(b)[0]);
}

const leftmost = (text: string, x: number): DayLabel => ({ text, x, anchor: 'start' });
const rightmost = (text: string, x: number): DayLabel => ({ text, x, anchor: 'end' });
const middle = (text: string, x: number): DayLabel => ({ text, x, anchor: 'middle' });

const widthOf = ({ text }: DayLabel) => LETTER * text.length;

function rangeOf(label: DayLabel): [number, number] {
  const start = label.x - { start: 0, middle: 0.5, end: 1 }[label.anchor] * widthOf(label);
  return [start, start + widthOf(label)];
}

function isApart(one: DayLabel, other: DayLabel): boolean {
  const [a, b] = [rangeOf(one), rangeOf(other)];
  return a[1] + BETWEEN <= b[0] || b[1] + BETWEEN <= a[0];
}
