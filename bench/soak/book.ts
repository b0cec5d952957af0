/**
 * What an undisturbed run would have stored: the book that the soak keeps beside the service, in which every
 * acknowledged batch and transition is entered once.
 */

/** An element of a payload. */
export interface Element {
  guid: string;
  number: string;
  name: string;
  categoryKey: 'assembly' | 'part';
  parentGuid: string | null;
  quantity: number;
}

/** An entity as it should be stored. */
export interface Kept {
  element: Element;
  round: number;
  released: boolean;
  revisionNumber: number;
  /** Results `updated` so far; each is one event *Entity updated*. */
  updates: number;
  children: number;
}

export interface Book {
  readonly kept: Map<string, Kept>;
  /** Links of superseded revisions. */
  revisionLinks: number;
  transitions: number;
  batches: number;
}

/** One round's payload; it is sent twice. */
export interface Payload {
  round: number;
  elements: readonly Element[];
  /** Entities of earlier rounds of which an element differs from what is stored. */
  changed: ReadonlySet<string>;
  /** Released parents of earlier rounds that a new entity goes under, in the payload themselves or not. */
  grown: ReadonlySet<string>;
}

export interface Counts {
  created: number;
  updated: number;
  skipped: number;
}

export function openBook(): Book {
  return { kept: new Map(), revisionLinks: 0, transitions: 0, batches: 0 };
}

/** The counts of the payload's first batch; the second one skips everything. */
export function countsOf(book: Book, { elements, changed, grown }: Payload): Counts {
  const known = elements.filter(({ guid }) => book.kept.has(guid));
  const updated = known.filter(({ guid }) => changed.has(guid) || grown.has(guid)).length;
  return { created: elements.length - known.length, updated, skipped: known.length - updated };
}

/** Enters both batches of the payload. */
export function enterPayload(book: Book, { round, elements, changed, grown }: Payload): void {
  for (const guid of new Set([...changed, ...grown])) {
    const entity = keptOf(book, guid);
    if (!entity.released) continue;
    entity.released = false;
    entity.revisionNumber++;
    book.revisionLinks += entity.children;
  }
  for (const element of elements) {
    const { guid } = element;
    const entity = book.kept.get(guid);
    if (entity === undefined) {
      book.kept.set(guid, { element, round, released: false, revisionNumber: 1, updates: 0, children: 0 });
    } else {
      entity.element = element;
      if (changed.has(guid) || grown.has(guid)) entity.updates++;
    }
  }
  for (const { round: made, element } of book.kept.values()) {
    if (made === round && element.parentGuid !== null) keptOf(book, element.parentGuid).children++;
  }
  book.batches += 2;
}

export const STATES_TO_RELEASE = ['In Review', 'Released'] as const;

export function enterRelease(book: Book, guid: string): void {
  keptOf(book, guid).released = true;
  book.transitions += STATES_TO_RELEASE.length;
}

export interface Totals {
  entities: number;
  links: number;
  quantity: number;
  revisions: number;
  revisionLinks: number;
  transitions: number;
  batches: number;
  receipts: number;
}

export function totalsOf(book: Book): Totals {
  const all = [...book.kept.values()];
  const linked = all.filter(({ element }) => element.parentGuid !== null);
  return {
    entities: all.length,
    links: linked.length,
    quantity: sum(linked.map(({ element }) => element.quantity)),
    revisions: sum(all.map(({ revisionNumber }) => revisionNumber - 1)),
    revisionLinks: book.revisionLinks,
    transitions: book.transitions,
    batches: book.batches,
    receipts: book.batches,
  };
}

/**
 * Events by context type, which is also how many runs each automation has: one for every entity and for every
 * receipt, one for every update, one for every counter that a run has set, one for every batch.
 */
export function eventsOf(book: Book): Record<'created' | 'updated' | 'imported', number> {
  const updates = sum([...book.kept.values()].map((entity) => entity.updates));
  const { size } = book.kept;
  return { created: size + book.batches, updated: updates + (size + updates), imported: book.batches };
}

function keptOf(book: Book, guid: string): Kept {
  const entity = book.kept.get(guid);
  if (entity === undefined) throw new Error(`The book has no ${guid}`);
  return entity;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
