/** `partbook shortages`: what a project is short of, and how it is supplied: by requirements, from stock, or by orders. */
import { type Command, Option } from 'commander';
import type { Shortage } from '../../../typescript/generated/types.ts';
import { type ConfigurationFlags, configurationOption } from '../../configuration-option.ts';
import { Ended, exitCodes, UsageError } from '../../exit-codes.ts';
import { type Columns, measured, shown, tableText } from '../../output.ts';
import { readDay } from '../../read-time.ts';
import { entityId, openSession, type Session } from '../../session.ts';

const kinds = ['purchased', 'made'] as const;
const sorts = ['structure', 'number', 'name', 'supplier', 'shortageQty'] as const;

/** The number of items that one call reserves or orders. */
const SUPPLIED_MAX = 500;

interface ListFlags extends ConfigurationFlags {
  every?: boolean;
  open?: boolean;
  kind?: (typeof kinds)[number];
  search?: string;
  sort?: (typeof sorts)[number];
  desc?: boolean;
}

interface SupplyFlags {
  raise?: boolean;
  reserve?: boolean;
  order?: string;
  supplier?: string;
  draft?: boolean;
  requiredBy?: string;
  note?: string;
  plan?: boolean;
}

const columns: Columns<Shortage> = {
  item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
  needed: (one) => one.requiredQty,
  reserved: (one) => one.reservedQty,
  available: (one) => one.availableQty,
  'on order': (one) => one.onOrderQty,
  short: (one) => measured(one.shortageQty, one.unit),
  supplier: (one) => one.supplier ?? (one.isAssembly ? 'made here' : null),
};

export function addShortages(program: Command): void {
  const shortages = program
    .command('shortages <project>')
    .description(
      'list the items of which a project is short; --raise, --reserve or --order supplies the listed items',
    )
    .option('--every', 'list all needed items of the structure, short or not')
    .option('--open', 'list also items that are not short and have an open requirement')
    .addOption(new Option('--kind <kind>', 'only parts that are purchased, or only made ones').choices(kinds))
    .addOption(configurationOption())
    .option('--search <text>', 'only items that have this text in their number or name')
    .addOption(
      new Option(
        '--sort <key>',
        'what the list is sorted by (default: made parts first, then purchased parts by supplier)',
      ).choices(sorts),
    )
    .option('--desc', 'sort in descending order')
    .addOption(new Option('--raise', 'create requirements for what is short').conflicts(['reserve', 'order']))
    .addOption(
      new Option('--reserve', 'reserve what is available of the items, all or nothing').conflicts('order'),
    )
    .option('--order <location>', 'order what is short to this location, one order for each supplier')
    .option('--supplier <name>', 'with --order: from this supplier, not from that of each item')
    .option('--draft', 'with --order: create draft lines, which promise nothing yet')
    .option('--required-by <day>', 'with --raise and --order: the required date', readDay)
    .option('--note <text>', 'with --reserve and --order: the reason')
    .option('--plan', 'show what would be supplied without supplying it')
    .action(async (project: string, flags: ListFlags & SupplyFlags) => {
      const session = openSession(shortages);
      const id = await entityId(session, project, { role: 'project' });
      const items = await listed(session, id, flags);
      const none = `${shown(project)} is short of nothing that is required for it.`;
      if (!isSupplying(flags)) {
        await session.output.list<Shortage>(
          flags.sort === undefined ? bySupplier(items) : items,
          columns,
          none,
        );
        return;
      }
      if (items.length === 0) return session.output.answer([], () => 'There is nothing to supply.');
      if (flags.plan === true) {
        session.output.answer(items, () => tableText(items, columns));
        throw new Ended(exitCodes.planHasChanges);
      }
      if (flags.raise === true) return raise(session, id, items, flags);
      requireFew(items);
      if (flags.reserve === true) return reserve(session, id, items, flags);
      return order(session, id, items, flags);
    });
}

/** Made parts first, then those that are purchased, by supplier. */
function bySupplier(items: readonly Shortage[]): Shortage[] {
  const names = new Intl.Collator('en', { sensitivity: 'base' });
  const rankOf = ({ isAssembly, supplier }: Shortage) => (isAssembly ? 0 : supplier === null ? 2 : 1);
  return items.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (a.isAssembly ? 0 : names.compare(a.supplier ?? '', b.supplier ?? '')),
  );
}

function isSupplying({ raise, reserve, order }: SupplyFlags): boolean {
  return raise === true || reserve === true || order !== undefined;
}

/** Lists the items, or those of them that can be supplied in this way. */
async function listed(
  session: Session,
  id: string,
  { every, open, kind, search, sort, desc, configuration, reserve, order, raise }: ListFlags & SupplyFlags,
): Promise<Shortage[]> {
  const query = {
    configuration,
    // An item that stock covers is not short, and can be reserved.
    ...(every === true || reserve === true ? { all: 'true' as const } : {}),
    ...(open === true ? { open: 'true' as const } : {}),
    // A part that is made has a manufacturing order; it is purchased only when the caller says so.
    ...(kind !== undefined ? { kind } : order === undefined ? {} : { kind: 'purchased' as const }),
    ...(search === undefined ? {} : { q: search }),
    ...(sort === undefined ? {} : { sort }),
    ...(desc === true ? { order: 'desc' as const } : {}),
  };
  const { items } = await session.partbook('GET /projects/{id}/shortages', { id, query }, session);
  if (reserve === true) return items.filter((one) => one.availableQty > 0 && one.neededQty > one.reservedQty);
  return order !== undefined || raise === true ? items.filter((one) => one.shortageQty > 0) : items;
}

function requireFew(items: readonly Shortage[]): void {
  if (items.length <= SUPPLIED_MAX) return;
  throw new UsageError(
    `${items.length} items are more than the ${SUPPLIED_MAX} that one call supplies: narrow them with --kind or --search.`,
  );
}

async function raise(
  session: Session,
  id: string,
  items: readonly Shortage[],
  { requiredBy, configuration }: SupplyFlags & ConfigurationFlags,
): Promise<void> {
  const body = {
    itemEntityIds: idsOf(items),
    configuration,
    ...(requiredBy === undefined ? {} : { requiredBy }),
  };
  const raised = await session.partbook('POST /projects/{id}/shortages/requirements', { id, body }, session);
  session.output.answer(raised, () =>
    raised.requirements.length === 0
      ? 'All of it is required already.'
      : linesOf(raised.requirements, (one) => `${one.number}: ${one.requiredQty} × ${nameOf(one)} required`),
  );
}

async function reserve(
  session: Session,
  id: string,
  items: readonly Shortage[],
  { note, configuration }: SupplyFlags & ConfigurationFlags,
): Promise<void> {
  const lines = idsOf(items).map((itemEntityId) => ({ itemEntityId }));
  const body = { lines, configuration, ...(note === undefined ? {} : { note }) };
  const reserved = await session.partbook(
    'POST /projects/{id}/shortages/reservations',
    { id, body },
    session,
  );
  session.output.answer(reserved, () =>
    reserved.reservations.length === 0
      ? 'Nothing of it is available.'
      : linesOf(
          reserved.reservations,
          (one) =>
            `${one.quantity} × ${nameOf(one.requirement)} reserved at ${one.locationNumber ?? one.locationEntityId}`,
        ),
  );
}

async function order(
  session: Session,
  id: string,
  items: readonly Shortage[],
  {
    order: location = '',
    supplier,
    draft,
    requiredBy,
    note,
    configuration,
  }: SupplyFlags & ConfigurationFlags,
): Promise<void> {
  const body = {
    locationEntityId: await entityId(session, location, { role: 'location' }),
    lines: items.map(({ itemEntityId, shortageQty: quantity }) => ({
      itemEntityId,
      quantity,
      ...(supplier === undefined ? {} : { supplier }),
    })),
    configuration,
    ...(draft === true ? { state: 'Draft' as const } : {}),
    ...(requiredBy === undefined ? {} : { requiredBy }),
    ...(note === undefined ? {} : { note }),
  };
  const ordered = await session.partbook('POST /projects/{id}/shortages/orders', { id, body }, session);
  session.output.answer(ordered, () =>
    linesOf(ordered.orders, (one) => {
      const from = one.supplier === null ? 'without a supplier' : `from ${one.supplier}`;
      const what = one.lines.map((line) => `${line.quantity} × ${nameOf(line)}`).join(', ');
      return `${one.number} ${from}: ${what}`;
    }),
  );
}

const idsOf = (items: readonly Shortage[]) => items.map(({ itemEntityId }) => itemEntityId);

function nameOf({ itemNumber, itemName }: { itemNumber: string | null; itemName: string }): string {
  return itemNumber ?? itemName;
}

function linesOf<Item>(items: readonly Item[], text: (item: Item) => string): string {
  return items.map(text).join('\n');
}
