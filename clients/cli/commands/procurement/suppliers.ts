/** `partbook suppliers`, `supplier-parts`: from whom things are bought, under which numbers and at which prices. */
import type { Command } from 'commander';
import { readDecimal } from '../../../readers/read-decimal.ts';
import type { Supplier, SupplierPart } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { confirm } from '../../confirm.ts';
import { UsageError } from '../../exit-codes.ts';
import { supplierMeant } from '../../meant-names.ts';
import { shown } from '../../output.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst, wholeNumber } from '../../take-items.ts';

interface SupplierFlags extends LimitFlags {
  text?: string;
}

interface PartFlags extends SupplierFlags {
  item?: string;
  supplier?: string;
}

interface NewPartFlags {
  from: string;
  sku: string;
  manufacturer?: string;
  mpn?: string;
  unit?: string;
  pack?: string;
  minimum?: string;
  multiple?: string;
  leadTime?: string;
  rank?: string;
  price?: string[];
}

export function addSuppliers(program: Command): void {
  const suppliers = program.command('suppliers').description('list suppliers');
  limited(suppliers.option('--text <text>', 'only those with this text in their name or code'), 50).action(
    async ({ text, ...flags }: SupplierFlags) => {
      const { partbook, output, signal } = openSession(suppliers);
      const query = text === undefined ? {} : { q: text };
      await listFirst<Supplier>(
        output,
        listPages(partbook, 'GET /suppliers', { query }, { signal }),
        flags,
        {
          name: (one) => one.name,
          code: (one) => one.code,
          currency: (one) => one.currency,
          'lead time': (one) => one.leadTimeDays,
          state: (one) => one.state,
          contact: (one) => one.contact,
        },
        text === undefined ? 'The workspace has no suppliers.' : 'No supplier has this text.',
      );
    },
  );
  addMerge(suppliers);

  const parts = program
    .command('supplier-parts')
    .description('list what suppliers sell: SKU, manufacturer number, packs and prices')
    .option('--item <reference>', 'only those of this item: its number, id or guid:…')
    .option('--supplier <name>', 'only those of this supplier: its name, or a part that no other has')
    .option('--text <text>', 'only those with this text in their SKU or MPN');
  limited(parts, 50).action(async ({ item, supplier, text, ...flags }: PartFlags) => {
    const session = openSession(parts);
    const { partbook, output, signal } = session;
    const query = {
      ...(item === undefined ? {} : { itemEntityId: await entityId(session, item, { role: 'item' }) }),
      ...(supplier === undefined ? {} : { supplierId: (await supplierNamed(session, supplier)).id }),
      ...(text === undefined ? {} : { q: text }),
    };
    await listFirst<SupplierPart>(
      output,
      listPages(partbook, 'GET /supplier-parts', { query }, { signal }),
      flags,
      {
        item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
        supplier: (one) => one.supplier,
        sku: (one) => one.sku,
        mpn: (one) => one.mpn,
        pack: ({ packQuantity, unit }) => (unit === null ? packQuantity : `${packQuantity} ${unit}`),
        prices: ({ prices }) =>
          prices.map(({ from, price, currency }) => `${from}=${price} ${currency}`).join(', '),
        'lead time': (one) => one.leadTimeDays,
        rank: (one) => one.rank,
        status: (one) => one.status,
      },
      'No supplier part matches these options.',
    );
  });
  addPart(parts);
}

function addMerge(suppliers: Command): void {
  const merge = suppliers
    .command('merge <supplier> <into>')
    .description(
      'merge a supplier into another, which gets its orders and supplier parts; needs confirmation',
    )
    .option('--yes', 'do not ask')
    .action(async (from: string, into: string, { yes }: { yes?: boolean }) => {
      const session = openSession(merge);
      const [gone, kept] = [await supplierNamed(session, from), await supplierNamed(session, into)];
      const question = `Merge ${shown(gone.name)} into ${shown(kept.name)}? It cannot be undone.`;
      if (yes !== true) await confirm(session, question, 'Add --yes to merge without a question.');
      const body = { into: kept.id };
      const merged = await session.partbook('POST /suppliers/{id}/merge', { id: gone.id, body }, session);
      session.output.answer(merged, () => `${shown(gone.name)} was merged into ${shown(merged.name)}.`);
    });
}

function addPart(parts: Command): void {
  const add = parts
    .command('add <item>')
    .description(
      'add a supplier part: partbook supplier-parts add R-10K --from DigiKey --sku 311-10K --price "1=0.02 USD"',
    )
    .requiredOption('--from <supplier>', 'the supplier: its name, or a part that no other has')
    .requiredOption('--sku <number>', "the supplier's number")
    .option('--manufacturer <name>', 'the manufacturer')
    .option('--mpn <number>', "the manufacturer's number")
    .option('--unit <unit>', 'the unit of packs and prices, a unit of the item; by default its base unit')
    .option('--pack <quantity>', 'how much is in a pack')
    .option('--minimum <quantity>', 'the least that is ordered at once')
    .option('--multiple <quantity>', 'what an order is a multiple of')
    .option('--lead-time <days>', 'days from the order to the receipt')
    .option('--rank <number>', '1 is proposed first')
    .option('--price <from=price...>', 'a price from a quantity on: "100=0.0123 EUR"')
    .action(async (item: string, flags: NewPartFlags) => {
      const session = openSession(add);
      const quantity = (field: string, text: string | undefined) =>
        text === undefined ? {} : { [field]: numberOf(text) };
      const body = {
        itemEntityId: await entityId(session, item, { role: 'item' }),
        supplierId: (await supplierNamed(session, flags.from)).id,
        sku: flags.sku,
        ...(flags.manufacturer === undefined ? {} : { manufacturer: flags.manufacturer }),
        ...(flags.mpn === undefined ? {} : { mpn: flags.mpn }),
        ...(flags.unit === undefined ? {} : { unit: flags.unit }),
        ...quantity('packQuantity', flags.pack),
        ...quantity('minimum', flags.minimum),
        ...quantity('multiple', flags.multiple),
        ...(flags.leadTime === undefined
          ? {}
          : { leadTimeDays: wholeNumber('--lead-time', flags.leadTime, 0) }),
        ...(flags.rank === undefined ? {} : { rank: wholeNumber('--rank', flags.rank) }),
        prices: (flags.price ?? []).map(priceOf),
      };
      const made = await session.partbook('POST /supplier-parts', { body }, session);
      session.output.answer(
        made,
        () => `${shown(made.itemNumber ?? made.itemName)}: ${shown(made.sku)} of ${shown(made.supplier)}`,
      );
    });
}

async function supplierNamed(session: Session, text: string): Promise<Supplier> {
  const name = await supplierMeant(session, text);
  const { items } = await session.partbook('GET /suppliers', { query: { name } }, session);
  const [found] = items;
  if (found === undefined) throw new UsageError(`There is no supplier "${shown(text)}".`);
  return found;
}

function numberOf(text: string): number {
  const amount = readDecimal(text, '.');
  if (amount === null || amount.unit.trim() !== '')
    throw new UsageError(`"${text}" is not a number such as 2.5.`);
  return amount.value;
}

function priceOf(text: string): { from: number; price: string; currency: string } {
  const found = /^\s*([^=\s]+)\s*=\s*(\d{1,9}(?:\.\d{1,6})?)\s+([A-Z]{3})\s*$/.exec(text);
  if (found === null) throw new UsageError(`"${text}" is no price: write "100=0.0123 EUR".`);
  const [, from = '', price = '', currency = ''] = found;
  return { from: numberOf(from), price, currency };
}
