/** Imported items per hour as columns, with rejected ones on top in red. The arrow keys move from hour to hour. */
import { scaleLinear } from 'd3-scale';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Overview } from '../../client/operations.ts';
import { tickRoom } from '../tick-room.ts';
import { useWidth } from '../use-width.ts';
import { countText, quantityText } from '../words.tsx';
import styles from './hour-chart.module.css';

type Hour = Overview['hours'][number];

const HEIGHT = 132;
const MARGIN = { top: 10, right: 4, bottom: 22, left: 52 };
const hourForm = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayForm = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });

export function HourChart({ hours }: { hours: readonly Hour[] }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 240);
  const [at, setAt] = useState<number | null>(null);
  const y = scaleLinear()
    .domain([0, Math.max(1, ...hours.map(({ elements }) => elements))])
    .nice(3)
    .range([HEIGHT - MARGIN.bottom, MARGIN.top]);
  const ticks = y.ticks(3);
  const left = tickRoom(
    ticks.map((tick) => quantityText(tick)),
    MARGIN.left,
  );
  const step = (width - left - MARGIN.right) / hours.length;
  const gap = step > 6 ? 2 : 0.5;
  const marks = Math.max(1, Math.ceil(hours.length / Math.max(2, Math.floor(width / 110))));
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    setAt((before) => Math.min(hours.length - 1, Math.max(0, (before ?? hours.length - 1 - by) + by)));
  };
  const pointed = at === null ? undefined : hours[at];
  return (
    <div ref={box} className={styles.chart}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: read hour by hour with the arrow keys */}
      <section tabIndex={0} aria-label="Imported items per hour" onKeyDown={move} onBlur={() => setAt(null)}>
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label="Column chart of imported items per hour"
          onPointerLeave={() => setAt(null)}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} className={styles.rule} />
              <text x={left - 8} y={y(tick)} dy="0.35em" textAnchor="end" className={styles.tick}>
                {quantityText(tick)}
              </text>
            </g>
          ))}
          {hours.map((hour, index) => {
            const x = left + index * step;
            const fine = hour.elements - Math.min(hour.errors, hour.elements);
            return (
              <g key={hour.at} onPointerEnter={() => setAt(index)}>
                <rect
                  x={x}
                  y={MARGIN.top}
                  width={step}
                  height={HEIGHT - MARGIN.top - MARGIN.bottom}
                  className={index === at ? styles.pointed : styles.reach}
                />
                <rect
                  x={x + gap / 2}
                  width={Math.max(0.5, step - gap)}
                  y={y(fine)}
                  height={y(0) - y(fine)}
                  className={styles.column}
                />
                {hour.errors > 0 && (
                  <rect
                    x={x + gap / 2}
                    width={Math.max(0.5, step - gap)}
                    // A few rejected items among many stay visible.
                    y={Math.min(y(hour.elements), y(fine) - 3)}
                    height={Math.max(3, y(fine) - y(hour.elements))}
                    className={styles.refused}
                  />
                )}
                {index % marks === 0 && (
                  <text x={x} y={HEIGHT - 6} className={styles.tick}>
                    {hours.length > 48
                      ? dayForm.format(new Date(hour.at))
                      : hourForm.format(new Date(hour.at))}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      </section>
      <p className={styles.reading} role="status">
        {pointed === undefined
          ? totalText(hours)
          : `${hourForm.format(new Date(pointed.at))}: ${hourText(pointed)}`}
      </p>
    </div>
  );
}

function totalText(hours: readonly Hour[]): string {
  const sum = (key: 'batches' | 'elements' | 'created' | 'updated' | 'errors') =>
    hours.reduce((all, hour) => all + hour[key], 0);
  const all = { batches: sum('batches'), elements: sum('elements'), created: sum('created') };
  return `Total: ${hourText({ ...all, updated: sum('updated'), errors: sum('errors') })}`;
}

function hourText({ batches, elements, created, updated, errors }: Omit<Hour, 'at'>): string {
  return [
    `${countText(elements, 'item')} in ${countText(batches, 'import')}`,
    `${quantityText(created)} created`,
    `${quantityText(updated)} updated`,
    ...(errors > 0 ? [`${quantityText(errors)} rejected`] : []),
  ].join(', ');
}
