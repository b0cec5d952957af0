/** An order as a document: its head, its table and its sums as texts, by the template of the workspace. */
import { amountText } from '../../../clients/typescript/amount-text.ts';
import { documentLimits } from '../../config.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { type Cell, csvLine } from '../../http/csv-line.ts';
import { readOrder } from '../records/find-order.ts';
import type { StockLine } from '../records/lines.schema.ts';
import type { OrderWithLines } from '../records/orders.schema.ts';
import { supplierKey } from '../records/suppliers/supplier-key.ts';
import type { SupplierPartRow } from '../records/suppliers/supplier-part.ts';
import { selectPartsWithoutNames } from '../records/suppliers/supplier-parts.sql.ts';
import { type SupplierRow, selectSupplierByKey } from '../suppliers/supplier.sql.ts';
import type { DocumentField, OrderTemplate } from './order-template.schema.ts';
import { readTemplate } from './order-template.ts';

/** Plain values, so that a thread can take it. */
export interface OrderDocument {
  template: OrderTemplate;
  /** Such as "Purchase order PO-000004". */
  title: string;
  /** Name and address of the supplier or customer, line by line. */
  recipient: readonly string[];
  recipientLabel: string;
  facts: readonly (readonly [label: string, value: string])[];
  rows: readonly (readonly Cell[])[];
  /** The currency of each row. */
  currencies: readonly (string | null)[];
  totals: readonly string[];
}

/** The name of the file, without its ending. */
function fileNameOf({ number, id }: { number: string | null; id: string }): string {
  return (number ?? id).replaceAll(/[^\w.-]+/g, '-');
}

/** Throws `order_not_found`, `document_too_large`. */
export async function readOrderDocument(
  tx: Tx,
  ref: EntityRef,
): Promise<{ name: string; document: OrderDocument }> {
  const order = await readOrder(tx, ref);
  if (order.totals.lines > documentLimits.linesMax) {
    throw new AppError('document_too_large', {
      detail: `Order ${order.number ?? order.id} has ${order.totals.lines} lines; a document has up to ${documentLimits.linesMax}. Read its lines at /stock/lines?orderId=.`,
      extensions: { limit: documentLimits.linesMax },
    });
  }
  const { template } = await readTemplate(tx);
  const lines = order.lines.filter(({ state }) => state !== 'Cancelled');
  const parts = await readParts(tx, lines);
  const supplier = await readSupplier(tx, order.supplier);
  const cells = lines.map((line, index) => ({
    line,
    position: index + 1,
    part: line.supplierPartId === null ? null : (parts.get(line.supplierPartId) ?? null),
  }));
  const document = {
    template,
    title: `${template.words[order.type]} ${order.number ?? ''}`.trim(),
    recipient: recipientOf(order, supplier),
    recipientLabel: template.words[order.supplier === null ? 'customer' : 'supplier'],
    facts: factsOf(order, template),
    rows: cells.map((cell) => template.columns.map(({ field }) => shownCells[field](cell))),
    currencies: lines.map(({ currency }) => currency),
    totals: order.totals.amounts.map(({ currency, amount }) => amountText(amount, currency)),
  };
  return { name: fileNameOf(order), document };
}

/** The table alone, with the titles of the template. */
export function csvOf({ template, rows }: OrderDocument): string {
  return [template.columns.map(({ title }) => title), ...rows].map(csvLine).join('');
}

interface PrintedLine {
  line: StockLine;
  position: number;
  part: SupplierPartRow | null;
}

/** The cell of each column. Decimal texts of money stay as they are: a spreadsheet reads them as numbers. */
const shownCells: Record<DocumentField, (line: PrintedLine) => Cell> = {
  position: ({ position }) => position,
  itemNumber: ({ line }) => line.itemNumber,
  itemName: ({ line }) => line.itemName,
  itemRevision: ({ line }) => line.itemRevisionLabel,
  sku: ({ line }) => line.sku,
  manufacturer: ({ part }) => part?.manufacturer,
  mpn: ({ part }) => part?.mpn,
  quantity: ({ line }) => line.enteredQuantity ?? line.quantity,
  unit: ({ line }) => line.enteredUnit ?? line.unit,
  packs: ({ line }) => line.packs,
  packQuantity: ({ line }) => line.packQuantity,
  price: ({ line }) => line.price,
  currency: ({ line }) => line.currency,
  amount: ({ line }) => line.amount,
  requiredBy: ({ line }) => line.requiredBy,
  location: ({ line }) => line.locationName,
  lineNumber: ({ line }) => line.number,
  state: ({ line }) => line.state,
};

async function readParts(tx: Tx, lines: readonly StockLine[]): Promise<Map<string, SupplierPartRow>> {
  const ids = [...new Set(lines.map(({ supplierPartId }) => supplierPartId).filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await tx.query<SupplierPartRow>(selectPartsWithoutNames, [tx.workspaceId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

async function readSupplier(tx: Tx, name: string | null): Promise<SupplierRow | null> {
  if (name === null) return null;
  const [row] = await tx.query<SupplierRow>(selectSupplierByKey, [tx.workspaceId, supplierKey(name)]);
  return row ?? null;
}

function recipientOf({ supplier: name, customer }: OrderWithLines, supplier: SupplierRow | null): string[] {
  if (name === null) return customer === null ? [] : [customer];
  return [name, ...(supplier?.contact ?? '').split('\n')]
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function factsOf(order: OrderWithLines, { words }: OrderTemplate): [string, string][] {
  const facts: [string, string | null][] = [
    [words.date, order.createdAt.slice(0, 10)],
    [words.ourReference, order.ourReference],
    [words.theirReference, order.theirReference],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
