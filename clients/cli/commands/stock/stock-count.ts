/** `partbook stock count`: books a count from a CSV file. */
import type { Command } from 'commander';
import { decodeText } from '../../../readers/csv/decode-text.ts';
import { guessDelimiter, splitCsv } from '../../../readers/csv/split-csv.ts';
import type { FileSource } from '../../../readers/file-source.ts';
import { FileFault, placeText } from '../../../readers/findings.ts';
import { type DecimalSign, readDecimal } from '../../../readers/read-decimal.ts';
import { plainName } from '../../../readers/table/header.ts';
import type { StockCount, StockCounted } from '../../../typescript/generated/types.ts';
import { countOf } from '../../count-of.ts';
import { Ended, exitCodes, UsageError } from '../../exit-codes.ts';
import { withSource } from '../../files/with-source.ts';
import { tableText } from '../../output.ts';
import { readDay } from '../../read-time.ts';
import { openSession } from '../../session.ts';

const COUNT_LINES_MAX = 10_000;

interface CountFlags {
  decimal: string;
  note?: string;
  on?: string;
  task?: string;
  yes?: boolean;
}

export function addCount(stock: Command): void {
  const count = stock
    .command('count <file>')
    .description(
      'book a count: a CSV with the columns item, location and counted (numbers, guid:… or ids), and lot for lots or serial numbers; a lot that does not exist is created, with the day in the column expires. The unit of counted follows it, or is in a column unit',
    )
    .option('--decimal <sign>', 'the decimal sign of the file', '.')
    .option('--note <text>', 'the reason')
    .option('--on <day>', 'the day of the adjustments, by default today', readDay)
    .option('--task <id>', 'the count task that the count does (`stock counts`)')
    .option('-y, --yes', 'book the count; without it, only the differences are shown')
    .action(async (file: string, flags: CountFlags) => {
      const session = openSession(count);
      if (flags.decimal !== '.' && flags.decimal !== ',') throw new UsageError('--decimal is . or ,');
      const { decimal } = flags;
      const lines = await withSource(file, (source) => readCount(file, source, decimal));
      const body = {
        lines,
        dryRun: flags.yes !== true,
        ...(flags.note === undefined ? {} : { note: flags.note }),
        ...(flags.on === undefined ? {} : { effectiveOn: flags.on }),
        ...(flags.task === undefined ? {} : { task: flags.task }),
      };
      const counted = await session.partbook('POST /stock/counts', { body }, session);
      const differing = counted.lines.filter(({ difference }) => difference !== 0);
      session.output.answer(counted, () => countText(counted, differing, flags.yes === true));
      if (flags.yes !== true && differing.length > 0) throw new Ended(exitCodes.planHasChanges);
    });
}

function countText(counted: StockCounted, differing: StockCounted['lines'], isBooked: boolean): string {
  const head = `${countOf(counted.lines.length, 'line')}, ${differing.length} ${differing.length === 1 ? 'differs' : 'differ'}${isBooked ? `, ${countOf(counted.entries, 'entry', 'entries')} booked` : ''}`;
  if (differing.length === 0) return head;
  const table = tableText(differing, {
    item: (one) => one.itemNumber ?? one.itemName,
    location: (one) => one.locationNumber ?? one.locationName,
    ...(counted.lines.some(({ lot }) => lot !== null)
      ? { lot: (one) => (one.createsLot ? `${one.lot} (new)` : one.lot) }
      : {}),
    'on hand': (one) => one.onHand,
    counted: (one) => one.countedQty,
    difference: (one) => one.difference,
  });
  return `${head}\n${table}`;
}

type CountLine = StockCount['lines'][number];

/** A line that cannot be read stops the whole count: half a count is a wrong one. */
async function readCount(file: string, source: FileSource, decimal: DecimalSign): Promise<CountLine[]> {
  const { text } = await decodeText(source, 'windows-1252');
  let beginning = '';
  for await (const piece of text()) {
    beginning = piece;
    break;
  }
  const lines: CountLine[] = [];
  let places: Places | null = null;
  for await (const { line, cells } of splitCsv(text(), guessDelimiter(beginning))) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (places === null) {
      places = placesOf(cells, file);
      continue;
    }
    const cellOf = (at: number) => (cells[at] ?? '').trim();
    const [item, location, counted] = [places.item, places.location, places.counted].map(cellOf) as [
      string,
      string,
      string,
    ];
    const amount = readDecimal(counted, decimal);
    if (item === '' || location === '' || amount === null || amount.value < 0) {
      throw new FileFault(
        'count_unreadable',
        `${placeText(file, { line })}: "${item}", "${location}", "${counted}" is no line of a count.`,
      );
    }
    const [lot, expires] = [cellOf(places.lot), cellOf(places.expires)];
    const unit = cellOf(places.unit) || amount.unit.trim();
    lines.push({
      item: referenceOf(item),
      location: referenceOf(location),
      countedQty: amount.value,
      ...(unit === '' ? {} : { unit }),
      ...(lot === '' ? {} : { lot, newLot: expires === '' ? {} : { expiresOn: expires } }),
    });
    if (lines.length > COUNT_LINES_MAX)
      throw new FileFault(
        'count_too_long',
        `A count has at most ${COUNT_LINES_MAX} lines: send it in parts.`,
      );
  }
  if (lines.length === 0) throw new FileFault('count_empty', `${file} holds no lines of a count.`);
  return lines;
}

/** Ids and GUIDs as they are; everything else is a number. */
function referenceOf(text: string): string {
  return /^(?:guid:|number:|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$)/i.test(text)
    ? text
    : `number:${text}`;
}

interface Places {
  item: number;
  location: number;
  counted: number;
  /** -1: there is no such column, as for those below. */
  lot: number;
  expires: number;
  unit: number;
}

function placesOf(cells: readonly string[], file: string): Places {
  const names = cells.map(plainName);
  const find = (...wanted: string[]) => names.findIndex((name) => wanted.includes(name));
  const places = {
    item: find('item', 'number', 'part', 'part number'),
    location: find('location', 'bin', 'place'),
    counted: find('counted', 'countedqty', 'counted quantity', 'quantity', 'qty'),
  };
  if (Object.values(places).includes(-1))
    throw new FileFault('header_missing', `${file} begins with no row of item, location and counted.`);
  return {
    ...places,
    lot: find('lot', 'serial', 'serial number'),
    expires: find('expires', 'expireson', 'expires on'),
    unit: find('unit'),
  };
}
