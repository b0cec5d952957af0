/** The forecasts of an item: what is expected to be sold of it in each span of days. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Forecast } from '../client/operations.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { readQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { usePhone } from '../components/lists/use-media.ts';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { dayText, Quantity, quantityText, today } from '../components/words.tsx';
import styles from './procurement.module.css';

const FORECAST_CHANGES = ['listForecasts', 'getPromise', 'getPlanningTimeline', 'listAudit'] as const;

export function ItemForecasts({ itemId, mayWrite }: { itemId: string; mayWrite: boolean }) {
  const phone = usePhone();
  const [doing, setDoing] = useState<'new' | Forecast | null>(null);
  return (
    <>
      <GridSheet>
        <List
          label="Forecasts"
          noun={['forecast', 'forecasts']}
          name="listForecasts"
          input={{ query: { item: itemId } }}
          rowKey={({ from }) => from}
          heightMax={420}
          scope="forecasts"
          filters={[]}
          tools={mayWrite && <Button onClick={() => setDoing('new')}>Add a forecast</Button>}
          columns={columnsOf(phone, mayWrite ? setDoing : null)}
          empty={
            <EmptyState title="No forecasts">
              They say what is expected to be sold. A planning run plans what sales orders of the span leave
              of it.
            </EmptyState>
          }
        />
      </GridSheet>
      {doing === 'new' && <ForecastDialog itemId={itemId} onClose={() => setDoing(null)} />}
      {doing !== null && doing !== 'new' && (
        <DeleteDialog
          operation="deleteForecast"
          input={{ itemEntityId: doing.itemEntityId, from: doing.from }}
          changes={FORECAST_CHANGES}
          what={`the forecast from ${dayText(doing.from)}`}
          consequence="Planning runs no longer plan it."
          done="Forecast deleted."
          onClose={() => setDoing(null)}
        />
      )}
    </>
  );
}

function columnsOf(phone: boolean, remove: ((forecast: Forecast) => void) | null): GridColumn<Forecast>[] {
  const columns: GridColumn<Forecast>[] = [
    {
      key: 'from',
      header: 'From',
      width: 110,
      grow: 1,
      phone: 'title',
      cell: ({ from }) => dayText(from),
      text: ({ from }) => from,
    },
    {
      key: 'until',
      header: 'Until',
      width: 110,
      grow: 1,
      phone: 'detail',
      cell: ({ until }) => (phone ? `until ${dayText(until)}` : dayText(until)),
      text: ({ until }) => until,
    },
    {
      key: 'quantity',
      header: 'Quantity',
      width: 90,
      align: 'end',
      phone: 'side',
      cell: ({ quantity }) => <Quantity value={quantity} />,
      text: ({ quantity }) => quantity,
    },
  ];
  if (remove !== null)
    columns.push({
      key: 'actions',
      header: phone ? '' : 'Delete',
      width: 60,
      align: 'end',
      phone: 'side',
      cell: (forecast) => (
        <RowActions
          actions={[
            {
              icon: 'trash',
              label: `Delete the forecast from ${forecast.from}`,
              onClick: () => remove(forecast),
            },
          ]}
        />
      ),
      text: () => null,
    });
  return columns;
}

function ForecastDialog({ itemId, onClose }: { itemId: string; onClose: () => void }) {
  const [fields, setFields] = useState({ from: today(), until: '', quantity: '' });
  const set = (patch: Partial<typeof fields>) => setFields({ ...fields, ...patch });
  const { from, until } = fields;
  const quantity = readQuantity(fields.quantity);
  const save = useAction('setForecasts', {
    changes: FORECAST_CHANGES,
    done: `${quantityText(quantity ?? 0)} expected from ${dayText(from)} until ${dayText(until)}.`,
    onDone: onClose,
  });
  const notYet =
    from === '' || until === ''
      ? 'Enter the first and the last day.'
      : until < from
        ? 'The last day is not before the first.'
        : quantity === null || quantity <= 0
          ? 'Enter a quantity above 0.'
          : null;
  return (
    <Dialog
      title="Add a forecast"
      submit="Save"
      onClose={onClose}
      busy={save.isPending}
      error={save.error}
      notYet={notYet}
      onSubmit={() =>
        save.mutate({
          body: { forecasts: [{ itemEntityId: itemId, from, until, quantity: quantity ?? 0 }] },
        })
      }
    >
      <p>A forecast with the same first day is replaced. Forecasts of an item do not overlap.</p>
      <div className={styles.two}>
        <TextInput
          label="First day"
          type="date"
          value={from}
          data-autofocus=""
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          label="Last day"
          type="date"
          value={until}
          onChange={(event) => set({ until: event.currentTarget.value })}
        />
      </div>
      <QuantityInput label="Quantity" value={fields.quantity} onValue={(text) => set({ quantity: text })} />
    </Dialog>
  );
}
