/** The stock, or the count of a saved view, at which an automation runs. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { askAll } from '../client/ask.ts';
import type { Automation, AutomationThreshold } from '../client/operations.ts';
import { Sheet } from '../components/page-frame.tsx';
import { Moment, quantityText } from '../components/words.tsx';
import styles from './automations.module.css';
import { NumberField } from './number-field.tsx';

export const freshThreshold: AutomationThreshold = { figure: 'available', below: 0 };

const figures: { value: string; label: string }[] = [
  { value: 'available', label: 'Available' },
  { value: 'onHand', label: 'On hand' },
  { value: 'reserved', label: 'Reserved' },
  { value: 'onOrder', label: 'On order' },
];
const VIEW = 'view:';

export interface ThresholdSettingsProps {
  threshold: AutomationThreshold;
  onChange: (threshold: AutomationThreshold) => void;
}

export function ThresholdSettings({ threshold, onChange }: ThresholdSettingsProps) {
  const { figure, view, below, above, rearm } = threshold;
  const views = useQuery(askAll('listViews', { query: { list: 'entities' } })).data ?? [];
  const choices = views.map(({ id, name }) => ({ value: `${VIEW}${id}`, label: name }));
  const isKnown = view === undefined || views.some(({ id }) => id === view);
  const missing = isKnown ? [] : [{ value: `${VIEW}${view}`, label: 'A view that you cannot see' }];
  const level = below ?? above ?? 0;
  const set = (
    of: Pick<AutomationThreshold, 'figure' | 'view'>,
    isBelow: boolean,
    next: number,
    back = rearm,
  ) =>
    onChange({
      ...of,
      ...(isBelow ? { below: next } : { above: next }),
      ...(back === undefined ? {} : { rearm: back }),
    });
  const own = view === undefined ? { figure: figure ?? 'available' } : { view };
  const isBelow = below !== undefined;
  return (
    <Sheet title="Threshold">
      <div className={styles.between}>
        <NativeSelect
          label="Value"
          description={
            view === undefined
              ? 'The sum of an item over all locations.'
              : 'It is counted about once a minute.'
          }
          value={view === undefined ? figure : `${VIEW}${view}`}
          data={[
            { group: 'Stock of an item', items: figures },
            { group: 'Number of items in a view', items: [...choices, ...missing] },
          ]}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            const of = chosen.startsWith(VIEW)
              ? { view: chosen.slice(VIEW.length) }
              : { figure: chosen as NonNullable<AutomationThreshold['figure']> };
            set(of, isBelow, level);
          }}
        />
        <NativeSelect
          label="Crossing"
          description="It runs once."
          value={isBelow ? 'below' : 'above'}
          data={[
            { value: 'below', label: 'falls below' },
            { value: 'above', label: 'rises above' },
          ]}
          onChange={(event) => {
            const { rearm: _, ...rest } = threshold;
            const { below: __, above: ___, ...others } = rest;
            onChange({
              ...others,
              ...(event.currentTarget.value === 'below' ? { below: level } : { above: level }),
            });
          }}
        />
        <NumberField
          label="Threshold"
          description="The value that is crossed."
          value={level}
          onChange={(value) => set(own, isBelow, value ?? 0)}
        />
        <NumberField
          key={String(isBelow)}
          label={
            isBelow ? 'Again after it has risen to (optional)' : 'Again after it has fallen to (optional)'
          }
          description="At a distance from the threshold, so that small changes do not run it again."
          value={rearm ?? null}
          onChange={(value) => {
            const { rearm: _, ...rest } = threshold;
            onChange(value === null ? rest : { ...rest, rearm: value });
          }}
        />
      </div>
    </Sheet>
  );
}

/** The last count of the view, or why there is none. */
export function ViewStatus({ status }: { status: NonNullable<Automation['thresholdStatus']> }) {
  if (status.error !== null) return <span className="bad">{status.error}</span>;
  return (
    <span>
      Count: {quantityText(status.count ?? 0)}
      {status.isCrossed && ', beyond the threshold'} <Moment at={status.at} />
    </span>
  );
}
