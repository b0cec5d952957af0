/** The exchange rates of the workspace, each from a day on. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ExchangeRate } from '../../client/operations.ts';
import { DeleteDialog } from '../../components/dialogs/delete-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { textColumn } from '../../components/lists/columns.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { RowActions } from '../../components/lists/row-actions.tsx';
import { EmptyState, GridSheet } from '../../components/page-frame.tsx';
import { useAction } from '../../components/use-action.ts';
import { dayText } from '../../components/words.tsx';
import styles from '../procurement.module.css';

const RATE_CHANGES = ['listExchangeRates', 'getCost', 'listReorder', 'listAudit'] as const;

export function ExchangeRates({ mayWrite }: { mayWrite: boolean }) {
  const [doing, setDoing] = useState<'new' | ExchangeRate | null>(null);
  return (
    <>
      <GridSheet>
        <List
          label="Exchange rates"
          noun={['exchange rate', 'exchange rates']}
          name="listExchangeRates"
          input={{}}
          rowKey={keyOf}
          heightMax={420}
          scope="exchangeRates"
          filters={[]}
          tools={mayWrite && <Button onClick={() => setDoing('new')}>Set an exchange rate</Button>}
          columns={columnsOf(mayWrite ? setDoing : null)}
          empty={
            <EmptyState title="No exchange rates">
              They convert costs into one currency. A currency without a rate is named, and not counted as
              zero.
            </EmptyState>
          }
        />
      </GridSheet>
      {doing === 'new' && <RateDialog onClose={() => setDoing(null)} />}
      {doing !== null && doing !== 'new' && (
        <DeleteDialog
          operation="deleteExchangeRate"
          input={{ from: doing.from, to: doing.to, validFrom: doing.validFrom }}
          changes={RATE_CHANGES}
          what={`the rate of ${doing.from} into ${doing.to} from ${dayText(doing.validFrom)}`}
          consequence="The rate before it applies again."
          done="Exchange rate deleted."
          onClose={() => setDoing(null)}
        />
      )}
    </>
  );
}

function keyOf({ from, to, validFrom }: ExchangeRate): string {
  return `${from} ${to} ${validFrom}`;
}

function columnsOf(remove: ((rate: ExchangeRate) => void) | null): GridColumn<ExchangeRate>[] {
  const columns: GridColumn<ExchangeRate>[] = [
    textColumn('from', 'Currency', { width: 100, phone: 'title' }),
    {
      key: 'rate',
      header: 'Rate',
      width: 180,
      grow: 1,
      phone: 'side',
      cell: ({ rate, to }) => `${rate} ${to}`,
      text: ({ rate, to }) => `${rate} ${to}`,
    },
    {
      key: 'validFrom',
      header: 'From',
      width: 120,
      phone: 'detail',
      cell: ({ validFrom }) => dayText(validFrom),
      text: ({ validFrom }) => validFrom,
    },
  ];
  if (remove !== null)
    columns.push({
      key: 'actions',
      header: '',
      width: 60,
      align: 'end',
      phone: 'side',
      cell: (rate) => (
        <RowActions
          actions={[
            {
              icon: 'trash',
              label: `Delete the rate of ${rate.from} into ${rate.to} from ${rate.validFrom}`,
              onClick: () => remove(rate),
            },
          ]}
        />
      ),
      text: () => null,
    });
  return columns;
}

function RateDialog({ onClose }: { onClose: () => void }) {
  const [fields, setFields] = useState({
    from: '',
    to: '',
    rate: '',
    validFrom: new Date().toISOString().slice(0, 10),
  });
  const set = (patch: Partial<typeof fields>) => setFields({ ...fields, ...patch });
  const from = fields.from.trim().toUpperCase();
  const to = fields.to.trim().toUpperCase();
  const save = useAction('setExchangeRate', {
    changes: RATE_CHANGES,
    done: (made) => `1 ${made.from} is ${made.rate} ${made.to} from ${dayText(made.validFrom)} on.`,
    onDone: onClose,
  });
  const notYet =
    !/^[A-Z]{3}$/.test(from) || !/^[A-Z]{3}$/.test(to) || from === to
      ? 'Enter two currency codes of three letters, such as USD and EUR.'
      : !/^\d{1,9}(\.\d{1,9})?$/.test(fields.rate.trim())
        ? 'The rate is a decimal such as 0.9231.'
        : fields.validFrom === ''
          ? 'Enter the first day.'
          : null;
  return (
    <Dialog
      title="Set an exchange rate"
      submit="Save"
      onClose={onClose}
      busy={save.isPending}
      error={save.error}
      notYet={notYet}
      onSubmit={() =>
        save.mutate({ from, to, validFrom: fields.validFrom, body: { rate: fields.rate.trim() } })
      }
    >
      <div className={styles.two}>
        <TextInput
          label="One unit of"
          description="Such as USD"
          value={fields.from}
          maxLength={3}
          data-autofocus=""
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          label="In"
          description="Such as EUR"
          value={fields.to}
          maxLength={3}
          onChange={(event) => set({ to: event.currentTarget.value })}
        />
      </div>
      <div className={styles.two}>
        <TextInput
          label="Is worth"
          inputMode="decimal"
          value={fields.rate}
          onChange={(event) => set({ rate: event.currentTarget.value })}
        />
        <TextInput
          label="From this day on"
          type="date"
          value={fields.validFrom}
          onChange={(event) => set({ validFrom: event.currentTarget.value })}
        />
      </div>
    </Dialog>
  );
}
