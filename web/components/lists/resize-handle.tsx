/** The edge of a column's head, which is dragged to resize it. The menu *Columns* has the same for the keyboard. */
import { type PointerEvent, useRef } from 'react';
import styles from './data-grid.module.css';

export function ResizeHandle({ onWidth }: { onWidth: (width: number | null) => void }) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const move = (event: PointerEvent) => {
    if (start.current !== null) onWidth(start.current.width + event.clientX - start.current.x);
  };
  return (
    <span
      aria-hidden="true"
      className={styles.handle}
      title="Drag to resize; double-click to reset"
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const { width } = (event.currentTarget.parentElement as HTMLElement).getBoundingClientRect();
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={move}
      onPointerUp={() => {
        start.current = null;
      }}
      onPointerCancel={() => {
        start.current = null;
      }}
      onDoubleClick={() => onWidth(null)}
    />
  );
}
