/**
 * Recognises an element that was sent before, word for word, without parsing it: by its GUID and a hash of its text
 * and of everything else that decides its meaning. A sync stores the hash with the entity that it writes
 * (`PreparedElement.kept`). The two GUIDs are read where they usually stand, which may be wrong because a value may
 * contain the same words. So a parsed element keeps its hash only if they were read correctly. The reading depends
 * only on the hashed text, so for a text with a stored hash they are correct again.
 */
import { createHash, hash } from 'node:crypto';
import { procurementBehaviours } from '../../configuration/categories/behaviour.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { normaliseGuid } from '../../db/ids.ts';
import { decimalOf, type MicroDouble } from '../../quantity.ts';
import type { TypedProperties } from './coerce-properties.ts';
import type { ElementLimits, SyncElement } from './read-element.ts';

/** To be raised with every change of what is made of an element: of its reading, its coercion, its hash, and of the rules below. */
const RULES = 9;
/**
 * The lengths of the hash of what is written and of the hash of an element, the last bytes of which say by which
 * basis; as Latin-1.
 */
export const WRITTEN_BYTES = 16;
const [SENT_BYTES, BASIS_BYTES] = [16, 2];
const [GUID_NAME, PARENT_NAME] = ['"guid"', '"parentGuid"'];
const [COLON, QUOTE, SMALL_N] = [0x3a, 0x22, 0x6e];
const GUID_CHARS_MAX = 38;
const ONE: MicroDouble = 1_000_000;

export interface SentElement {
  guid: string;
  parentGuid: string | null;
  hash: string;
}

/** The parts of a configuration that decide what an element says. */
type Decisive = Pick<WorkspaceConfiguration, 'categories' | 'properties' | 'aliases'>;

export class SentReader {
  readonly #basis: string;
  readonly #aliases: Decisive['aliases'];
  /** Most name the parent of the one before. */
  #parent = { given: '', guid: null as string | null };

  constructor(configuration: Decisive, limits: ElementLimits) {
    this.#basis = basisOf(configuration, limits);
    this.#aliases = configuration.aliases;
  }

  /** Returns null where no GUID stands at the expected place, or one that is an alias: such an element is always parsed. */
  read(text: string): SentElement | null {
    const guid = normaliseGuid(valueAt(text, GUID_NAME) ?? '');
    if (guid === null) return null;
    const given = valueAt(text, PARENT_NAME);
    if (given === undefined) return null;
    if (given !== null && given !== this.#parent.given) this.#parent = { given, guid: normaliseGuid(given) };
    const parentGuid = given === null ? null : this.#parent.guid;
    if (given !== null && parentGuid === null) return null;
    if (this.#aliases.size > 0 && (this.#aliases.has(guid) || this.#aliases.has(parentGuid ?? '')))
      return null;
    return {
      guid,
      parentGuid,
      hash: this.#hashOf(text),
    };
  }

  #hashOf(text: string): string {
    const digest = hash('sha256', this.#basis + text, 'binary');
    return digest.slice(0, SENT_BYTES - BASIS_BYTES) + this.#basis.slice(0, BASIS_BYTES);
  }
}

/**
 * Returns the text after the first occurrence of this name: null for nothing or no text, undefined for a value that
 * cannot be a GUID.
 */
function valueAt(text: string, name: string): string | null | undefined {
  const found = text.indexOf(name);
  if (found === -1) return null;
  let at = afterSpace(text, found + name.length);
  if (text.charCodeAt(at) !== COLON) return undefined;
  at = afterSpace(text, at + 1);
  if (text.charCodeAt(at) === SMALL_N) return null;
  if (text.charCodeAt(at) !== QUOTE) return undefined;
  const end = text.indexOf('"', at + 1);
  return end === -1 || end - at - 1 > GUID_CHARS_MAX ? undefined : text.slice(at + 1, end);
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/**
 * Returns what is stored with the entity, in the form that selectUnchanged reads: the hash of what was written and,
 * where the GUIDs were read correctly without parsing, the hash of the element and the quantity of its link where
 * it is not 1.
 */
export function keptOf(
  written: string,
  sent: SentElement | null,
  { guid, parentGuid, quantityMicros }: Pick<SyncElement, 'guid' | 'parentGuid' | 'quantityMicros'>,
): string {
  if (sent?.guid !== guid || sent.parentGuid !== parentGuid) return written;
  const isOne = parentGuid === null || quantityMicros === ONE;
  return isOne ? written + sent.hash : written + sent.hash + decimalOf(quantityMicros);
}

/** Returns the hash of what a sync would write. Hashes the text: a Buffer for each element would cost more than the digest. */
export function writtenHashOf(
  element: Pick<SyncElement, 'categoryKey' | 'name' | 'picture' | 'parentLocation'>,
  { json, removed }: TypedProperties,
): string {
  const values = removed.length === 0 ? json : `${json}\u0000${JSON.stringify(removed)}`;
  // Of an element that says nothing of a picture it is what it always was.
  const picture = element.picture === undefined ? '' : `\u0000${element.picture ?? ''}`;
  // Likewise of one that says nothing of its place. The two zeros tell it from a picture.
  const place = element.parentLocation === undefined ? '' : `\u0000\u0000${element.parentLocation ?? ''}`;
  const text = `${element.categoryKey}\u0000${element.name}\u0000${values}${picture}${place}`;
  return hash('sha256', text, 'binary').slice(0, WRITTEN_BYTES);
}

const bases = new WeakMap<Decisive, { limits: ElementLimits; basis: string }>();

/**
 * Returns the hash of everything beside the text that decides what an element says, computed once for each
 * configuration.
 */
function basisOf(configuration: Decisive, limits: ElementLimits): string {
  const known = bases.get(configuration);
  if (known?.limits === limits) return known.basis;
  const { categories, properties } = configuration;
  const sum = createHash('sha256');
  sum.update(JSON.stringify([RULES, limits]));
  for (const [key, { behaviour, role }] of byKey(categories))
    sum.update(JSON.stringify(['category', key, procurementBehaviours.has(behaviour), role]));
  for (const [key, { type, choices, pattern, unit }] of byKey(properties))
    sum.update(JSON.stringify(['property', key, type, choices, pattern, unit]));
  const basis = sum.digest().toString('latin1');
  bases.set(configuration, { limits, basis });
  return basis;
}

function byKey<Of>(map: ReadonlyMap<string, Of>): [string, Of][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
