/** What belongs to the event that an automation runs on: its button, its schedule, or its filter. */
import type { AutomationFilter, AutomationSchedule, AutomationThreshold } from '../client/operations.ts';
import { MANUAL, SCHEDULED, THRESHOLD } from './automation-words.tsx';
import { type ButtonDraft, ButtonSettings, buttonFault, buttonOf } from './button-settings.tsx';
import { FilterSettings, filteredTypes } from './filter-settings.tsx';
import { freshSchedule, ScheduleSettings } from './schedule-settings.tsx';
import { freshThreshold, ThresholdSettings } from './threshold-settings.tsx';

export interface TriggerFields {
  contextTypeId: number;
  button: ButtonDraft | null;
  filter: AutomationFilter | null;
  schedule: AutomationSchedule | null;
  threshold: AutomationThreshold | null;
}

/** The settings as they are sent: those of another event are left out. */
export function triggerBody({ contextTypeId, button, filter, schedule, threshold }: TriggerFields) {
  return {
    button: contextTypeId === MANUAL ? buttonOf(button) : null,
    filter: filteredTypes.has(contextTypeId) ? filter : null,
    threshold: contextTypeId === THRESHOLD ? (threshold ?? freshThreshold) : null,
    schedule: contextTypeId === SCHEDULED ? (schedule ?? freshSchedule()) : null,
  };
}

/** Why they cannot be saved; null if they can. */
export function triggerFault({ contextTypeId, button }: TriggerFields): string | null {
  return contextTypeId === MANUAL ? buttonFault(button) : null;
}

export interface TriggerSettingsProps {
  fields: TriggerFields;
  onChange: (patch: Partial<TriggerFields>) => void;
}

export function TriggerSettings({ fields, onChange }: TriggerSettingsProps) {
  const { contextTypeId, button, filter, schedule, threshold } = fields;
  if (contextTypeId === MANUAL)
    return <ButtonSettings draft={button} onChange={(next) => onChange({ button: next })} />;
  if (contextTypeId === SCHEDULED)
    return (
      <ScheduleSettings
        schedule={schedule ?? freshSchedule()}
        onChange={(next) => onChange({ schedule: next })}
      />
    );
  if (!filteredTypes.has(contextTypeId)) return null;
  return (
    <>
      {contextTypeId === THRESHOLD && (
        <ThresholdSettings
          threshold={threshold ?? freshThreshold}
          onChange={(next) => onChange({ threshold: next })}
        />
      )}
      <FilterSettings
        filter={filter}
        contextTypeId={contextTypeId}
        onChange={(next) => onChange({ filter: next })}
      />
    </>
  );
}
