/** The value of an item in stock, and what is left of its cost layers. Nothing where the workspace keeps no costs. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import type { CostLayer, StockValue } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { Asked } from '../../components/dialogs/asked.tsx';
import { quantityColumn, textColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, type Fact, Facts, GridSheet, Sheet } from '../../components/page-frame.tsx';
import { costMethodNames, Moment, quantityText } from '../../components/words.tsx';
import type { PickedEntity } from '../../entities/entity-picker.tsx';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { RevalueDialog } from './revalue-dialog.tsx';
import { StandardCostDialog, useStandardCost, Variances } from './standard-cost.tsx';
import { moneyWords } from './value-words.ts';

export function ItemValue({ item }: { item: PickedEntity }) {
  const { data: settings } = useQuery(ask('getStockSettings', {}));
  const costing = settings?.costing ?? null;
  return costing === null ? null : <Valued item={item} {...costing} />;
}

interface ValuedProps {
  item: PickedEntity;
  method: keyof typeof costMethodNames;
  currency: string;
}

function Valued({ item, method, currency }: ValuedProps) {
  const mayRevalue = useMay('procurement');
  /** Null: the dialog is closed. */
  const [revalued, setRevalued] = useState<{ layer: CostLayer | null } | null>(null);
  const values = useQuery(ask('listStockValues', { query: { item: item.id } }));
  const value = values.data?.items[0];
  const standard = useStandardCost(item.id);
  const hasStandard = standard !== undefined && standard !== null;
  const [setsStandard, setSetsStandard] = useState(false);
  const columns =
    mayRevalue && !hasStandard ? [...shown, revalueColumn((layer) => setRevalued({ layer }))] : shown;
  return (
    <>
      <Sheet
        title="Value"
        actions={
          mayRevalue && (
            <>
              <Button variant="default" onClick={() => setSetsStandard(true)}>
                Standard cost
              </Button>
              {value !== undefined && !hasStandard && (
                <Button variant="default" onClick={() => setRevalued({ layer: null })}>
                  Revalue
                </Button>
              )}
            </>
          )
        }
      >
        <Asked of={values}>
          {({ items: [found] }) =>
            found === undefined ? (
              <>
                <p className="muted">Nothing is on hand.</p>
                {hasStandard && <Facts facts={[['Standard cost', moneyWords(standard, currency)]]} />}
              </>
            ) : (
              <Facts facts={factsOf(found, method)} />
            )
          }
        </Asked>
      </Sheet>
      {value !== undefined && (
        <GridSheet title="Cost layers">
          <List
            label="Cost layers of the item"
            name="listCostLayers"
            input={{ itemEntityId: item.id }}
            noun={['layer', 'layers']}
            columns={columns}
            rowKey={({ locationEntityId, layer, since }) => `${locationEntityId} ${layer} ${since}`}
            scope="layers"
            heightMax={420}
            empty={
              <EmptyState title="No cost layers yet">
                What was there before costs were kept has none until it is revalued.
              </EmptyState>
            }
          />
        </GridSheet>
      )}
      {standard !== undefined && <Variances item={item} />}
      {setsStandard && (
        <StandardCostDialog
          item={item}
          currency={currency}
          standard={standard ?? null}
          onClose={() => setSetsStandard(false)}
        />
      )}
      {revalued !== null && (
        <RevalueDialog
          item={item}
          currency={currency}
          layer={revalued.layer}
          onClose={() => setRevalued(null)}
        />
      )}
    </>
  );
}

function factsOf(
  { value, unitValue, standardCost, currency, unknownQuantity, unit }: StockValue,
  method: ValuedProps['method'],
): Fact[] {
  return [
    ['Value', moneyWords(value, currency)],
    ['For one', moneyWords(unitValue, currency)],
    standardCost === null
      ? ['Method', costMethodNames[method]]
      : ['Standard cost', moneyWords(standardCost, currency)],
    ...(unknownQuantity === 0
      ? []
      : [
          [
            'Without a known cost',
            `${quantityText(unknownQuantity)}${unit === null ? '' : ` ${unit}`}, in no value`,
          ] as const,
        ]),
  ];
}

const shown: readonly GridColumn<CostLayer>[] = [
  {
    key: 'location',
    header: 'Location',
    width: 128,
    grow: 1,
    phone: 'title',
    cell: ({ locationEntityId, locationNumber, locationName }) => (
      <Link href={paths.entity(locationEntityId, 'stock')}>{locationNumber ?? locationName}</Link>
    ),
    text: ({ locationNumber, locationName }) => locationNumber ?? locationName,
  },
  {
    key: 'since',
    header: 'Came in',
    width: 112,
    phone: 'detail',
    cell: ({ since }) => (since === null ? 'Average' : <Moment at={since} />),
    text: ({ since }) => since,
  },
  quantityColumn('quantity', 'Left', { width: 84, phone: 'detail' }),
  {
    key: 'price',
    header: 'Price stated',
    width: 120,
    align: 'end',
    spare: 1,
    cell: ({ price }) => (price === null ? '' : moneyWords(price.amount, price.currency)),
    text: ({ price }) => (price === null ? null : moneyWords(price.amount, price.currency)),
  },
  {
    key: 'cost',
    header: 'Cost',
    width: 136,
    align: 'end',
    phone: 'side',
    cell: ({ cost, currency }) => <strong>{moneyWords(cost, currency)}</strong>,
    text: ({ cost }) => cost,
  },
  textColumn('currency', 'Currency', { width: 72, hidden: true }),
];

function revalueColumn(onRevalue: (layer: CostLayer) => void): GridColumn<CostLayer> {
  return {
    key: 'revalue',
    header: 'Revalue',
    width: 92,
    phone: 'side',
    cell: (layer) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`Revalue ${quantityText(layer.quantity)} at ${layer.locationNumber ?? layer.locationName}`}
        onClick={() => onRevalue(layer)}
      >
        Revalue
      </Button>
    ),
  };
}
