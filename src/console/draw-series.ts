/** Small charts of figures over time, as SVG without scripts and inline styles. */
import { duration } from './units.ts';

export interface Figure {
  at: string;
  done: number;
  failed: number;
  p95: number | null;
  oldest: number;
}

export type Measure = 'done' | 'p95' | 'oldest';

export const HOURS = 24;
const COLUMN_MS = 15 * 60_000;
const COLUMNS = (HOURS * 3_600_000) / COLUMN_MS;
const COLUMN_WIDTH = 3;
const WIDTH = COLUMNS * COLUMN_WIDTH;
const HEIGHT = 56;

interface Column {
  at: number;
  done: number;
  failed: number;
  p95: number;
  oldest: number;
}

/** Sums up the figures of each quarter of an hour: counts are added, of durations the longest is kept. */
function columnsOf(figures: readonly Figure[], first: number): Column[] {
  const columns = new Map<number, Column>();
  for (const { at, done, failed, p95, oldest } of figures) {
    const place = Math.floor((Date.parse(at) - first) / COLUMN_MS);
    if (place < 0 || place >= COLUMNS) continue;
    const column = columns.get(place) ?? { at: place, done: 0, failed: 0, p95: 0, oldest: 0 };
    column.done += done;
    column.failed += failed;
    column.p95 = Math.max(column.p95, p95 ?? 0);
    column.oldest = Math.max(column.oldest, oldest);
    columns.set(place, column);
  }
  return [...columns.values()];
}

export interface Drawing {
  svg: string;
  /** Label of the upper end of the value axis. */
  most: string;
  /** Labels of the time axis: start, middle and end. */
  times: readonly [string, string, string];
}

/** Draws bars with a tooltip each; failed work stands in front of all work of its column. */
export function drawSeries(figures: readonly Figure[], measure: Measure, label: string, now: Date): Drawing {
  const first = Math.ceil(now.getTime() / COLUMN_MS) * COLUMN_MS - HOURS * 3_600_000;
  const columns = columnsOf(figures, first);
  const most = Math.max(1, ...columns.map((one) => one[measure]));
  const y = (value: number) => HEIGHT - (value / most) * (HEIGHT - 2);
  const marks = columns.map((column) => {
    const x = column.at * COLUMN_WIDTH;
    const from = first + column.at * COLUMN_MS;
    const said = `${clock(from)}–${clock(from + COLUMN_MS)}: ${textOf(column, measure)}`;
    const failed = measure === 'done' && column.failed > 0 ? bar(x, y(column.failed), 'failed') : '';
    return `<g><title>${said}</title>${bar(x, 0, 'column')}${bar(x, y(column[measure]), measure)}${failed}</g>`;
  });
  const line = (at: number) => `<line class="ground" x1="0" y1="${at}" x2="${WIDTH}" y2="${at}"/>`;
  return {
    svg: `<svg class="series" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}" preserveAspectRatio="none">${line(0.5)}${line(HEIGHT / 2)}${line(HEIGHT - 0.5)}${marks.join('')}</svg>`,
    most: measure === 'done' ? String(most) : duration(measure === 'p95' ? most : most * 1000),
    times: [clock(first), clock(first + (HOURS / 2) * 3_600_000), clock(now.getTime())],
  };
}

function textOf({ done, failed, p95, oldest }: Column, measure: Measure): string {
  if (measure === 'done') return `${done} completed, ${failed} of them failed`;
  return duration(measure === 'p95' ? p95 : oldest * 1000);
}

const clock = (at: number) => new Date(at).toISOString().slice(11, 16);

function bar(x: number, y: number, kind: string): string {
  const height = Math.max(0, HEIGHT - y);
  return `<rect class="${kind}" x="${x}" y="${y.toFixed(1)}" width="${COLUMN_WIDTH}" height="${height.toFixed(1)}"/>`;
}
