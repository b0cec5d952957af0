/** Names that somebody may have mistyped: few characters lie between. */

/** One slip in so many characters, and in a long name not more than whoever mistypes makes: what is further off is another one. */
const CHARS_A_SLIP = 3;
const SLIPS_MAX = 12;
const NEAR_MAX = 5;
/** A person waits for the answer: so many are compared at once, and among more the first ones are a help still. */
const NAMES_COMPARED_MAX = 5000;

/** By the whole name or one of its words, the nearest first, each as it is written; `plain` is what is compared. */
export function nearNames(
  wanted: string,
  names: readonly string[],
  plain: (name: string) => string,
): string[] {
  const slipsMax = Math.min(SLIPS_MAX, Math.max(1, Math.floor(wanted.length / CHARS_A_SLIP)));
  return names
    .slice(0, NAMES_COMPARED_MAX)
    .map((name) => {
      const compared = plain(name);
      let slips = slipsMax + 1;
      for (const one of new Set([compared, ...compared.split(' ')]))
        slips = Math.min(slips, slipsBetween(wanted, one, slipsMax));
      return { name, slips };
    })
    .filter(({ slips }) => slips <= slipsMax)
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, NEAR_MAX)
    .map(({ name }) => name);
}

/**
 * Characters that are left out, put in or taken for another; not counted beyond `most`. Of the table of both texts only the cells so
 * near its diagonal are worked out: every other one lies beyond `most`, and where a whole row does, so does the end.
 */
function slipsBetween(a: string, b: string, most: number): number {
  const beyond = most + 1;
  if (Math.abs(a.length - b.length) > most) return beyond;
  // Cells of a row from `most` before the diagonal to `most` behind it; one more, so that the last has a neighbour.
  const width = 2 * most + 1;
  let before = Array.from({ length: width + 1 }, (_, at) => (at < most || at === width ? beyond : at - most));
  for (let row = 1; row <= a.length; row++) {
    const slips: number[] = [];
    let [left, least] = [beyond, beyond];
    for (let at = 0; at < width; at++) {
      const column = row + at - most;
      if (column < 0 || column > b.length) left = beyond;
      else if (column === 0) left = Math.min(row, beyond);
      else {
        const taken = (before[at] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
        left = Math.min(taken, (before[at + 1] as number) + 1, left + 1, beyond);
      }
      slips.push(left);
      least = Math.min(least, left);
    }
    if (least === beyond) return beyond;
    slips.push(beyond);
    before = slips;
  }
  return before[b.length - a.length + most] as number;
}
