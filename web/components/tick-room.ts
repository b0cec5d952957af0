/** Pixels of a figure at 12 px, and those between it and the picture. */
const [FIGURE, BETWEEN] = [7, 8];

/** How much room a chart leaves on its left for what its axis says; `least` where that is short. */
export const tickRoom = (labels: readonly string[], least: number): number =>
  Math.max(least, BETWEEN + FIGURE * Math.max(0, ...labels.map(({ length }) => length)));
