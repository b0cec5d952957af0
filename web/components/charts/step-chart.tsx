/** A quantity over time as steps, for it holds until the next movement. Read point by point with the arrow keys. */
import { scaleLinear, scaleTime } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { tickRoom } from '../tick-room.ts';
import { useWidth } from '../use-width.ts';
import { dayText, momentText, quantityText } from '../words.tsx';
import { type DayLabel, dayLabels } from './day-labels.ts';
import styles from './step-chart.module.css';

export interface StepPoint {
  at: string;
  value: number;
}

const HEIGHT = 200;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The time of day as everywhere else; a day where one begins. */
function tickText(tick: Date): string {
  return isMidnight(tick) ? day.format(tick) : clock.format(tick);
}

function isMidnight(tick: Date): boolean {
  return tick.getHours() === 0 && tick.getMinutes() === 0;
}

const MARGIN = { top: 12, right: 16, bottom: 24, left: 56 };

export interface StepChartProps {
  label: string;
  points: readonly StepPoint[];
  /** A second quantity at the same points, drawn dashed, and the names of both. */
  beside?: { values: readonly number[]; names: readonly [string, string] };
  /** The points are whole days: no time of day is shown, and the lowest day is named. */
  wholeDays?: boolean;
}

export function StepChart({ label, points, beside, wholeDays = false }: StepChartProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 260);
  const [at, setAt] = useState<number | null>(null);
  const times = points.map((point) => new Date(point.at));
  const values = [...points.map(({ value }) => value), ...(beside?.values ?? [])];
  const y = scaleLinear()
    .domain([Math.min(0, ...values), Math.max(1, ...values)])
    .nice(4)
    .range([HEIGHT - MARGIN.bottom, MARGIN.top]);
  const ticks = y.ticks(4);
  const left = tickRoom(
    ticks.map((tick) => quantityText(tick)),
    MARGIN.left,
  );
  const x = scaleTime()
    .domain([times[0] ?? new Date(), times.at(-1) ?? new Date()])
    .range([left, width - MARGIN.right]);
  const xOf = (_: StepPoint, index: number) => x(times[index] as Date);
  const draw = line<StepPoint>(xOf, ({ value }) => y(value)).curve(curveStepAfter);
  const fill = area<StepPoint>(xOf, y(0), ({ value }) => y(value)).curve(curveStepAfter);
  const second = beside?.values.map((value, index) => ({ at: points[index]?.at ?? '', value }));
  const lowest = Math.max(
    0,
    points.findIndex(({ value }) => value === Math.min(...points.map((one) => one.value))),
  );
  const chosen = at === null ? undefined : points[at];
  const words = (index: number, { at: when, value }: StepPoint) => {
    const head = wholeDays ? dayText(when) : momentText(when);
    if (beside === undefined) return `${head}: ${quantityText(value)}`;
    const [one, other] = beside.names;
    return `${head}: ${quantityText(value)} ${one}, ${quantityText(beside.values[index] ?? 0)} ${other}`;
  };
  const inTime = x.ticks(Math.max(2, Math.floor(width / 140)));
  const [first = new Date(), last = first] = [times[0], times.at(-1)];
  const labels: DayLabel[] = wholeDays
    ? dayLabels({ first, last, lowest: times[lowest] ?? first, others: inTime.filter(isMidnight) }, x)
    : inTime.map((tick) => ({ text: tickText(tick), x: x(tick), anchor: 'middle' }));
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const across = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const when = x.invert(across);
    setAt(
      Math.max(
        0,
        times.findLastIndex((time) => time <= when),
      ),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt(Math.min(points.length - 1, Math.max(0, (at ?? points.length) + step)));
  };
  return (
    <div ref={box} className={styles.box}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-labelledby={`${id}-title`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read it point by point
        tabIndex={0}
        onPointerMove={point}
        onPointerLeave={() => setAt(null)}
        onKeyDown={onKeyDown}
      >
        <title id={`${id}-title`}>{label}</title>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} className={styles.grid} />
            <text x={left - 8} y={y(tick) + 4} className={styles.left}>
              {quantityText(tick)}
            </text>
          </g>
        ))}
        {labels.map((label) => (
          <text key={label.x} x={label.x} y={HEIGHT - 6} textAnchor={label.anchor} className={styles.below}>
            {label.text}
          </text>
        ))}
        <path d={fill([...points]) ?? ''} className={styles.area} />
        <path d={draw([...points]) ?? ''} className={styles.line} />
        {second !== undefined && <path d={draw(second) ?? ''} className={styles.second} />}
        {chosen !== undefined && at !== null && (
          <circle cx={x(times[at] as Date)} cy={y(chosen.value)} r="4" className={styles.dot} />
        )}
      </svg>
      {beside !== undefined && (
        <p className={styles.names}>
          <span>{beside.names[0]}</span>
          <span>{beside.names[1]}</span>
        </p>
      )}
      <p className={styles.words} role="status">
        {at !== null && chosen !== undefined
          ? words(at, chosen)
          : wholeDays && points.length > 0
            ? `Lowest: ${words(lowest, points[lowest] as StepPoint)}`
            : ' '}
      </p>
    </div>
  );
}
