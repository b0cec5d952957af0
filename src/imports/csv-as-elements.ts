/**
 * A table sent as CSV, as the NDJSON that a sync takes in. It is held while it is read, because whether a line has children is
 * known behind it; how many are held at a time is bounded. Reading goes in slices of the event loop.
 */
import type { Response } from 'express';
import type { ImportDefinition as ImportMapping } from '../../clients/readers/definition/import-definition.schema.ts';
import type { Element as ReadElement } from '../../clients/readers/element.ts';
import type { FileSource } from '../../clients/readers/file-source.ts';
import { FileFault, type Finding, type Place, placeText } from '../../clients/readers/findings.ts';
import {
  findMatches,
  isMatched,
  type LookUp,
  MadeGuids,
  matchedOptions,
  matchesText,
} from '../../clients/readers/match-numbers.ts';
import { openReading, type ReadingOptions } from '../../clients/readers/read-elements.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { Slices } from '../fairness/slices.ts';
import { UNREADABLE_MARK } from './unreadable-mark.ts';

const PIECE_CHARACTERS = 64 * 1024;
/** Read between two looks at the time: some hundred lines. */
const SOURCE_BYTES = 4096;
/** Maximum of unreadable text in successive lines; beyond it the definition does not fit the table. */
const UNREADABLE_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Readers of tables in this process. */
export interface CsvReaders {
  busy: number;
}

/** Holds a place until the answer is done. Throws `imports_busy`. */
export async function takeCsvPlace(
  { config, csvReaders }: { config: Config; csvReaders: CsvReaders },
  res: Response,
): Promise<void> {
  if (csvReaders.busy >= config.IMPORT_CSV_BODIES_MAX) {
    throw new AppError('imports_busy', {
      detail: 'Several tables are being read already. Come back in a moment, or send elements.',
      headers: { 'Retry-After': '2' },
    });
  }
  csvReaders.busy += 1;
  res.once('close', () => {
    csvReaders.busy -= 1;
  });
}

/** How the numbers of a table are compared with those of the workspace. */
export interface Matching {
  lookUp: LookUp;
  /** A plan proposes the parts that have the numbers; a sync that may write needs a definition that says so. */
  isDryRun: boolean;
}

/**
 * Elements, and in the place of a line that cannot be read what is wrong with it: that line becomes an error among the
 * results, and the others go on; what was noticed beside that becomes warnings of the elements. Throws `file_unreadable` where
 * the table as a whole cannot be told apart into lines.
 */
export async function* csvAsElements(
  pieces: readonly Buffer[],
  mapping: ImportMapping,
  matching: Matching | null = null,
): AsyncGenerator<Buffer> {
  const body = Buffer.concat(pieces);
  const slices = new Slices();
  const lines = new ElementLines();
  // Where all of it is read: also of lines that no element comes from, and while it is gone over for the first time.
  const source = sourceOf(body, async () => {
    if (lines.length > UNREADABLE_CHARACTERS_MAX) {
      const message =
        'More lines in succession cannot be read than can be told: the definition is for another kind of table.';
      throw new FileFault('too_many_unreadable', message);
    }
    if (slices.areDue) await slices.next();
  });
  try {
    // The bound of a body is on what it is unpacked to: what is packed within it again has none.
    if (isPacked(body)) throw new FileFault('not_csv', 'The body is no CSV.');
    const definition = { ...mapping, format: 'table' as const };
    const options =
      matching === null || !isMatched(mapping) ? {} : await optionsOf(source, definition, matching, lines);
    const reading = await openReading(source, definition, options);
    if (reading.format !== 'csv') throw new FileFault('not_csv', 'The body is no CSV.');
    reading.findings.onFinding = (finding) => lines.note(finding);
    for await (const element of reading.elements()) {
      if (slices.areDue) await slices.next();
      lines.add(element);
      if (lines.length >= PIECE_CHARACTERS) yield Buffer.from(lines.take());
    }
    yield Buffer.from(lines.end());
  } catch (error) {
    if (error instanceof FileFault) throw unreadableWhole(error);
    throw error;
  }
}

/**
 * Reads the table once for its numbers and looks them up. A table that shares numbers with the workspace is refused where neither the
 * definition nor a person says whether they are the same parts. `source` gives others their turn.
 */
async function optionsOf(
  source: FileSource,
  definition: ImportMapping,
  { lookUp, isDryRun }: Matching,
  lines: ElementLines,
): Promise<ReadingOptions> {
  const made = new MadeGuids();
  const { elements, findings } = await openReading(source, definition, { onMadeGuid: made.note });
  for await (const _ of elements()) {
    // The GUIDs are noted on the way.
  }
  findings.onFinding = (finding) => lines.note(finding);
  if (!made.requireComplete(definition.match, findings)) return {};
  const matches = await findMatches(made.byKey, lookUp);
  const numbers = [...matches.others.keys()];
  if (numbers.length > 0 && definition.match === 'ask') {
    const message = `The table ${matchesText(numbers)}. Say in the import definition whether they are the same parts: "match" is number or guid.`;
    if (!isDryRun) throw new FileFault('match_undecided', message);
    findings.add('warning', 'matched', {}, message);
  }
  return matchedOptions(matches, definition, true) ?? {};
}

/** A gzip or zip file: the readers of files look into both. */
function isPacked([first, second, third = 0]: Buffer): boolean {
  return (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b && third < 0x10);
}

/** `look` comes before each of the pieces. */
function sourceOf(bytes: Buffer, look: () => Promise<void>): FileSource {
  return {
    name: 'body',
    size: bytes.length,
    read: async function* (start = 0, end = bytes.length) {
      for (let at = start; at < end; at += SOURCE_BYTES) {
        await look();
        yield bytes.subarray(at, Math.min(end, at + SOURCE_BYTES));
      }
    },
  };
}

/**
 * Maximum of warnings with a text of their own for a table, and for one line: faults in every cell must not make a
 * batch larger than its table.
 */
const WORDED_MAX = 1000;
const WORDED_OF_LINE_MAX = 10;

/**
 * Lines of NDJSON as they become known: an element, or what is wrong with one. What was noticed while a line was read is said by
 * its element; of a line that became none by the next element, or by the last one, since each says where.
 */
class ElementLines {
  /** Text that is ready to be sent. */
  #text = '';
  /** The last element, which may have to say what is noticed behind it, and the lines behind it. */
  #held: Element | null = null;
  #behind = '';
  /** Findings of a line, of which there may be several. */
  #unreadable: Finding[] = [];
  #warnings: SourceWarning[] = [];
  #worded = 0;
  #unworded = 0;

  /** Characters that wait to be sent. */
  get length(): number {
    return this.#text.length + this.#behind.length;
  }

  note(finding: Finding): void {
    if (finding.severity === 'error') {
      if (finding.place.line !== this.#unreadable[0]?.place.line) this.#refuse();
      this.#unreadable.push(finding);
    } else if (finding.severity === 'warning') this.#warn(finding);
  }

  add(element: Element): void {
    this.#refuse();
    const warnings = this.#said();
    this.#release();
    this.#held = warnings.length === 0 ? element : { ...element, sourceWarnings: warnings };
  }

  /** Returns the text that is ready so far. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** The rest. */
  end(): string {
    this.#refuse();
    const warnings = this.#said();
    if (this.#held !== null && warnings.length > 0)
      this.#held = { ...this.#held, sourceWarnings: [...(this.#held.sourceWarnings ?? []), ...warnings] };
    this.#release();
    return this.take();
  }

  #warn({ place, message }: Finding): void {
    if (this.#worded >= WORDED_MAX || this.#warnings.length >= WORDED_OF_LINE_MAX) {
      this.#unworded += 1;
      return;
    }
    this.#worded += 1;
    this.#warnings.push({
      message: sentence(whereText(place) === '' ? message : `${whereText(place)}: ${message}`),
      ...(place.cell === undefined ? {} : { property: place.cell }),
    });
  }

  #said(): SourceWarning[] {
    const said = this.#warnings;
    if (this.#unworded > 0)
      said.push({ message: 'More of the table could not be read.', count: this.#unworded });
    this.#warnings = [];
    this.#unworded = 0;
    return said;
  }

  /** Puts the fault of a line in its place, after the previous element. */
  #refuse(): void {
    this.#behind += lineOf(this.#unreadable);
    this.#unreadable = [];
  }

  #release(): void {
    if (this.#held !== null) this.#text += `${JSON.stringify(this.#held)}\n`;
    this.#text += this.#behind;
    this.#held = null;
    this.#behind = '';
  }
}

interface SourceWarning {
  message: string;
  property?: string;
  count?: number;
}

type Element = ReadElement & { sourceWarnings?: readonly SourceWarning[] };

const MESSAGE_CHARACTERS_MAX = 1000;

/** Empty where there is nothing to say. */
function lineOf(findings: readonly Finding[]): string {
  const [first] = findings;
  if (first === undefined) return '';
  const said = findings.map(({ place, message }) => {
    const { line: _, ...within } = place;
    return `${whereText(place === first.place ? place : within)}: ${message}`;
  });
  return `${String.fromCharCode(UNREADABLE_MARK)}${sentence(said.join(' '))}\n`;
}

/** On one line. */
function sentence(said: string): string {
  const text = said.replaceAll(/\s+/g, ' ').slice(0, MESSAGE_CHARACTERS_MAX).toWellFormed();
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** `line 7, cell Mass`. */
function whereText(place: Place): string {
  return placeText('', place).replace(/^, /, '');
}

function unreadableWhole({ code, place, message }: FileFault): AppError {
  const where = whereText(place);
  return new AppError('file_unreadable', {
    detail: where === '' ? message : `${where}: ${message}`,
    errors: [{ pointer: '', code, message: where === '' ? message : `${where}: ${message}` }],
  });
}
