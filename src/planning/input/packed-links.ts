/** Links of one parent together: reading a million of them as rows of their own takes five times as long as the planning itself. */
import { writeUuid } from '../../db/wire/array-parameter.ts';
import { type BinaryRows, idAt, microAt, numericBytes } from '../../db/wire/binary-rows.ts';
import type { LinkLine } from '../../entities/links/link-line.ts';
import { microDoubleOfDecimal } from '../../quantity.ts';
import { viewOf } from './packed-ids.ts';
import type { LinkRow } from './planning-input.sql.ts';

/** The links of one parent. Those that were read together share their bytes and quantities. */
export interface PackedLinks {
  readonly parent_id: string;
  readonly count: number;
  /** Ids of the children one after the other, from `idsFrom` on. */
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly idsFrom: number;
  /** Millionths, from `first` on. */
  readonly quantities: Float64Array;
  readonly first: number;
  /** The fields of links that have some that planning needs, by the ids of their children; null: no link has. */
  readonly lines: Readonly<Record<string, LinkLine>> | null;
}

export const ID_BYTES = 16;

/** Packs links that stand in the order of their parents. */
export function packLinks(rows: readonly LinkRow[]): PackedLinks[] {
  const bytes = Buffer.alloc(rows.length * ID_BYTES);
  for (const [at, { child_id: id }] of rows.entries()) writeUuid(id, bytes, at * ID_BYTES);
  const quantities = Float64Array.from(rows, ({ quantity }) => microDoubleOfDecimal(quantity));
  const view = viewOf(bytes);
  let first = 0;
  return [...Map.groupBy(rows, ({ parent_id: parent }) => parent)].map(([parent, own]) => {
    const lines = own.flatMap(({ child_id: id, line }) => (line === null ? [] : [[id, line] as const]));
    const links = {
      parent_id: parent,
      count: own.length,
      bytes,
      view,
      idsFrom: first * ID_BYTES,
      quantities,
      first,
      lines: lines.length === 0 ? null : Object.fromEntries(lines),
    };
    first += own.length;
    return links;
  });
}

/** Reads rows of `selectLinks`, which have at most so many links. */
export function readPackedLinks(rows: BinaryRows, linksMax: number): PackedLinks[] {
  const links: PackedLinks[] = [];
  const { bytes, view } = rows;
  const quantities = new Float64Array(linksMax);
  let first = 0;
  while (rows.next()) {
    const count = rows.lengthOf(1) / ID_BYTES;
    let at = rows.from(2);
    for (let link = first; link < first + count; link++) {
      quantities[link] = microAt(view, at);
      at += numericBytes(view, at);
    }
    const lines = rows.isNull(3) ? null : (JSON.parse(rows.text(3)) as PackedLinks['lines']);
    links.push({
      parent_id: rows.id(0),
      count,
      bytes,
      view,
      idsFrom: rows.from(1),
      quantities,
      first,
      lines,
    });
    first += count;
  }
  return links;
}

/** Returns the greatest id among the children, by which the next window begins. */
export function lastChildOf({ bytes, idsFrom, count }: PackedLinks): string {
  let last = idsFrom;
  for (let at = idsFrom; at < idsFrom + count * ID_BYTES; at += ID_BYTES)
    if (bytes.compare(bytes, last, last + ID_BYTES, at, at + ID_BYTES) > 0) last = at;
  return idAt(bytes, last);
}
