/**
 * Elements that come again, read as their entities lie. What a sync has made of a chunk has ids that were made one after the other, and
 * the same body sent again is cut into the same chunks: once some of a chunk are found, most others lie between ids of the same moment. One range of
 * entities and the links of these parents are read in place of a look for each, and compared here.
 */

import { firstIdAt } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { textArray, uuidArray } from '../../db/wire/array-parameter.ts';
import { microDoubleOfDecimal } from '../../quantity.ts';
import type { SentElement } from '../elements/sent-element.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import { selectSentNear } from './find-unchanged.sql.ts';

/** An entity that is as its element left it. */
export interface UnchangedEntity {
  id: string;
  number: string | null;
  /** The quantity of the link to the parent, where it differs or the link is missing; '' otherwise. */
  quantity: string;
  /** Category and state as JSON, where some entities are released in that state; '' otherwise. */
  held: string;
  revisionNumber: number;
  versionId: string;
}

export interface IdRange {
  from: string;
  to: string;
}

/** How far from each other what is taken for made together may have been made. */
const NEAR_MS = 30_000;
/** Entities within this many milliseconds may have been created together with those that are known. */
const BESIDE_MS = 20;

/** Returns the range of ids that holds the chunk's entities; null where they were not created together. */
export function rangeAround(some: readonly Pick<SyncResult, 'entityId'>[]): IdRange | null {
  const times: number[] = [];
  for (let i = 0; i < some.length; i++) {
    const { entityId } = some[i] as SyncResult;
    if (typeof entityId === 'string') times.push(msOf(entityId));
  }
  times.sort((a, b) => a - b);
  const middle = times[times.length >> 1];
  if (middle === undefined) return null;
  let [first, last, together] = [middle, middle, 0];
  for (let i = 0; i < times.length; i++) {
    const time = times[i] as number;
    if (Math.abs(time - middle) > NEAR_MS) continue;
    together++;
    if (time < first) first = time;
    if (time > last) last = time;
  }
  if (2 * together < times.length) return null;
  return { from: firstIdAt(first - BESIDE_MS), to: firstIdAt(last + BESIDE_MS) };
}

/** When an id was made: the first twelve digits of a UUIDv7. */
const msOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

export interface NearQuestion {
  range: IdRange;
  asked: readonly SentElement[];
  /** GUIDs, each once. */
  parents: readonly string[];
  /** The place of each element's parent, from 1; 0 for none. */
  placeOf: readonly number[];
  /** States in which some entities are released. */
  heldStates: readonly string[];
}

/**
 * For each element its entity where it is unchanged, null where it is not, and undefined where the range says
 * nothing of it.
 */
export type NearAnswer = (UnchangedEntity | null | undefined)[];

/** Entities that lie in a range beside those that are asked for, in parts of these. */
const FURTHER = 1;
/** Lengths of an id or GUID as text, and of a hash in digits. */
const [GUID_CHARS, HASH_CHARS] = [36, 32];
const HEAD_CHARS = 2 * GUID_CHARS + HASH_CHARS;
const [RECORD_END, GROUP_END] = ['\x1e', '\x1d'];
export const FIELD_END = '\x1f';
const ONE = '1.000000';

export async function readNear(tx: Tx, question: NearQuestion): Promise<NearAnswer> {
  const { range, asked, parents, heldStates } = question;
  const rowsMax = (1 + FURTHER) * asked.length;
  const [row] = await tx.query<{ entities: string | null; links: string | null }>(selectSentNear, [
    tx.workspaceId,
    range.from,
    range.to,
    uuidArray(parents),
    rowsMax,
    textArray(heldStates),
  ]);
  const answer = readEntities(row?.entities ?? '', asked);
  readLinks(row?.links ?? '', answer, question, rowsMax);
  return answer;
}

/** Says of each that it has the quantity that its element asks for, as if no link were there. */
function readEntities(lines: string, asked: readonly SentElement[]): NearAnswer {
  const places = new Map<string, number>();
  const answer: NearAnswer = [];
  for (let i = 0; i < asked.length; i++) {
    const { guid } = asked[i] as SentElement;
    // Of two of one GUID the second is left to the look for each, which tells that there are two.
    if (!places.has(guid)) places.set(guid, i);
    answer.push(undefined);
  }
  for (let at = 0; at < lines.length; ) {
    const end = endOfRecord(lines, at);
    const place = places.get(lines.slice(at + GUID_CHARS, at + 2 * GUID_CHARS));
    if (place !== undefined) {
      const isSame = isHash(lines, at + 2 * GUID_CHARS, (asked[place] as SentElement).hash);
      answer[place] = isSame ? entityIn(lines, at, end) : null;
    }
    at = end + 1;
  }
  return answer;
}

function entityIn(lines: string, at: number, end: number): UnchangedEntity {
  const id = lines.slice(at, at + GUID_CHARS);
  const behind = lines.indexOf(FIELD_END, at + HEAD_CHARS);
  const number = lines.slice(behind + 1, end);
  if (behind === at + HEAD_CHARS)
    return { id, number, quantity: ONE, held: '', revisionNumber: 1, versionId: id };
  const [quantity, held, revision, versionId] = lines.slice(at + HEAD_CHARS, behind).split(GROUP_END);
  return {
    id,
    number,
    quantity: quantity === '' ? ONE : (quantity as string),
    held: held as string,
    revisionNumber: revision === undefined ? 1 : Number(revision),
    versionId: versionId ?? id,
  };
}

/** Takes the quantity from each whose link has it, and from those without a parent. Where not all links were read it is not said of the others. */
function readLinks(lines: string, answer: NearAnswer, { placeOf }: NearQuestion, rowsMax: number): void {
  const places = new Map<string, number>();
  for (let i = 0; i < answer.length; i++) {
    const entity = answer[i];
    if (entity === null || entity === undefined) continue;
    if (placeOf[i] === 0) entity.quantity = '';
    else places.set(entity.id, i);
  }
  let rows = 0;
  const isSeen = new Uint8Array(answer.length);
  for (let at = 0; at < lines.length; rows++) {
    const end = endOfRecord(lines, at);
    const childAt = lines.indexOf(':', at) + 1;
    const place = places.get(lines.slice(childAt, childAt + GUID_CHARS));
    if (place !== undefined && placeOf[place] === Number(lines.slice(at, childAt - 1)) + 1) {
      const entity = answer[place] as UnchangedEntity;
      isSeen[place] = 1;
      if (isQuantity(lines, childAt + GUID_CHARS, end, entity.quantity)) entity.quantity = '';
    }
    at = end + 1;
  }
  if (rows < rowsMax) return;
  for (const place of places.values()) if (isSeen[place] === 0) answer[place] = undefined;
}

/** Whether what is said there of a link, which is nothing for 1, is this quantity. */
function isQuantity(lines: string, at: number, end: number, quantity: string): boolean {
  if (at === end && quantity === ONE) return true;
  const stored = at === end ? ONE : lines.slice(at, end);
  return microDoubleOfDecimal(stored) === microDoubleOfDecimal(quantity);
}

/** Returns where the record ends that begins there. */
export function endOfRecord(lines: string, at: number): number {
  const found = lines.indexOf(RECORD_END, at);
  return found === -1 ? lines.length : found;
}

/** Whether the digits that stand there are those of these bytes, as Latin-1. */
function isHash(lines: string, at: number, bytes: string): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    if (digitOf(lines.charCodeAt(at + 2 * i)) !== byte >> 4) return false;
    if (digitOf(lines.charCodeAt(at + 2 * i + 1)) !== (byte & 15)) return false;
  }
  return true;
}

/** Decodes a digit from 0 to 9 or a to f. */
const digitOf = (code: number): number => (code & 15) + 9 * (code >> 6);
