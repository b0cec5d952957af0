/** How the workspace keeps stock. */
import { Button, Checkbox, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { StockSettings } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { ChangedMeanwhile } from '../components/forms/changed-meanwhile.tsx';
import { readQuantity, typedQuantity } from '../components/forms/exact-quantity.ts';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import {
  typedWorkingDays,
  WorkingDaysFields,
  workingDaysBody,
  workingDaysFault,
} from '../components/forms/working-days-fields.tsx';
import { Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { costMethodNames } from '../components/words.tsx';
import styles from './settings.module.css';

const PERCENT_MAX = 1000;

export function StockSettingsTab() {
  const query = useQuery(ask('getStockSettings', {}));
  if (query.data === undefined) return query.isError ? <ProblemPanel error={query.error} /> : <Waiting />;
  return <StockSettingsForm settings={query.data} />;
}

function StockSettingsForm({ settings }: { settings: StockSettings }) {
  const mayConfigure = useMay('configuration');
  const change = useSavedForm('replaceStockSettings', {
    shown: fieldsOf(settings),
    read: readBy('getStockSettings', {}, fieldsOf),
    tell: (from, to) =>
      changesOf(from, to, {
        reserve: 'Reserve what is received',
        percent: 'Over-delivery in percent',
        reasons: 'Reasons for adjustments',
        closedUntil: 'Closed until',
        method: 'Method by which stock is valued',
        currency: 'Currency in which stock is valued',
        weekdays: 'Working days',
        holidays: 'Days that are not worked',
      }),
    changes: ['getStockSettings', 'listAudit', 'listStockValues', 'getStockValueTotal', 'listCostLayers'],
    done: 'Settings saved.',
    savedFields: fieldsOf,
  });
  const { form, set } = change;
  const percent = readQuantity(form.percent);
  const isWrong = percent === null || percent < 0 || percent > PERCENT_MAX;
  const hasBegun = settings.costing !== null;
  const currency = form.currency.trim().toUpperCase();
  const daysFault = workingDaysFault(form);
  const isNoCurrency = form.method !== '' && !/^[A-Z]{3}$/.test(currency);
  return (
    <Sheet title="Stock">
      <form
        className={styles.rows}
        onSubmit={(event) => {
          event.preventDefault();
          if (percent === null || isWrong || isNoCurrency || daysFault !== null) return;
          change.save({
            body: {
              reserveReceived: form.reserve,
              overDeliveryPercent: percent,
              adjustmentReasons: [...form.reasons],
              stockClosedUntil: form.closedUntil === '' ? null : form.closedUntil,
              ...(form.method === '' ? {} : { costing: { method: form.method, currency } }),
              workingDays: workingDaysBody(form),
            },
          });
        }}
      >
        <Checkbox
          label="Reserve what is received for a requirement"
          description="Nobody else can take it. It is reserved until it is issued, released or corrected."
          checked={form.reserve}
          disabled={!mayConfigure}
          onChange={(event) => set({ reserve: event.currentTarget.checked })}
        />
        <QuantityInput
          label="Over-delivery in percent"
          description="How much more than was ordered may be received. A line may state its own."
          value={form.percent}
          disabled={!mayConfigure}
          error={isWrong ? `From 0 to ${PERCENT_MAX}.` : undefined}
          onValue={(text) => set({ percent: text })}
        />
        <TagsInput
          label="Reasons for adjustments"
          description="Where there are some, an adjustment states one of these or none."
          value={[...form.reasons]}
          disabled={!mayConfigure}
          maxTags={50}
          onChange={(reasons) => set({ reasons })}
        />
        <TextInput
          label="Closed until"
          description="No movement can state this or an earlier day as the day on which it happened."
          type="date"
          value={form.closedUntil}
          disabled={!mayConfigure}
          onChange={(event) => set({ closedUntil: event.currentTarget.value })}
        />
        <NativeSelect
          label="Value stock"
          description={
            hasBegun
              ? 'The method can change; the currency cannot, and valuing cannot end.'
              : 'Once it has begun, it cannot end, and its currency cannot change. What is in stock then has no known cost until it is revalued.'
          }
          value={form.method}
          disabled={!mayConfigure}
          data={[
            ...(hasBegun ? [] : [{ value: '', label: 'Not valued' }]),
            ...Object.entries(costMethodNames).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(event) => set({ method: event.currentTarget.value as typeof form.method })}
        />
        {form.method !== '' && (
          <TextInput
            label="Currency of the value"
            value={form.currency}
            maxLength={3}
            disabled={!mayConfigure || hasBegun}
            error={isNoCurrency && form.currency !== '' ? 'Three letters, such as EUR.' : undefined}
            onChange={(event) => set({ currency: event.currentTarget.value })}
          />
        )}
        <WorkingDaysFields value={form} disabled={!mayConfigure} onValue={set} />
        <p>Lead times of the reorder list, of promises and of planning runs count these days.</p>
        <ChangedMeanwhile form={change} />
        {change.error !== null && <ProblemPanel error={change.error} />}
        {mayConfigure && (
          <Button
            type="submit"
            loading={change.isPending}
            disabled={
              !change.isTyped || isWrong || isNoCurrency || daysFault !== null || change.meanwhile !== null
            }
          >
            Save
          </Button>
        )}
      </form>
    </Sheet>
  );
}

function fieldsOf({
  reserveReceived,
  overDeliveryPercent,
  adjustmentReasons,
  stockClosedUntil,
  costing,
  workingDays,
}: StockSettings) {
  return {
    reserve: reserveReceived,
    percent: typedQuantity(overDeliveryPercent),
    reasons: adjustmentReasons as readonly string[],
    closedUntil: stockClosedUntil ?? '',
    method: costing?.method ?? ('' as const),
    currency: costing?.currency ?? '',
    ...typedWorkingDays(workingDays),
  };
}
