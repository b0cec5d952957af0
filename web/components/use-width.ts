/** The width of a box, from before it is painted for the first time, as it changes. */
import { type RefObject, useLayoutEffect, useState } from 'react';

const FIRST = 640;

export function useWidth(box: RefObject<HTMLElement | null>, least: number): number {
  const [width, setWidth] = useState(FIRST);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setWidth(Math.max(least, element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, least]);
  return width;
}
