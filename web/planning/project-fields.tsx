/** Projects whose whole structure a planning run needs, each with a quantity and a day. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import type { Dispatch, SetStateAction } from 'react';
import type { NewPlanningRun, PlanningRun } from '../client/operations.ts';
import { readQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { countText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { useListFocus } from './list-focus.ts';
import styles from './planning.module.css';

export interface NeededProject {
  key: string;
  project: PickedEntity | null;
  quantity: string;
  day: string;
}

export interface NeededProjects {
  /** Those of the run before. */
  before: PlanningRun['projects'];
  keepsBefore: boolean;
  added: readonly NeededProject[];
}

const ADDED_MAX = 20;

export function neededAsBefore(run: PlanningRun | null, keepsBefore: boolean): NeededProjects {
  return { before: run?.projects ?? [], keepsBefore, added: [] };
}

interface ProjectFieldsProps {
  value: NeededProjects;
  onValue: Dispatch<SetStateAction<NeededProjects>>;
}

export function ProjectFields({ value, onValue }: ProjectFieldsProps) {
  const { before, keepsBefore, added } = value;
  const box = useListFocus(added.length);
  // A project is found after a while: what was typed meanwhile stays.
  const change = ({ key }: NeededProject, patch: Partial<NeededProject>) =>
    onValue((now) => ({
      ...now,
      added: now.added.map((other) => (other.key === key ? { ...other, ...patch } : other)),
    }));
  const add = () =>
    onValue({
      ...value,
      added: [...added, { key: crypto.randomUUID(), project: null, quantity: '1', day: '' }],
    });
  return (
    <div className={styles.apart} ref={box}>
      {before.length > 0 && (
        <Checkbox
          label={`Plan the whole structure of ${countText(before.length, 'project')}, as the run before`}
          checked={keepsBefore}
          onChange={(event) => onValue({ ...value, keepsBefore: event.currentTarget.checked })}
        />
      )}
      {added.map((one, index) => (
        <fieldset key={one.key} className={styles.demand}>
          <legend>{headOf(index)}</legend>
          <EntityPicker
            label="Project"
            description="Its whole structure is planned, whether requirements were created for it or not"
            plays="project"
            value={one.project}
            onPick={(project) => change(one, { project })}
          />
          <div className={styles.three}>
            <QuantityInput
              label="Quantity"
              value={one.quantity}
              onValue={(quantity) => change(one, { quantity })}
            />
            <TextInput
              label="Required by"
              type="date"
              value={one.day}
              onChange={(event) => change(one, { day: event.currentTarget.value })}
            />
            <Button
              variant="subtle"
              className={styles.remove}
              onClick={() => onValue({ ...value, added: added.filter((other) => other !== one) })}
            >
              Remove
            </Button>
          </div>
        </fieldset>
      ))}
      {added.length < ADDED_MAX && (
        <div className={styles.staleButtons}>
          <Button variant="default" onClick={add}>
            {added.length === 0 ? 'Plan a whole project' : 'Plan another whole project'}
          </Button>
        </div>
      )}
    </div>
  );
}

function headOf(index: number): string {
  return `Project ${index + 1}`;
}

/** Says what is missing first; null: nothing. */
export function projectsFault({ before, keepsBefore, added }: NeededProjects): string | null {
  for (const [index, { project, quantity, day }] of added.entries()) {
    const missing =
      project === null
        ? 'choose the project.'
        : !((readQuantity(quantity) ?? 0) > 0)
          ? 'enter a quantity above 0.'
          : day === ''
            ? 'enter the day.'
            : null;
    if (missing !== null) return `${headOf(index)}: ${missing}`;
  }
  const ids = [
    ...(keepsBefore ? before.map(({ projectId }) => projectId) : []),
    ...added.map(({ project }) => project?.id),
  ];
  return new Set(ids).size < ids.length ? 'A project is planned once: remove it, or the one before.' : null;
}

export function projectsBody({
  before,
  keepsBefore,
  added,
}: NeededProjects): Pick<NewPlanningRun, 'projects'> {
  const projects = [
    ...(keepsBefore ? before : []),
    ...added.map(({ project, quantity, day }) => ({
      projectId: project?.id ?? '',
      quantity: readQuantity(quantity) ?? 0,
      requiredBy: day,
    })),
  ];
  return projects.length === 0 ? {} : { projects };
}
