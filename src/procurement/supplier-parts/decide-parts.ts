/** Decides what supplier parts of an import are to be written for an item, by the rules that hold for a person's. */
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { supplierKey, tidyName } from '../records/suppliers/supplier-key.ts';
import {
  type ImportedPart,
  PARTS_OF_ITEM_MAX,
  type PartFacts,
  type SupplierPartShown,
} from './supplier-parts.schema.ts';
import { columnsOf } from './supplier-parts.ts';

/** The outcome for one item. */
export interface TakenParts {
  /** Each part that is made or changed, in words. */
  changes: { from: string | null; to: string }[];
  /** Why a part is not taken. */
  refused: string[];
}

export interface NamedSupplier {
  /** It is null where a dry run would create the supplier. */
  id: string | null;
  name: string;
  currency: string | null;
}

/** An item with the supplier parts that its element states. */
export interface StatedItem {
  /** It is null where a dry run would create the item. */
  itemId: string | null;
  taken: TakenParts;
  read: ImportedPart[];
}

/** A part to be made, or to be changed where `before` is there. */
export interface Writing {
  id: string;
  itemId: string;
  supplierId: string;
  before: SupplierPartShown | null;
  columns: Awaited<ReturnType<typeof columnsOf>>;
}

/** A column that is taken for suppliers by mistake makes no more of them at once. */
export const NEW_SUPPLIERS_MAX = 200;
/** Characters of a part in words. */
const SHOWN_CHARS_MAX = 300;

/** Returns what is to be written for the item, and adds to its outcome. `stored`: the parts that it has. */
export async function decideItem(
  tx: Tx,
  { itemId, taken, read }: StatedItem,
  stored: readonly SupplierPartShown[],
  { suppliers, currency }: { suppliers: ReadonlyMap<string, NamedSupplier>; currency: string | null },
): Promise<Writing[]> {
  const decided = new Map<string, Writing>();
  const own = stored.map((part) => ({
    supplierKey: part.supplierId,
    id: part.id,
    facts: factsOf(part),
    before: part as SupplierPartShown | null,
  }));
  for (const [place, given] of read.entries()) {
    const supplier = suppliers.get(tidyName(given.supplier));
    const name = `${tidyName(given.supplier)} ${given.sku ?? given.mpn}`;
    if (supplier === undefined) {
      taken.refused.push(
        `Supplier part ${name} was not taken: the supplier is not there, and an import creates at most ${NEW_SUPPLIERS_MAX} at once.`,
      );
      continue;
    }
    const key = supplier.id ?? supplierKey(supplier.name);
    const same = own.filter((part) => part.supplierKey === key);
    const known = matchOf(given, same);
    if (known === undefined && own.length >= PARTS_OF_ITEM_MAX) {
      taken.refused.push(`Supplier part ${name} was not taken: the item has ${PARTS_OF_ITEM_MAX} already.`);
      continue;
    }
    try {
      const facts = merged(known?.facts ?? newFacts(given, place), given, supplier.currency ?? currency);
      const columns = await columnsOf(tx, null, facts);
      const part = known ?? { supplierKey: key, id: newId(), facts, before: null };
      const isSame =
        known !== undefined &&
        JSON.stringify(columns) === JSON.stringify(await columnsOf(tx, null, known.facts));
      if (known === undefined) own.push(part);
      if (isSame) continue;
      const from = known === undefined ? null : inWords(supplier.name, known.facts);
      taken.changes.push({ from, to: inWords(supplier.name, facts) });
      part.facts = facts;
      if (itemId !== null && supplier.id !== null)
        decided.set(part.id, { id: part.id, itemId, supplierId: supplier.id, before: part.before, columns });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      taken.refused.push(`Supplier part ${name} was not taken. ${error.message}`);
    }
  }
  return [...decided.values()];
}

/** The part with the SKU; without an SKU that with the MPN, which a part without an SKU has as its SKU too. */
function matchOf<Of extends { facts: PartFacts }>(
  { sku, mpn }: ImportedPart,
  same: readonly Of[],
): Of | undefined {
  if (sku != null) return same.find(({ facts }) => facts.sku === sku);
  return same.find(({ facts }) => facts.mpn === mpn) ?? same.find(({ facts }) => facts.sku === mpn);
}

function factsOf({
  id: _,
  itemEntityId,
  itemNumber,
  itemName,
  supplierId,
  supplier,
  createdAt,
  ...facts
}: SupplierPartShown): PartFacts {
  return facts;
}

function newFacts({ sku, mpn }: ImportedPart, place: number): PartFacts {
  return {
    sku: sku ?? (mpn as string),
    manufacturer: null,
    mpn: null,
    unit: null,
    packQuantity: 1,
    minimum: null,
    multiple: null,
    leadTimeDays: null,
    rank: place + 1,
    status: 'active',
    prices: [],
  };
}

/** The facts with those that are given. Throws `validation_failed` where a price has no currency. */
function merged(known: PartFacts, given: ImportedPart, currency: string | null): PartFacts {
  const { supplier: _, sku, prices, ...others } = given;
  const facts = { ...known };
  for (const [field, value] of Object.entries(others))
    if (value != null) Object.assign(facts, { [field]: value });
  if (prices == null || prices.length === 0) return facts;
  const stated = prices.map((price) => {
    const own = price.currency ?? currency;
    if (own === null)
      throw new AppError('validation_failed', 'Its price has no currency, and neither has its supplier.');
    return { ...price, currency: own };
  });
  const lists = new Set(stated.map(listOf));
  facts.prices = [...known.prices.filter((price) => !lists.has(listOf(price))), ...stated];
  return facts;
}

/** The prices of one currency and day are stated together. */
function listOf({ currency, validFrom }: { currency: string; validFrom: string | null }): string {
  return `${currency} ${validFrom}`;
}

function inWords(supplier: string, facts: PartFacts): string {
  const { sku, manufacturer, mpn, packQuantity, minimum, multiple, leadTimeDays, rank, prices } = facts;
  const said = [
    `${supplier} ${sku}`,
    ...(manufacturer === null ? [] : [manufacturer]),
    ...(mpn === null || mpn === sku ? [] : [mpn]),
    ...(packQuantity === 1 ? [] : [`packs of ${packQuantity}`]),
    ...(minimum === null ? [] : [`at least ${minimum}`]),
    ...(multiple === null ? [] : [`multiples of ${multiple}`]),
    ...(leadTimeDays === null ? [] : [`${leadTimeDays} days`]),
    `rank ${rank}`,
    ...prices.map(({ from, price, currency }) => `${price} ${currency} from ${from}`),
  ].join(', ');
  return said.length <= SHOWN_CHARS_MAX ? said : `${said.slice(0, SHOWN_CHARS_MAX)}…`.toWellFormed();
}
