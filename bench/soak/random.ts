/** Repeatable randomness: the same seed plans the same rounds. */

export interface Random {
  /** From 0 up to 1, without 1. */
  share(): number;
  /** From 0 up to `below`, without it. */
  integer(below: number): number;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(all: readonly T[]): T[];
  uuid(): string;
}

export function openRandom(seed: number): Random {
  const share = mulberry32(seed);
  const integer = (below: number) => Math.floor(share() * below);
  const shuffle = <T>(all: readonly T[]): T[] =>
    all
      .map((one) => ({ one, place: share() }))
      .sort((a, b) => a.place - b.place)
      .map(({ one }) => one);
  return {
    share,
    integer,
    pick: (from) => from[integer(from.length)] as (typeof from)[number],
    shuffle,
    uuid: () => {
      const bytes = Buffer.from(Array.from({ length: 16 }, () => integer(256)));
      bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
