/** Small pictures of figures over time, as SVG without script and without inline style: classes have the colours. */
import { PERIOD_SECONDS } from './record-series.ts';

export interface Figure {
  at: string;
  done: number;
  failed: number;
  p95: number | null;
  oldest: number;
}

export const HOURS = 24;
const WIDTH = 288;
const HEIGHT = 56;

type Measure = 'done' | 'p95' | 'oldest';

/** Bars of what was done with what failed below, or a line; the largest value stands beside it. */
export function drawSeries(figures: readonly Figure[], measure: Measure, label: string, now: Date): string {
  const columns = (HOURS * 3600) / PERIOD_SECONDS;
  const first = now.getTime() - HOURS * 3_600_000;
  const column = (at: string) => Math.floor((Date.parse(at) - first) / (PERIOD_SECONDS * 1000));
  const shown = figures.filter(({ at }) => column(at) >= 0 && column(at) < columns);
  const most = Math.max(1, ...shown.map((one) => one[measure] ?? 0));
  const x = (at: string) => (column(at) * WIDTH) / columns;
  const y = (value: number) => HEIGHT - (value / most) * (HEIGHT - 2);
  const marks =
    measure === 'done'
      ? shown.map(
          ({ at, done, failed }) =>
            bar(x(at), y(done), 'done') + (failed > 0 ? bar(x(at), y(failed), 'failed') : ''),
        )
      : shown.map((one) => bar(x(one.at), y(one[measure] ?? 0), measure));
  return (
    `<svg class="series" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}" preserveAspectRatio="none">` +
    `<line class="ground" x1="0" y1="${HEIGHT - 0.5}" x2="${WIDTH}" y2="${HEIGHT - 0.5}"/>${marks.join('')}</svg>`
  );
}

function bar(x: number, y: number, kind: string): string {
  const height = Math.max(0, HEIGHT - y);
  return `<rect class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="1" height="${height.toFixed(1)}"/>`;
}
