/** Starts a planning run, with the options of the one before: of the whole workspace or a part of it, and as it is or as it might be. */
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NewPlanningRun, PlanningRun } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { scopeOf, scopeText, structureNames } from './plan-words.tsx';
import styles from './planning.module.css';
import { neededAsBefore, ProjectFields, projectsBody, projectsFault } from './project-fields.tsx';
import { emptyScope, ScopeFields, scopeBody, scopeFault } from './scope-fields.tsx';
import { type Supposed, WhatIfFields, whatIfBody, whatIfFault } from './what-if-fields.tsx';

const days = {
  horizonDays: { label: 'Days to plan', from: 1, to: 730, proposed: 180 },
  periodDays: { label: 'Days of needs in one order', from: 1, to: 90, proposed: 7 },
  toleranceDays: { label: 'Days that a line may be early', from: 0, to: 365, proposed: 7 },
} as const;
type DaysName = keyof typeof days;
const daysNames = Object.keys(days) as DaysName[];
const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Monday first. */
const weekdayOrder = [1, 2, 3, 4, 5, 6, 0];

export interface StartDialogProps {
  before: PlanningRun | null;
  /** The run before is planned again, with its projects; otherwise these are offered. */
  isAgain?: boolean;
  onClose: () => void;
}

export function StartDialog({ before, isAgain = false, onClose }: StartDialogProps) {
  const go = useGo();
  const [texts, setTexts] = useState(() => textsOf(before));
  const [weekdays, setWeekdays] = useState<readonly number[]>(before?.weekdays ?? weekdayOrder);
  const [holidays, setHolidays] = useState(before?.holidays.join('\n') ?? '');
  const [structure, setStructure] = useState(before?.structure ?? 'current');
  const [usesSubstitutes, setUsesSubstitutes] = useState(before?.usesSubstitutes ?? true);
  const [keepsScope, setKeepsScope] = useState(true);
  const scope = before?.scope ?? null;
  const [isPart, setIsPart] = useState(false);
  const [chosen, setChosen] = useState(emptyScope);
  const [needed, setNeeded] = useState(() => neededAsBefore(before, isAgain));
  const [supposed, setSupposed] = useState<readonly Supposed[]>([]);
  const keeps = scope !== null && keepsScope;
  const start = useAction('createPlanningRun', {
    changes: ['listPlanningRuns'],
    onDone: ({ id }) => {
      // The page of a run shows the new one without being drawn anew.
      onClose();
      go(paths.plan(id));
    },
  });
  const numbers = Object.fromEntries(
    daysNames.map((name) => [name, readWhole(texts[name], days[name])]),
  ) as Record<DaysName, number | null>;
  const wrong = daysNames.find((name) => numbers[name] === null);
  const free = holidays.split(/[\s,;]+/).filter((text) => text !== '');
  const noDay = free.find((text) => !isDay(text));
  const notYet =
    wrong !== undefined
      ? `${days[wrong].label}: a whole number from ${days[wrong].from} to ${days[wrong].to}.`
      : weekdays.length === 0
        ? 'Choose at least one working day.'
        : noDay !== undefined
          ? `“${noDay.slice(0, 20)}” is not a date such as 2026-12-24.`
          : ((!keeps && isPart ? scopeFault(chosen) : null) ??
            projectsFault(needed) ??
            whatIfFault(supposed));
  return (
    <Dialog
      title="Start a planning run"
      submit={supposed.length === 0 ? 'Start' : 'Start a what-if run'}
      size="lg"
      onClose={onClose}
      busy={start.isPending}
      error={start.error}
      notYet={notYet}
      onSubmit={() =>
        start.mutate({
          body: {
            ...bodyOf({ numbers, weekdays, holidays: [...new Set(free)] }),
            structure,
            usesSubstitutes,
            ...projectsBody(needed),
            ...(keeps ? scopeOf(scope) : isPart ? scopeBody(chosen) : {}),
            ...whatIfBody(supposed),
          },
        })
      }
    >
      <p>It changes nothing until you commit its actions.</p>
      <div className={styles.three}>
        {daysNames.map((name) => (
          <TextInput
            key={name}
            label={days[name].label}
            inputMode="numeric"
            value={texts[name]}
            onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <NativeSelect
        label="Structures"
        description="Of which revisions the components are planned"
        value={structure}
        data={Object.entries(structureNames).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setStructure(event.currentTarget.value as typeof structure)}
      />
      <Checkbox
        label="Use free stock of substitutes"
        description="Less is ordered where a substitute covers a need"
        checked={usesSubstitutes}
        onChange={(event) => setUsesSubstitutes(event.currentTarget.checked)}
      />
      <ProjectFields value={needed} onValue={setNeeded} />
      {scope !== null && (
        <Checkbox
          label={`Only ${scopeText(scope)}, as the run before`}
          description="Otherwise the whole workspace is planned, or another part of it."
          checked={keepsScope}
          onChange={(event) => setKeepsScope(event.currentTarget.checked)}
        />
      )}
      {!keeps && (
        <Checkbox
          label="Plan only a part of the workspace"
          description="Projects, items, categories or a location"
          checked={isPart}
          onChange={(event) => setIsPart(event.currentTarget.checked)}
        />
      )}
      {!keeps && isPart && <ScopeFields value={chosen} onValue={setChosen} />}
      <fieldset className={styles.weekdays}>
        <legend>Working days</legend>
        {weekdayOrder.map((day) => (
          <Checkbox
            key={day}
            label={weekdayNames[day]}
            checked={weekdays.includes(day)}
            onChange={(event) =>
              setWeekdays(
                event.currentTarget.checked
                  ? [...weekdays, day].toSorted((a, b) => a - b)
                  : weekdays.filter((one) => one !== day),
              )
            }
          />
        ))}
      </fieldset>
      <Textarea
        label="Days that are not worked"
        description="Dates such as 2026-12-24, separated by commas or lines"
        autosize
        maxRows={4}
        value={holidays}
        onChange={(event) => setHolidays(event.currentTarget.value)}
      />
      <WhatIfFields value={supposed} onValue={setSupposed} />
    </Dialog>
  );
}

function textsOf(before: PlanningRun | null): Record<DaysName, string> {
  const text = (name: DaysName) => String(before?.[name] ?? days[name].proposed);
  return {
    horizonDays: text('horizonDays'),
    periodDays: text('periodDays'),
    toleranceDays: text('toleranceDays'),
  };
}

function readWhole(text: string, { from, to }: { from: number; to: number }): number | null {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text) : -1;
  return value >= from && value <= to ? value : null;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

function bodyOf({
  numbers,
  weekdays,
  holidays,
}: {
  numbers: Readonly<Record<DaysName, number | null>>;
  weekdays: readonly number[];
  holidays: string[];
}): NewPlanningRun {
  const given = Object.fromEntries(
    daysNames.map((name) => [name, numbers[name] ?? days[name].proposed]),
  ) as Record<DaysName, number>;
  return {
    ...given,
    weekdays: [...weekdays],
    holidays,
  };
}
