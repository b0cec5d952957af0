/** The width of what a picture is drawn into, as it changes. */
import { type RefObject, useLayoutEffect, useState } from 'react';

const FIRST = 640;

export function useWidth(box: RefObject<HTMLElement | null>, least: number): number {
  const [width, setWidth] = useState(FIRST);
  useLayoutEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(least, entry?.contentRect.width ?? FIRST)),
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, least]);
  return width;
}
