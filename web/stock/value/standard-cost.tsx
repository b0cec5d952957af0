/** What arrived of an item at its standard cost, with what was paid; nothing where the item never had one. */
import { Button, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sumVariances } from '../../../clients/typescript/variance-totals.ts';
import { ask, askPages } from '../../client/ask.ts';
import type { CostVariance, VarianceTotal } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { quantityColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, Facts, GridSheet, Sheet } from '../../components/page-frame.tsx';
import { useAction } from '../../components/use-action.ts';
import { Moment } from '../../components/words.tsx';
import type { PickedEntity } from '../../entities/entity-picker.tsx';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { moneyWords, revaluedWords, VALUE_CHANGES } from './value-words.ts';

/** Returns the standard cost in force; null if there is none, undefined if there never was one. */
export function useStandardCost(itemEntityId: string): string | null | undefined {
  return useQuery(ask('listStandardCosts', { itemEntityId, query: { limit: 1 } })).data?.items[0]?.cost;
}

export function Variances({ item }: { item: PickedEntity }) {
  return (
    <>
      <GridSheet title="Arrivals at standard cost">
        <List
          label="What was paid compared with the standard cost"
          name="listCostVariances"
          input={{ itemEntityId: item.id }}
          noun={['arrival', 'arrivals']}
          columns={shown}
          rowKey={({ entryId, locationEntityId, layer }) => `${entryId} ${locationEntityId} ${layer}`}
          scope="variances"
          heightMax={420}
          empty={
            <EmptyState title="Nothing arrived yet">
              What arrives is valued at the standard cost. The difference to what was paid is listed here.
            </EmptyState>
          }
        />
      </GridSheet>
      <VarianceTotals itemEntityId={item.id} />
    </>
  );
}

const kindNames = {
  priced: 'Arrived at a price',
  unpriced: 'Arrived without a price',
  returned: 'Returned',
  built: 'Built',
} as const;

/** Sums of the arrivals that the list has loaded, from the same pages. */
function VarianceTotals({ itemEntityId }: { itemEntityId: string }) {
  const { data, hasNextPage } = useInfiniteQuery(askPages('listCostVariances', { itemEntityId, query: {} }));
  const pages = data?.pages ?? [];
  const currency = pages[0]?.items[0]?.currency;
  if (currency === undefined) return null;
  return (
    <Sheet title={hasNextPage ? 'Total variance of the arrivals that are loaded' : 'Total variance'}>
      <Facts
        facts={sumVariances(pages.flatMap((page) => (page as { totals?: VarianceTotal[] }).totals ?? [])).map(
          ({ kind, arrivals, variance, unknownArrivals }) => {
            const known = arrivals - unknownArrivals;
            const of = unknownArrivals === 0 ? '' : `, ${known} of ${arrivals} arrivals`;
            return [kindNames[kind], `${moneyWords(variance, currency)}${of}`];
          },
        )}
      />
    </Sheet>
  );
}

const shown: readonly GridColumn<CostVariance>[] = [
  {
    key: 'recorded',
    header: 'Arrived',
    width: 112,
    phone: 'title',
    cell: ({ recordedAt }) => <Moment at={recordedAt} />,
    text: ({ recordedAt }) => recordedAt,
  },
  {
    key: 'location',
    header: 'Location',
    width: 112,
    grow: 1,
    spare: 2,
    cell: ({ locationEntityId, locationNumber, locationName }) => (
      <Link href={paths.entity(locationEntityId, 'stock')}>{locationNumber ?? locationName}</Link>
    ),
    text: ({ locationNumber, locationName }) => locationNumber ?? locationName,
  },
  quantityColumn('quantity', 'Quantity', { width: 84, phone: 'detail' }),
  {
    key: 'standard',
    header: 'At standard',
    width: 112,
    align: 'end',
    spare: 1,
    cell: ({ cost, currency }) => moneyWords(cost, currency),
    text: ({ cost }) => cost,
  },
  {
    key: 'paid',
    header: 'Paid',
    width: 112,
    align: 'end',
    phone: 'detail',
    cell: ({ paid, currency }) => moneyWords(paid, currency),
    text: ({ paid }) => paid,
  },
  {
    key: 'variance',
    header: 'Variance',
    width: 120,
    align: 'end',
    phone: 'side',
    cell: ({ variance, currency }) => <strong>{moneyWords(variance, currency)}</strong>,
    text: ({ variance }) => variance,
  },
];

export interface StandardCostDialogProps {
  item: PickedEntity;
  /** The currency in which the workspace values its stock. */
  currency: string;
  /** The standard cost in force; null: none. */
  standard: string | null;
  onClose: () => void;
}

const COST = /^\d{1,9}([.,]\d{1,6})?$/;

export function StandardCostDialog({ item, currency, standard, onClose }: StandardCostDialogProps) {
  const [cost, setCost] = useState(standard ?? '');
  const [note, setNote] = useState('');
  const set = useAction('setStandardCost', {
    changes: VALUE_CHANGES,
    done: ({ cost: now, revalued }) =>
      now === null
        ? 'Standard cost removed. What arrives from now on is valued at what it costs.'
        : `Standard cost: ${moneyWords(now, currency)}.${revalued === null ? '' : ` ${revaluedWords(revalued)}`}`,
    onDone: onClose,
  });
  const send = (given: string | null) =>
    set.mutate({
      itemEntityId: item.id,
      body: { cost: given, ...(note.trim() === '' ? {} : { note: note.trim() }) },
    });
  return (
    <Dialog
      title={`Standard cost: ${item.number ?? item.name}`}
      submit="Set standard cost"
      onClose={onClose}
      busy={set.isPending}
      error={set.error}
      notYet={COST.test(cost.trim()) ? null : 'Enter the cost of one, such as 1.25.'}
      onSubmit={() => send(cost.trim().replace(',', '.'))}
    >
      <p className="muted">
        Stock on hand is revalued at the standard cost. What arrives from now on is valued at it, too, and the
        difference to what was paid is listed. Recorded entries do not change.
      </p>
      <TextInput
        label={`Cost of one base unit in ${currency}`}
        inputMode="decimal"
        value={cost}
        maxLength={17}
        onChange={(event) => setCost(event.currentTarget.value)}
        data-autofocus=""
      />
      <TextInput
        label="Note"
        placeholder="Such as the year of the standard"
        value={note}
        maxLength={2000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {standard !== null && (
        <Button variant="default" disabled={set.isPending} onClick={() => send(null)}>
          Remove standard cost
        </Button>
      )}
    </Dialog>
  );
}
