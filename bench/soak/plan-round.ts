/** What one round does: its payload, what it releases for the next one, and what is to be struck when. */
import type { Book, Element, Kept, Payload } from './book.ts';
import type { Sending } from './client.ts';
import type { Random } from './random.ts';

export const faults = ['web', 'worker', 'backend', 'postmaster', 'redis'] as const;
/** SIGKILL of a process (`backend`: of one of PostgreSQL's, which makes it recover), or FLUSHALL of Redis. */
export type Fault = (typeof faults)[number];

export interface PlannedStrike {
  fault: Fault;
  /** After the strike before, or after the first submission has begun. */
  gapMs: number;
  /** From 0 up to 1: which of the backends. */
  share: number;
}

export interface Round {
  payload: Payload;
  /** GUIDs of entities of earlier rounds that are released meanwhile; the next round changes them. */
  releases: readonly string[];
  first: Sending;
  /** The same payload once more. */
  again: Sending;
  strikes: readonly PlannedStrike[];
}

export interface Sizes {
  parts: number;
  subassemblies: number;
  /** Entities of earlier rounds that a round changes, released and not. */
  released: number;
  open: number;
  /** … that it sends as they are. */
  unchanged: number;
}

/** Spans that the gaps of a round are drawn from: close together, and as far apart as a round is long. */
const GAP_SPANS_MS = [300, 700, 1500, 2500];
const STRIKES_OF_ONE_KIND = 3;
const kinds = ['web', 'worker', 'postgres', 'redis'] as const;
const POSTMASTER_SHARE = 0.3;
const SLOW_SHARE = 0.3;
const HANG_UP_SHARE = 0.3;
/** What a submission takes when nothing disturbs it, about. */
const ANSWER_MS = 150;
const SLOW_ANSWER_MS = 1400;

export function planRound(random: Random, book: Book, round: number, sizes: Sizes): Round {
  const known = random.shuffle([...book.kept.values()]);
  const released = known.filter((entity) => entity.released);
  const parts = known.filter(({ element }) => element.categoryKey === 'part');
  const open = parts.filter((entity) => !entity.released);
  const payload = planPayload(random, round, sizes, {
    released: released.filter(({ element }) => element.categoryKey === 'part'),
    tops: released.filter(({ element }) => element.categoryKey === 'assembly'),
    open: open.slice(0, sizes.open),
    unchanged: open.slice(sizes.open, sizes.open + sizes.unchanged),
  });
  const sent = new Set([...payload.elements.map(({ guid }) => guid), ...payload.grown]);
  const free = open.filter(({ element }) => !sent.has(element.guid)).slice(0, sizes.released);
  const lastTop = known.find((entity) => entity.round === round - 1 && isTop(entity));
  return {
    payload,
    releases: [...free, ...(lastTop === undefined ? [] : [lastTop])].map(({ element }) => element.guid),
    first: planSending(random),
    again: planSending(random),
    strikes: planStrikes(random, round),
  };
}

interface Earlier {
  released: readonly Kept[];
  tops: readonly Kept[];
  open: readonly Kept[];
  unchanged: readonly Kept[];
}

function planPayload(random: Random, round: number, sizes: Sizes, earlier: Earlier): Payload {
  const make = (number: string, categoryKey: Element['categoryKey'], parentGuid: string | null): Element => {
    const quantity = parentGuid === null ? 1 : 1 + random.integer(3);
    return { guid: random.uuid(), number, name: `${number} as made`, categoryKey, parentGuid, quantity };
  };
  const top = make(`T-${round}`, 'assembly', null);
  const subs = Array.from({ length: sizes.subassemblies }, (_, i) =>
    make(`S-${round}-${i}`, 'assembly', top.guid),
  );
  const parts = Array.from({ length: sizes.parts }, (_, i) =>
    make(`P-${round}-${i}`, 'part', random.pick(subs).guid),
  );
  const grown = earlier.tops.map(({ element }) => element);
  const growth = grown.map((parent, i) => make(`G-${round}-${i}`, 'part', parent.guid));
  // A parent that grows is sent with another name, as it is, or not at all.
  const ways = grown.map((parent) => ({ parent, way: random.pick(['renamed', 'same', 'absent']) }));
  const renamed = [
    ...[...earlier.released, ...earlier.open].map(({ element }) => element),
    ...ways.filter(({ way }) => way === 'renamed').map(({ parent }) => parent),
  ].map((element) => ({ ...element, name: `${element.number} of round ${round}` }));
  const same = [
    ...earlier.unchanged.map(({ element }) => element),
    ...ways.filter(({ way }) => way === 'same').map(({ parent }) => parent),
  ];
  return {
    round,
    elements: random.shuffle([top, ...subs, ...parts, ...growth, ...renamed, ...same]),
    changed: new Set(renamed.map(({ guid }) => guid)),
    grown: new Set(grown.map(({ guid }) => guid)),
  };
}

/** Hanging up about when the answer is due is what loses acknowledgements. */
function planSending(random: Random): Sending {
  const slow = random.share() < SLOW_SHARE;
  const hangsUp = random.share() < HANG_UP_SHARE;
  const answerDueMs = slow ? SLOW_ANSWER_MS : ANSWER_MS;
  const hangUpMs = hangsUp ? Math.round(2 * random.share() * answerDueMs) : null;
  return { idempotencyKey: random.uuid(), slow, hangUpMs };
}

/**
 * One round strikes at everything once, the next one at one kind again and again: what a worker's start would
 * mend at once has to be mended without it, too.
 */
function planStrikes(random: Random, round: number): PlannedStrike[] {
  const kind = kinds[Math.floor(round / 2) % kinds.length] as (typeof kinds)[number];
  const struck = round % 2 === 1 ? random.shuffle(kinds) : Array(STRIKES_OF_ONE_KIND).fill(kind);
  const spanMs = random.pick(GAP_SPANS_MS);
  return (struck as (typeof kinds)[number][]).map((one) => ({
    fault: one === 'postgres' ? (random.share() < POSTMASTER_SHARE ? 'postmaster' : 'backend') : one,
    gapMs: Math.round(random.share() * spanMs),
    share: random.share(),
  }));
}

function isTop({ element }: Kept): boolean {
  return element.categoryKey === 'assembly' && element.parentGuid === null;
}
