/** When a scheduled automation runs. */
import { TextInput } from '@mantine/core';
import type { AutomationSchedule } from '../client/operations.ts';
import { Sheet } from '../components/page-frame.tsx';
import { Moment } from '../components/words.tsx';
import styles from './automations.module.css';

/** A schedule is late when its time passed so long ago. */
const LATE_MS = 2 * 60_000;

export const freshSchedule = (): AutomationSchedule => ({
  cron: '0 6 * * 1-5',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export interface ScheduleSettingsProps {
  schedule: AutomationSchedule;
  onChange: (schedule: AutomationSchedule) => void;
}

export function ScheduleSettings({ schedule, onChange }: ScheduleSettingsProps) {
  return (
    <Sheet title="Schedule">
      <div className={styles.stack}>
        <TextInput
          label="Cron"
          description="Minute, hour, day of the month, month, day of the week: 0 6 * * 1-5 is 6:00 from Monday to Friday."
          value={schedule.cron}
          maxLength={100}
          onChange={(event) => onChange({ ...schedule, cron: event.currentTarget.value })}
        />
        <TextInput
          label="Time zone"
          value={schedule.timeZone ?? ''}
          maxLength={64}
          onChange={(event) => onChange({ ...schedule, timeZone: event.currentTarget.value })}
        />
      </div>
    </Sheet>
  );
}

/** Says when the automation runs next, and when it should have run but has not. */
export function NextRun({ nextRunAt, enabled }: { nextRunAt: string | null; enabled: boolean }) {
  if (!enabled) return null;
  if (nextRunAt === null) return <span className="bad">The schedule has stopped.</span>;
  const isLate = Date.now() - Date.parse(nextRunAt) > LATE_MS;
  return (
    <span className={isLate ? 'bad' : undefined}>
      {isLate ? 'Overdue since' : 'Next run'} <Moment at={nextRunAt} />
    </span>
  );
}
