/**
 * Makes elements that can be compared and written of raw text: parsed, checked, category resolved, values coerced, hashed. It needs the
 * configuration but no database, so what it refuses is refused the same way twice. Of all elements that share a GUID the data of one are
 * kept: a part that a payload names once for each of its occurrences, a hundred thousand times, is held once.
 */

import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { MICRO_DOUBLE_MAX, type MicroDouble } from '../../quantity.ts';
import { PropertyCoercion, type TypedProperties } from './coerce-properties.ts';
import { followAliases } from './follow-aliases.ts';
import { ChildLines, type JoinedElement } from './join-lines.ts';
import { NamedLinks } from './named-links.ts';
import { noteMisspelled } from './near-misses.ts';
import type { StagedElement } from './payload-codec.ts';
import {
  type ElementLimits,
  isFault,
  type RawLine,
  readElement,
  type SyncElement,
  sourceWarningsOf,
} from './read-element.ts';
import { dropOfOtherRoles, linkRefusal, quantityAbove, refusalOf, rejectedResult } from './refuse-element.ts';
import { keptOf, type SentElement, writtenHashOf } from './sent-element.ts';
import { errorResult, type SyncResult, type SyncWarning } from './sync-result.ts';

export interface PreparedElement {
  /** Without its properties as they were sent. */
  element: Omit<SyncElement, 'properties' | 'line' | 'warnings' | 'misspelled' | 'isEmptied'>;
  properties: TypedProperties;
  /**
   * The hash of everything that a sync would write: category, name, typed values and picture, 16 bytes as Latin-1. Where it
   * is equal, nothing is to be done.
   */
  hash: string;
  /** To be kept with its entity: the hash, and what tells that the element comes again (see sent-element.ts). */
  kept: string;
  warnings: readonly SyncWarning[];
}

/** A further element of an entity: only its parent link counts. */
export interface RepeatedElement {
  index: number;
  /** Its own where it is the first to ask for its link, which a circle is told by; the carrier's otherwise, for one text instead of many. */
  number: string;
  parentGuid: string | null;
  quantityMicros: MicroDouble;
  /**
   * Warning about the repetition: its data differ from the carrier's, or an earlier element has the same line. Null for a further link or
   * line with the same data, as every part has that several assemblies share.
   */
  duplicate: 'duplicate_guid' | 'duplicate_guid_conflict' | null;
  /** Warnings about its link, and those of the program that read it from a file. */
  warnings: readonly SyncWarning[];
}

/** All elements of one GUID that may be written: the first carries the data. */
export interface PreparedEntity {
  guid: string;
  carrier: PreparedElement;
  others: readonly RepeatedElement[];
  /**
   * The fields beside the quantity that elements state of the links to the parents, as JSON (`SaidLine`); null if they state
   * none.
   */
  lines: ReadonlyMap<string, string> | null;
}

export interface PreparedElements {
  /** Ordered by GUID, and in each by place in the payload. */
  entities: PreparedEntity[];
  /** Results of elements that may not be written. */
  refused: SyncResult[];
  /** Links that refused elements name; null where the batch is additive. */
  named: NamedLinks | null;
  /** The place of the first element that has a field with a nearly right name, by that name. */
  misspelled: ReadonlyMap<string, number>;
  readonly limits: ElementLimits;
}

/** An entity while its elements come: nearly all have one, of which nothing more is made than is kept. */
interface Gathered {
  guid: string;
  /** The first element that may be written; null while all are refused for their links. */
  carrier: PreparedElement | null;
  others: readonly RepeatedElement[];
  lines: ReadonlyMap<string, string> | null;
  /** Made with the second element, or the first that says more of its link than the quantity. */
  more: MoreGathered | null;
  first: Pick<SyncElement, 'parentGuid' | 'quantityMicros'>;
}

interface MoreGathered {
  others: RepeatedElement[];
  /** Quantities so far by parent; made with the second element. */
  sums: Map<string, MicroDouble> | null;
  /** Made with the first element that says more of its link than the quantity. */
  lines: ChildLines | null;
}

/** Why links are refused, by the places of their elements. */
export type RefusedLinks = ReadonlyMap<number, Parameters<typeof linkRefusal>[1]>;

/** Takes the elements of one chunk: those of one GUID in the order of the payload. */
export class ElementPreparer {
  readonly #configuration: WorkspaceConfiguration;
  readonly #limits: ElementLimits;
  readonly #cycles: RefusedLinks | null;
  readonly #coercion: PropertyCoercion;
  readonly #byGuid = new Map<string, Gathered>();
  readonly #refused: SyncResult[] = [];
  /** Warnings of the element at hand. */
  readonly #found: SyncWarning[] = [];
  readonly #named: NamedLinks | null;
  readonly #misspelled = new Map<string, number>();

  /**
   * `cycles`: elements whose link would close a cycle, so that their data are not taken either. `exact`: the batch says its
   * structure exactly.
   */
  constructor(
    configuration: WorkspaceConfiguration,
    limits: ElementLimits,
    cycles: RefusedLinks | null,
    exact = false,
  ) {
    this.#named = exact ? new NamedLinks(configuration.aliases) : null;
    this.#configuration = configuration;
    this.#limits = limits;
    this.#cycles = cycles;
    this.#coercion = new PropertyCoercion(configuration.properties, limits.warningsMax);
  }

  /** `sent`: what was read of it without parsing; null where that is not to be kept. */
  add(staged: StagedElement, sent: SentElement | null): void {
    const refused = this.#take(staged, sent);
    if (refused !== null) this.#refused.push(refused);
  }

  /** Whether elements of this entity have come that may be written. */
  has(guid: string): boolean {
    return this.#byGuid.has(guid);
  }

  /** Why the element may not be written; null where it may. */
  #take({ index, text, rejected }: StagedElement, sent: SentElement | null): SyncResult | null {
    if (rejected) {
      this.#named?.noteUnreadable(index);
      return rejectedResult(index, text);
    }
    const value: unknown = JSON.parse(text);
    const read = readElement(index, value, text, this.#limits);
    if (isFault(read)) {
      this.#named?.noteFaulty(index, read.guid, value);
      return withWarnings(errorResult(index, read.guid, 'invalid_entity', read.message), {
        warnings: sourceWarningsOf(value, this.#limits),
      });
    }
    if (read.misspelled !== null) noteMisspelled(this.#misspelled, index, read.misspelled);
    followAliases(read, this.#configuration.aliases);
    const refusal = refusalOf(read, this.#configuration);
    if (refusal !== null) {
      this.#named?.noteRefused(read.guid, read.parentGuid);
      return withWarnings(refusal, read);
    }
    dropOfOtherRoles(read, this.#configuration.categories.get(read.categoryKey)?.role);
    if (read.isEmptied) this.#named?.emptied.add(read.guid);
    const known = this.#byGuid.get(read.guid);
    const ofQuantity = known === undefined ? 'first' : addQuantity(known, read);
    if (ofQuantity === 'above') return withWarnings(quantityAbove(read), read);
    const gathered = known ?? this.#begin(read);
    const joined = read.line === null ? notJoined : joinLine(gathered, read, read.line);
    const warnings = read.warnings === null ? joined.warnings : [...joined.warnings, ...read.warnings];
    const refusedLink = this.#cycles?.get(index);
    if (refusedLink !== undefined) {
      const refused = withWarnings(linkRefusal(read, refusedLink), read);
      forgetValues(read);
      return refused;
    }
    const { carrier } = gathered;
    const element = this.#prepare(read, warnings, sent);
    if (carrier === null) gathered.carrier = element;
    else {
      // Mostly each line of a part repeats them.
      carrier.element.supplierParts ??= element.element.supplierParts;
      const { others } = moreOf(gathered);
      const { quantityMicros } = read;
      const number = ofQuantity === 'first' ? read.number : carrier.element.number;
      // Most name the parent of the one before: then the same text, not one that is equal.
      const last = others.at(-1)?.parentGuid ?? carrier.element.parentGuid;
      const parentGuid = read.parentGuid === last ? last : read.parentGuid;
      const repeated = ofQuantity === 'first' || joined.opensLine ? null : 'duplicate_guid';
      const duplicate = sameData(carrier, element) ? repeated : 'duplicate_guid_conflict';
      others.push({ index, number, parentGuid, quantityMicros, duplicate, warnings });
    }
    return null;
  }

  finish(): PreparedElements {
    const entities: PreparedEntity[] = [];
    for (const gathered of this.#byGuid.values()) {
      const { more } = gathered;
      if (more !== null) {
        gathered.others = more.others;
        gathered.lines = more.lines?.finish(more.sums) ?? null;
        gathered.more = null;
      }
      if (isCarried(gathered)) entities.push(gathered);
    }
    entities.sort(inOrder);
    return {
      entities,
      refused: this.#refused,
      named: this.#named,
      misspelled: this.#misspelled,
      limits: this.#limits,
    };
  }

  #begin(read: SyncElement): Gathered {
    const { guid } = read;
    const gathered = { guid, carrier: null, others: noOthers, lines: null, more: null, first: read };
    this.#byGuid.set(guid, gathered);
    return gathered;
  }

  #prepare(read: SyncElement, said: readonly SyncWarning[], sent: SentElement | null): PreparedElement {
    const found = this.#found;
    const properties = this.#coercion.coerce(read.properties, found);
    const warnings = found.length + said.length === 0 ? noWarnings : [...found, ...said];
    found.length = 0;
    const hash = writtenHashOf(read, properties);
    // An element that has warnings, or says more of its link than the quantity, or states supplier parts, which nobody compares by the hash
    // of the entity, is parsed each time that it is sent.
    const isQuiet =
      warnings.length === 0 && read.line === null && read.misspelled === null && read.supplierParts === null;
    const kept = keptOf(hash, isQuiet ? sent : null, read);
    forgetValues(read);
    return { element: read, properties, hash, kept, warnings };
  }
}

/** A refused element keeps the warnings that it was read with. */
function withWarnings(refusal: SyncResult, { warnings }: Pick<SyncElement, 'warnings'>): SyncResult {
  return warnings === null ? refusal : { ...refusal, warnings: [...warnings] };
}

/** The first element of an entity is held until the end, even if it is refused, so its values are dropped. */
function forgetValues(read: SyncElement): void {
  read.properties = noProperties;
  read.line = null;
  read.warnings = null;
}

const inOrder = (a: PreparedEntity, b: PreparedEntity) => (a.guid < b.guid ? -1 : 1);
const noProperties = Object.freeze({});
const noWarnings: readonly SyncWarning[] = [];
const notJoined: JoinedElement = { warnings: [], opensLine: false };
const noOthers: readonly RepeatedElement[] = [];

function isCarried(gathered: Gathered): gathered is Gathered & PreparedEntity {
  return gathered.carrier !== null;
}

function moreOf(gathered: Gathered): MoreGathered {
  gathered.more ??= { others: [], sums: null, lines: null };
  return gathered.more;
}

function joinLine(gathered: Gathered, read: SyncElement, line: RawLine): JoinedElement {
  const more = moreOf(gathered);
  more.lines ??= new ChildLines();
  return more.lines.join(read, line);
}

/** Adds the quantity to its link's sum, and says whether it is the first of it; nothing is added where that would be above what can be stored. */
function addQuantity(
  gathered: Gathered,
  { parentGuid, quantityMicros }: SyncElement,
): 'first' | 'further' | 'above' {
  if (parentGuid === null) return 'further';
  const { first } = gathered;
  const more = moreOf(gathered);
  more.sums ??= new Map(first.parentGuid === null ? [] : [[first.parentGuid, first.quantityMicros]]);
  const known = more.sums.get(parentGuid);
  const sum = (known ?? 0) + quantityMicros;
  if (sum > MICRO_DOUBLE_MAX) return 'above';
  more.sums.set(parentGuid, sum);
  return known === undefined ? 'first' : 'further';
}

/** Whether two elements with one GUID say the same of it; their parents may differ. */
function sameData(a: PreparedElement, b: PreparedElement): boolean {
  if (a.element.number !== b.element.number || a.hash !== b.hash) return false;
  const [parts, others] = [a.element.supplierParts, b.element.supplierParts];
  return parts === null || others === null || JSON.stringify(parts) === JSON.stringify(others);
}
