/**
 * A table sent as CSV, as the NDJSON that a sync takes in. It is held while it is read, because whether a line has children is
 * known behind it; how many are held at a time is bounded. Reading goes in slices of the event loop. A table with a line that
 * cannot be read is refused as a whole: nothing of it has been stored by then.
 */
import type { Response } from 'express';
import type { ImportDefinition as ImportMapping } from '../../clients/readers/definition/import-definition.schema.ts';
import { bytesSource } from '../../clients/readers/file-source.ts';
import { FileFault, type Finding, placeText } from '../../clients/readers/findings.ts';
import { openReading } from '../../clients/readers/read-elements.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { Slices } from '../slices.ts';

const PIECE_CHARACTERS = 64 * 1024;
const ERRORS_SHOWN = 100;

/** Who reads a table at the moment, in this process. */
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

/** Throws `file_unreadable`, with the place of each fault. */
export async function* csvAsElements(
  pieces: AsyncIterable<Buffer>,
  mapping: ImportMapping,
): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  for await (const piece of pieces) held.push(piece);
  const source = bytesSource(Buffer.concat(held), 'body');
  const slices = new Slices();
  try {
    const reading = await openReading(source, { ...mapping, format: 'table' });
    if (reading.format !== 'csv') throw new FileFault('not_csv', 'The body is no CSV.');
    let text = '';
    for await (const element of reading.elements()) {
      if (slices.areDue) await slices.next();
      text += `${JSON.stringify(element)}\n`;
      if (text.length < PIECE_CHARACTERS) continue;
      yield Buffer.from(text);
      text = '';
    }
    const errors = reading.findings.kept.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw unreadable(errors, reading.findings.errors);
    yield Buffer.from(text);
  } catch (error) {
    if (error instanceof FileFault) {
      throw unreadable(
        [{ severity: 'error', code: error.code, place: error.place, message: error.message }],
        1,
      );
    }
    throw error;
  }
}

function unreadable(errors: readonly Finding[], count: number): AppError {
  const [first] = errors;
  const place = first === undefined ? '' : placeText('', first.place).replace(/^, /, '');
  return new AppError('file_unreadable', {
    detail: `${count === 1 ? 'One line' : `${count} lines`} cannot be read${place === '' ? '' : `; first: ${place}`}: ${first?.message ?? ''}`,
    errors: errors.slice(0, ERRORS_SHOWN).map(({ code, place: at, message }) => ({
      pointer: '',
      code,
      message: `${placeText('', at).replace(/^, /, '')}: ${message}`,
    })),
  });
}
