/** `partbook stock adjust|reverse|verify|positions|ledger`, and the commands of the files beside. */
import { type Command, Option } from 'commander';
import type {
  LedgerActor,
  ListedLedgerEntry,
  ListedStockPosition,
  StockAdjustment,
} from '../../../typescript/generated/types.ts';
import { listItems, listPages } from '../../../typescript/list-items.ts';
import { countOf } from '../../count-of.ts';
import { Ended, exitCodes, UsageError } from '../../exit-codes.ts';
import { measured, plain, shown } from '../../output.ts';
import { readCost, type UnitCost } from '../../read-cost.ts';
import { readDay, readMoment } from '../../read-time.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';
import { addCountTasks } from './count-tasks.ts';
import { addCount } from './stock-count.ts';
import { addLots } from './stock-lots.ts';
import { addArrive, addMove, addTransfers } from './stock-move.ts';
import { addStockSettings, addUnits, quantityOf } from './stock-units.ts';

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
  addCountTasks(stock);
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
          'on hand': (one) => measured(one.onHand, one.unit),
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
  effectiveFrom?: string;
  effectiveTo?: string;
  item?: string;
  location?: string;
  below?: boolean;
}

function addLedger(stock: Command): void {
  const ledger = stock
    .command('ledger')
    .description('list movements, newest first, with who made them and why')
    .option('--by <name>', 'only movements made by this key or automation (name or id)')
    .option('--from <time>', 'from this day or time on')
    .option('--to <time>', 'only movements before this day or time')
    .option('--effective-from <day>', 'only movements that happened on this day or later', readDay)
    .option('--effective-to <day>', 'only movements that happened on this day or before', readDay)
    .addOption(new Option('--item <item>', 'only movements of this item').conflicts(['by', 'location']))
    .addOption(new Option('--location <location>', 'only movements at this location').conflicts('by'))
    .option('--below', 'with --location: also at the locations that lie in it');
  limited(ledger, 50).action(async ({ by, from, to, item, location, below, ...flags }: LedgerFlags) => {
    if (below === true && location === undefined) throw new UsageError('--below needs --location.');
    const session = openSession(ledger);
    const query = {
      ...(from === undefined ? {} : { from: readMoment('--from', from) }),
      ...(to === undefined ? {} : { to: readMoment('--to', to) }),
      ...(flags.effectiveFrom === undefined ? {} : { effectiveFrom: flags.effectiveFrom }),
      ...(flags.effectiveTo === undefined ? {} : { effectiveTo: flags.effectiveTo }),
    };
    const { partbook } = session;
    const entries =
      item !== undefined
        ? listPages(
            partbook,
            'GET /stock/ledger/by-item/{itemEntityId}',
            { itemEntityId: await entityId(session, item), query },
            session,
          )
        : location !== undefined
          ? listPages(
              partbook,
              'GET /stock/ledger/by-location/{locationEntityId}',
              {
                locationEntityId: await entityId(session, location),
                query: { ...query, below: below === true ? 'true' : 'false' },
              },
              session,
            )
          : listPages(
              partbook,
              'GET /stock/ledger',
              { query: { ...query, ...(by === undefined ? {} : { actorId: await actorId(session, by) }) } },
              session,
            );
    await listFirst<ListedLedgerEntry>(
      session.output,
      entries,
      flags,
      {
        when: (one) => one.recordedAt,
        'happened on': (one) => one.effectiveOn,
        movement: movementOf,
        quantity: (one) => measured(one.quantity, one.unit),
        entered: (one) =>
          one.enteredUnit === null ? '' : `${one.enteredQuantity} ${plain(one.enteredUnit)}`,
        item: (one) => one.itemNumber,
        location: (one) => one.locationNumber,
        by: ({ actor }) => actor.name,
        note: (one) => one.note,
      },
      Object.keys(query).length === 0 && (by ?? item ?? location) === undefined
        ? 'Nothing has moved in this workspace.'
        : 'No movement matches these options.',
    );
  });
}

/** Goods on the way from another location are booked as what is on order, and no order is behind them. */
function movementOf({ movementType, lineId, requirementId }: ListedLedgerEntry): string {
  const isOnOrder = movementType === 'OnOrderAdd' || movementType === 'OnOrderRelease';
  return isOnOrder && lineId === null && requirementId === null
    ? `${movementType} (in transit)`
    : movementType;
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
    .option('--cost <price>', 'what one costs that is added, such as 1.25 or "1.25 USD"', readCost)
    .option('--plan', 'show the changes without making them')
    .action(async (item: string, location: string, quantity: string, flags: AdjustFlags) => {
      const { note, reason, lot, expires, plan, cost } = flags;
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
        ...(cost === undefined ? {} : { unitCost: cost }),
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

interface ReverseFlags {
  note: string;
  quantity?: string;
  plan?: boolean;
}

function addReverse(stock: Command): void {
  const reverse = stock
    .command('reverse <entry>')
    .description(
      'take back a movement by the id of its ledger entry: a receipt, shipment, issue, transfer or adjustment',
    )
    .requiredOption('--note <text>', 'the reason')
    .option('--quantity <quantity>', 'how much of it, such as 2 or "1 reel"; by default all that is left')
    .option('--plan', 'show what would follow without taking it back')
    .action(async (entryId: string, { note, quantity, plan }: ReverseFlags) => {
      const session = openSession(reverse);
      const body = {
        note,
        ...(quantity === undefined ? {} : quantityOf(quantity)),
        ...(plan === true ? { dryRun: true } : {}),
      };
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
      if (plan === true) throw new Ended(exitCodes.planHasChanges);
    });
}

interface AdjustFlags {
  note?: string;
  reason?: string;
  on?: string;
  lot?: string;
  expires?: string;
  cost?: UnitCost;
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
