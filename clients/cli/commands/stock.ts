/** `partbook stock adjust|move|reverse|count|verify|positions|ledger`, and the commands of stock-lots.ts and stock-units.ts. */

import type { Command } from 'commander';
import { decodeText } from '../../readers/csv/decode-text.ts';
import { guessDelimiter, splitCsv } from '../../readers/csv/split-csv.ts';
import type { FileSource } from '../../readers/file-source.ts';
import { FileFault, placeText } from '../../readers/findings.ts';
import { type DecimalSign, readDecimal } from '../../readers/read-decimal.ts';
import { plainName } from '../../readers/table/header.ts';
import type {
  LedgerActor,
  ListedStockPosition,
  StockAdjustment,
  StockCounted,
  StockLedgerEntry,
} from '../../typescript/generated/types.ts';
import { listItems, listPages } from '../../typescript/list-items.ts';
import { countOf } from '../count-of.ts';
import { Ended, exitCodes, UsageError } from '../exit-codes.ts';
import { withSource } from '../files/with-source.ts';
import { plain, shown, tableText } from '../output.ts';
import { readDay, readMoment } from '../read-time.ts';
import { entityId, openSession, type Session } from '../session.ts';
import { type LimitFlags, limited, listFirst } from '../take-items.ts';
import { addLots } from './stock-lots.ts';
import { addArrive, addMove, addTransfers } from './stock-move.ts';
import { addStockSettings, addUnits, quantityOf } from './stock-units.ts';

const COUNT_LINES_MAX = 10_000;

export function addStock(program: Command): void {
  const stock = program.command('stock').description('show, move, adjust and count stock');
  addPositions(stock);
  addLedger(stock);
  addAdjust(stock);
  addMove(stock);
  addTransfers(stock);
  addArrive(stock);
  addReverse(stock);
  addCount(stock);
  addLots(stock);
  addUnits(stock);
  addStockSettings(stock);
  const verify = stock
    .command('verify')
    .description('prove that the ledger was not altered, and that every position is the sum of its entries')
    .action(async () => {
      const { partbook, output, signal } = openSession(verify);
      const proof = await partbook('GET /stock/ledger/verify', {}, { signal });
      output.answer(proof, () => {
        const head = `${proof.ok ? 'Whole' : 'NOT WHOLE'}: ${countOf(proof.positions, 'position')}, ${countOf(proof.entries, 'entry', 'entries')}`;
        return [head, ...proof.problems.map(({ kind, message }) => `${kind}: ${message}`)].join('\n');
      });
      if (!proof.ok) throw new Ended(exitCodes.failed);
    });
}

function addPositions(stock: Command): void {
  const positions = stock
    .command('positions <item>')
    .description('list the locations of an item, with quantities')
    .option('--in <location>', 'only at this location and at all that lie in it')
    .action(async (item: string, { in: place }: { in?: string }) => {
      const session = openSession(positions);
      const itemEntityId = await entityId(session, item, { archived: 'true' });
      const items = listItems(
        session.partbook,
        'GET /stock/positions/by-item/{itemEntityId}',
        {
          itemEntityId,
          ...(place === undefined
            ? {}
            : { query: { location: await entityId(session, place), below: 'true' as const } }),
        },
        session,
      );
      await session.output.list<ListedStockPosition>(
        items,
        {
          location: ({ locationPath, locationNumber, locationName }) =>
            [...locationPath, locationNumber ?? locationName].join(' > '),
          'on hand': (one) => one.onHand,
          reserved: (one) => Number((one.reserved - one.blocked).toFixed(6)),
          blocked: (one) => one.blocked,
          available: (one) => one.available,
          'on order': (one) => one.onOrder,
        },
        `${shown(item)} is at no location: nothing of it was ever booked or ordered.`,
      );
    });
}

interface LedgerFlags extends LimitFlags {
  by?: string;
  from?: string;
  to?: string;
}

function addLedger(stock: Command): void {
  const ledger = stock
    .command('ledger')
    .description('list movements, newest first, with who made them and why')
    .option('--by <name>', 'only movements made by this key or automation (name or id)')
    .option('--from <time>', 'from this day or time on')
    .option('--to <time>', 'only movements before this day or time');
  limited(ledger, 50).action(async ({ by, from, to, ...flags }: LedgerFlags) => {
    const session = openSession(ledger);
    const query = {
      ...(from === undefined ? {} : { from: readMoment('--from', from) }),
      ...(to === undefined ? {} : { to: readMoment('--to', to) }),
      ...(by === undefined ? {} : { actorId: await actorId(session, by) }),
    };
    const entries = listPages(session.partbook, 'GET /stock/ledger', { query }, session);
    await listFirst<StockLedgerEntry>(
      session.output,
      entries,
      flags,
      {
        when: (one) => one.recordedAt,
        movement: (one) => one.movementType,
        quantity: (one) => one.quantity,
        entered: (one) =>
          one.enteredUnit === null ? '' : `${one.enteredQuantity} ${plain(one.enteredUnit)}`,
        item: (one) => one.itemNumber,
        location: (one) => one.locationNumber,
        by: ({ actor }) => actor.name,
        note: (one) => one.note,
      },
      Object.keys(query).length === 0
        ? 'Nothing has moved in this workspace.'
        : 'No movement is like that. Without these options there may be some.',
    );
  });
}

/** Two keys may have one name; then the id says which. */
async function actorId(session: Session, name: string): Promise<string> {
  const found: LedgerActor[] = [];
  for await (const actor of listItems(session.partbook, 'GET /stock/ledger/actors', {}, session))
    if (actor.id === name || actor.name === name) found.push(actor);
  const [only, ...others] = found;
  if (only === undefined) throw new UsageError(`Nobody called ${shown(name)} has moved any stock.`);
  if (others.length > 0)
    throw new UsageError(`Several are called ${shown(name)}: ${found.map(({ id }) => id).join(', ')}.`);
  return only.id;
}

function addAdjust(stock: Command): void {
  const adjust = stock
    .command('adjust <item> <location> <quantity>')
    .description(
      'add to stock or remove from it: partbook stock adjust M6-20 BIN-4 -- -3, or "3 reel" in a unit of the item',
    )
    .option('--note <text>', 'the reason')
    .option('--reason <code>', 'a code for reports, such as scrap, found or sample')
    .option('--on <day>', 'the day on which it happened, by default today', readDay)
    .option('--lot <number>', 'the lot or serial number; one that does not exist is created')
    .option('--expires <day>', 'the last day on which a new lot may be used', readDay)
    .option('--plan', 'show the changes without making them')
    .action(async (item: string, location: string, quantity: string, flags: AdjustFlags) => {
      const { note, reason, lot, expires, plan } = flags;
      const session = openSession(adjust);
      const amount = quantityOf(quantity);
      const [itemEntityId, locationEntityId] = [
        await entityId(session, item),
        await entityId(session, location),
      ];
      const body = {
        itemEntityId,
        locationEntityId,
        ...amount,
        ...(flags.on === undefined ? {} : { effectiveOn: flags.on }),
        ...(note === undefined ? {} : { note }),
        ...(reason === undefined ? {} : { reason }),
        ...(lot === undefined ? {} : { lot }),
        ...(lot === undefined || amount.quantity < 0
          ? {}
          : { newLot: expires === undefined ? {} : { expiresOn: expires } }),
      };
      if (plan === true) return showPlan(session, body, `${shown(item)} at ${shown(location)}`);
      const made = await session.partbook('POST /stock/adjustments', { body }, session);
      session.output.answer(made, () => {
        if (!('position' in made)) return 'nothing was written';
        const { onHand, available } = made.position;
        return `${shown(item)} at ${shown(location)}: ${onHand} on hand, ${available} available`;
      });
    });
}

function addReverse(stock: Command): void {
  const reverse = stock
    .command('reverse <entry>')
    .description(
      'take back a movement by the id of its ledger entry: a receipt, shipment, issue, transfer or adjustment',
    )
    .requiredOption('--note <text>', 'the reason')
    .option('--quantity <quantity>', 'how much of it; by default all that is left')
    .action(async (entryId: string, { note, quantity }: { note: string; quantity?: string }) => {
      const session = openSession(reverse);
      const amount = quantity === undefined ? null : readDecimal(quantity, '.');
      if (quantity !== undefined && (amount === null || amount.unit !== ''))
        throw new UsageError(`"${quantity}" is not a quantity.`);
      const body = { note, ...(amount === null ? {} : { quantity: amount.value }) };
      const made = await session.partbook(
        'POST /stock/ledger/{entryId}/reversals',
        { entryId, body },
        session,
      );
      session.output.answer(made, () => {
        const { itemNumber, itemName, locationNumber, locationName, onHand, onOrder } = made.position;
        const where = `${plain(itemNumber ?? itemName)} at ${plain(locationNumber ?? locationName)}`;
        return `${where}: ${onHand} on hand, ${onOrder} on order${made.line === null ? '' : `; line ${plain(made.line.number ?? made.line.id)} is ${plain(made.line.state)}`}`;
      });
    });
}

interface AdjustFlags {
  note?: string;
  reason?: string;
  on?: string;
  lot?: string;
  expires?: string;
  plan?: boolean;
}

/** Ends as a plan that has changes does, or as a refusal. */
async function showPlan(session: Session, adjustment: StockAdjustment, where: string): Promise<void> {
  const body = { ...adjustment, dryRun: true };
  const planned = await session.partbook('POST /stock/adjustments', { body }, session);
  if (!('refusals' in planned)) throw new Error('The service has adjusted what it was asked to plan.');
  const [one] = planned.adjustments;
  session.output.answer(planned, () =>
    one?.refusal == null
      ? `${where}: ${one?.onHand} → ${one?.onHandAfter} on hand, ${one?.availableAfter} available`
      : `${where}: ${one.onHand} on hand. It would be refused: ${plain(one.refusal.message)}`,
  );
  throw new Ended(planned.refusals > 0 ? exitCodes.failed : exitCodes.planHasChanges);
}

interface CountFlags {
  decimal: string;
  note?: string;
  yes?: boolean;
}

function addCount(stock: Command): void {
  const count = stock
    .command('count <file>')
    .description('book a count: a CSV with the columns item, location and counted (numbers, guid:… or ids)')
    .option('--decimal <sign>', 'the decimal sign of the file', '.')
    .option('--note <text>', 'the reason')
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
    'on hand': (one) => one.onHand,
    counted: (one) => one.countedQty,
    difference: (one) => one.difference,
  });
  return `${head}\n${table}`;
}

interface CountLine {
  item: string;
  location: string;
  countedQty: number;
}

/** A line that cannot be read stops the whole count: half a count is a wrong one. */
async function readCount(file: string, source: FileSource, decimal: DecimalSign): Promise<CountLine[]> {
  const { text } = await decodeText(source, 'windows-1252');
  let beginning = '';
  for await (const piece of text()) {
    beginning = piece;
    break;
  }
  const lines: CountLine[] = [];
  let places: number[] | null = null;
  for await (const { line, cells } of splitCsv(text(), guessDelimiter(beginning))) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (places === null) {
      places = placesOf(cells, file);
      continue;
    }
    const [item = '', location = '', counted = ''] = places.map((at) => (cells[at] ?? '').trim());
    const amount = readDecimal(counted, decimal);
    if (item === '' || location === '' || amount === null || amount.value < 0) {
      throw new FileFault(
        'count_unreadable',
        `${placeText(file, { line })}: "${item}", "${location}", "${counted}" is no line of a count.`,
      );
    }
    lines.push({ item: referenceOf(item), location: referenceOf(location), countedQty: amount.value });
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

function placesOf(cells: readonly string[], file: string): number[] {
  const names = cells.map(plainName);
  const find = (...wanted: string[]) => names.findIndex((name) => wanted.includes(name));
  const places = [
    find('item', 'number', 'part', 'part number'),
    find('location', 'bin', 'place'),
    find('counted', 'countedqty', 'counted quantity', 'quantity', 'qty'),
  ];
  if (places.includes(-1))
    throw new FileFault('header_missing', `${file} begins with no row of item, location and counted.`);
  return places;
}
