/** Starts a planning run, with the options of the one before: of the whole workspace or a part of it, and as it is or as it might be. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { NewPlanningRun, PlanningRun } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import {
  everyDay,
  typedWorkingDays,
  WorkingDaysFields,
  workingDaysBody,
  workingDaysFault,
} from '../components/forms/working-days-fields.tsx';
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
export interface StartDialogProps {
  before: PlanningRun | null;
  /** The run before is planned again, with its projects; otherwise these are offered. */
  isAgain?: boolean;
  onClose: () => void;
}

export function StartDialog({ before, isAgain = false, onClose }: StartDialogProps) {
  const go = useGo();
  const [texts, setTexts] = useState(() => textsOf(before));
  // Until somebody changes them here, those of the settings of stock hold.
  const settings = useQuery(ask('getStockSettings', {}));
  const [typed, setTyped] = useState(() => (isAgain && before !== null ? typedWorkingDays(before) : null));
  const working = typed ?? typedWorkingDays(settings.data?.workingDays ?? everyDay);
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
  const notYet =
    wrong !== undefined
      ? `${days[wrong].label}: a whole number from ${days[wrong].from} to ${days[wrong].to}.`
      : (workingDaysFault(working) ??
        (!keeps && isPart ? scopeFault(chosen) : null) ??
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
            ...daysBody(numbers),
            ...(typed === null ? {} : workingDaysBody(typed)),
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
      <WorkingDaysFields value={working} onValue={setTyped} />
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

function daysBody(numbers: Readonly<Record<DaysName, number | null>>): Pick<NewPlanningRun, DaysName> {
  return Object.fromEntries(daysNames.map((name) => [name, numbers[name] ?? days[name].proposed])) as Record<
    DaysName,
    number
  >;
}
