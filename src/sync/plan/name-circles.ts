/**
 * Names the cycle that a refused link would close, so that the sender can find it: number and GUID of each entity in it. The text is
 * bounded, because a batch of a million elements in cycles gets a message for each of them.
 */
import type { Tx } from '../../db/transaction.ts';
import type { Circle } from '../graph/acyclic-graph.ts';
import type { CirclesWanted } from '../graph/find-cycles.ts';
import { selectNames } from './compare-links.sql.ts';

/**
 * The number of circles in a batch that are named, in payload order. The others become visible when these are
 * mended.
 */
const CIRCLES_NAMED_MAX = 50;
/** The number of elements of one refused link that are told the circle. The others are told only the parent. */
export const ELEMENTS_TOLD_MAX = 10;
const NAMED_AT_EACH_END = 3;
const LABEL_CHARS_MAX = 40;

/** Names of those that are not stored, by GUID, as far as they are known: what their elements say. */
export type NamesSent = (guids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Gathers circles while links are refused, and names them all together. */
export class CircleNames {
  readonly #circles = new Map<number, Circle>();
  readonly #guidOf: (node: number) => string;

  constructor(guidOf: (node: number) => string) {
    this.#guidOf = guidOf;
  }

  get wanted(): CirclesWanted {
    return {
      links: CIRCLES_NAMED_MAX,
      named: NAMED_AT_EACH_END,
      take: (link, circle) => this.#circles.set(link, circle),
    };
  }

  /** Returns the circle of each link in words: `ASM-1 (GUID) → ASM-2 (GUID) → ASM-1`. */
  async inWords(tx: Tx, namesSent: NamesSent | null): Promise<Map<number, string>> {
    const guids = new Set<string>();
    for (const { first, last } of this.#circles.values())
      for (const node of [...first, ...last]) guids.add(this.#guidOf(node));
    const words = new Map<number, string>();
    if (guids.size === 0) return words;
    const names = new Map<string, string>();
    const stored = await tx.query<{ guid: string; label: string }>(selectNames, [tx.workspaceId, [...guids]]);
    for (const { guid, label } of stored) names.set(guid, label);
    const left = [...guids].filter((guid) => !names.has(guid));
    if (namesSent !== null && left.length > 0)
      for (const [guid, name] of await namesSent(left)) names.set(guid, name);
    const short = (guid: string) => shorten(names.get(guid) ?? guid);
    const named = (node: number) => {
      const guid = this.#guidOf(node);
      return names.has(guid) ? `${short(guid)} (${guid})` : guid;
    };
    for (const [link, { first, omitted, last }] of this.#circles) {
      const more = omitted === 0 ? [] : [`(${omitted} more)`];
      const closing = short(this.#guidOf(first[0] as number));
      words.set(link, [...first.map(named), ...more, ...last.map(named), closing].join(' → '));
    }
    return words;
  }
}

function shorten(label: string): string {
  const characters = [...label];
  return characters.length > LABEL_CHARS_MAX ? `${characters.slice(0, LABEL_CHARS_MAX).join('')}…` : label;
}
