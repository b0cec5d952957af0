/** Names that somebody may have mistyped: few characters lie between. */

/** One slip in so many characters. */
const CHARS_A_SLIP = 3;
const NEAR_MAX = 5;

/** By the whole name or one of its words, the nearest first, each as it is written; `plain` is what is compared. */
export function nearNames(
  wanted: string,
  names: readonly string[],
  plain: (name: string) => string,
): string[] {
  const slipsMax = Math.max(1, Math.floor(wanted.length / CHARS_A_SLIP));
  return names
    .map((name) => {
      const compared = plain(name);
      const slips = [compared, ...compared.split(' ')].map((one) => slipsBetween(wanted, one, slipsMax));
      return { name, slips: Math.min(...slips) };
    })
    .filter(({ slips }) => slips <= slipsMax)
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, NEAR_MAX)
    .map(({ name }) => name);
}

/** Characters that are left out, put in or taken for another; not counted beyond `most`. */
function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const slips = [row];
    for (let at = 1; at <= b.length; at++) {
      const taken = (before[at - 1] as number) + (a[row - 1] === b[at - 1] ? 0 : 1);
      slips.push(Math.min(taken, (before[at] as number) + 1, (slips[at - 1] as number) + 1));
    }
    before = slips;
  }
  return before[b.length] as number;
}
