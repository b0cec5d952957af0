/** Supplier parts: of an item on its page, or of a supplier. */

import { Button } from '@mantine/core';
import { useState } from 'react';
import { amountText } from '../../../clients/typescript/amount-text.ts';
import type { SupplierPart } from '../../client/operations.ts';
import { DeleteDialog } from '../../components/dialogs/delete-dialog.tsx';
import { textColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { RowActions } from '../../components/lists/row-actions.tsx';
import { EmptyState, GridSheet } from '../../components/page-frame.tsx';
import { countText, PartNumber, quantityText } from '../../components/words.tsx';
import type { PickedEntity } from '../../entities/entity-picker.tsx';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { daysText } from './supplier-list-page.tsx';
import { PART_CHANGES, SupplierPartDialog } from './supplier-part-dialog.tsx';

/** In pixels. Numbers of suppliers and of manufacturers are long, and are read to the last sign. */
const TWO_LINES_BELOW = 1400;

export interface SupplierPartsProps {
  of: { item: PickedEntity } | { supplierId: string };
  mayWrite: boolean;
}

export function SupplierParts({ of, mayWrite }: SupplierPartsProps) {
  const [doing, setDoing] = useState<'new' | { change: SupplierPart } | { remove: SupplierPart } | null>(
    null,
  );
  const ofItem = 'item' in of;
  const query = ofItem ? { itemEntityId: of.item.id } : { supplierId: of.supplierId };
  return (
    <>
      <GridSheet>
        <List
          label="Supplier parts"
          noun={['supplier part', 'supplier parts']}
          name="listSupplierParts"
          input={{ query }}
          rowKey={({ id }) => id}
          heightMax={420}
          tallBelow={TWO_LINES_BELOW}
          scope="supplierParts"
          search={ofItem ? undefined : { key: 'q', placeholder: 'SKU or MPN' }}
          filters={[]}
          tools={mayWrite && <Button onClick={() => setDoing('new')}>Add a supplier part</Button>}
          columns={columnsOf(ofItem, mayWrite ? setDoing : null)}
          empty={
            <EmptyState title="No supplier parts">
              They say who sells it, under which number, in which packs and at which prices.
            </EmptyState>
          }
        />
      </GridSheet>
      {doing === 'new' && (
        <SupplierPartDialog
          part={null}
          item={ofItem ? of.item : null}
          supplierId={ofItem ? null : of.supplierId}
          onClose={() => setDoing(null)}
        />
      )}
      {doing !== null && doing !== 'new' && 'change' in doing && (
        <SupplierPartDialog
          part={doing.change}
          item={null}
          supplierId={null}
          onClose={() => setDoing(null)}
        />
      )}
      {doing !== null && doing !== 'new' && 'remove' in doing && (
        <DeleteDialog
          operation="deleteSupplierPart"
          input={{ id: doing.remove.id }}
          changes={PART_CHANGES}
          what={`${doing.remove.sku} of ${doing.remove.supplier}`}
          consequence="Order lines keep the number and the price that they took from it."
          done={`${doing.remove.sku} deleted.`}
          onClose={() => setDoing(null)}
        />
      )}
    </>
  );
}

type Act = { change: SupplierPart } | { remove: SupplierPart };

function columnsOf(ofItem: boolean, act: ((what: Act) => void) | null): GridColumn<SupplierPart>[] {
  const first: GridColumn<SupplierPart> = ofItem
    ? {
        key: 'supplier',
        header: 'Supplier',
        width: 140,
        grow: 1,
        phone: 'title',
        cell: ({ supplierId, supplier }) => <Link href={paths.supplier(supplierId)}>{supplier}</Link>,
        text: ({ supplier }) => supplier,
      }
    : {
        key: 'item',
        header: 'Item',
        width: 150,
        grow: 2,
        phone: 'title',
        cell: ({ itemEntityId, itemNumber, itemName }) => (
          <Link href={paths.entity(itemEntityId, 'demand')}>
            <PartNumber number={itemNumber} /> {itemName}
          </Link>
        ),
        text: ({ itemNumber, itemName }) => itemNumber ?? itemName,
      };
  return [
    first,
    textColumn('sku', 'SKU', { width: 140, grow: 1, phone: 'detail' }),
    {
      key: 'mpn',
      header: 'Manufacturer, MPN',
      width: 150,
      grow: 2,
      cell: madeText,
      text: madeText,
    },
    {
      key: 'packs',
      header: 'Packs of',
      width: 84,
      align: 'end',
      phone: 'detail',
      cell: ({ packQuantity, unit }) => `${quantityText(packQuantity)} ${unit ?? ''}`,
      text: ({ packQuantity }) => packQuantity,
    },
    {
      key: 'prices',
      header: 'Prices',
      width: 150,
      grow: 2,
      phone: 'below',
      cell: pricesText,
      text: pricesText,
    },
    {
      key: 'leadTimeDays',
      header: 'Lead time',
      width: 90,
      align: 'end',
      cell: ({ leadTimeDays }) => daysText(leadTimeDays),
      text: ({ leadTimeDays }) => leadTimeDays,
    },
    textColumn('rank', 'Rank', { width: 56, align: 'end' }),
    textColumn('status', 'Status', { width: 76, phone: 'side' }),
    ...(act === null
      ? []
      : [
          {
            key: 'acts',
            header: '',
            width: 84,
            phone: 'side' as const,
            cell: (part: SupplierPart) => (
              <RowActions
                actions={[
                  { icon: 'edit', label: `Change ${part.sku}`, onClick: () => act({ change: part }) },
                  { icon: 'trash', label: `Delete ${part.sku}`, onClick: () => act({ remove: part }) },
                ]}
              />
            ),
            text: () => null,
          },
        ]),
  ];
}

/** The manufacturer and its number, as far as they are known. */
function madeText({ manufacturer, mpn }: SupplierPart): string {
  return `${manufacturer ?? ''} ${mpn ?? ''}`.trim();
}

/** The first price, and how many others there are: `0.14 USD from 1, and 1 more price`. */
function pricesText({ prices }: SupplierPart): string {
  const [first, ...others] = prices;
  if (first === undefined) return '';
  const shown = `${amountText(first.price, first.currency)} from ${quantityText(first.from)}`;
  return others.length === 0 ? shown : `${shown}, and ${countText(others.length, 'more price')}`;
}
