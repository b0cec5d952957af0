/** The stock at which an automation runs. */
import { NativeSelect } from '@mantine/core';
import type { AutomationThreshold } from '../client/operations.ts';
import { Sheet } from '../components/page-frame.tsx';
import styles from './automations.module.css';
import { NumberField } from './number-field.tsx';

export const freshThreshold: AutomationThreshold = { figure: 'available', below: 0 };

const figures: { value: AutomationThreshold['figure']; label: string }[] = [
  { value: 'available', label: 'Available' },
  { value: 'onHand', label: 'On hand' },
  { value: 'reserved', label: 'Reserved' },
  { value: 'onOrder', label: 'On order' },
];

export interface ThresholdSettingsProps {
  threshold: AutomationThreshold;
  onChange: (threshold: AutomationThreshold) => void;
}

export function ThresholdSettings({ threshold, onChange }: ThresholdSettingsProps) {
  const { figure, below, rearm } = threshold;
  return (
    <Sheet title="Threshold">
      <div className={styles.between}>
        <NativeSelect
          label="Figure of the item"
          description="The sum over all locations."
          value={figure}
          data={figures}
          onChange={(event) =>
            onChange({ ...threshold, figure: event.currentTarget.value as AutomationThreshold['figure'] })
          }
        />
        <NumberField
          label="Falls below"
          description="It runs once."
          value={below}
          onChange={(value) => onChange({ ...threshold, below: value ?? 0 })}
        />
        <NumberField
          label="Again after it has risen to (optional)"
          description="More than the threshold, so that small changes do not run it again."
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
