/** Somebody else saved the same thing first: shows what they changed, and how to go on. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import styles from './changed-meanwhile.module.css';
import type { MeanwhileChange } from './meanwhile-changes.ts';

/** Why a form cannot be submitted while the changes of somebody else are shown. */
export const SOMEBODY_FIRST = 'Somebody else saved first.';

export function ChangedMeanwhile({
  form: { meanwhile, keepMine, takeTheirs },
}: {
  form: { meanwhile: readonly MeanwhileChange[] | null; keepMine: () => void; takeTheirs: () => void };
}) {
  if (meanwhile === null) return null;
  return (
    <MeanwhileNotice
      title="Somebody else saved this while you were editing. Your changes are not lost."
      changes={meanwhile}
    >
      <p>Keep your changes and save again: fields that you did not change take their values.</p>
      <div className={styles.buttons}>
        <Button variant="default" size="xs" onClick={keepMine}>
          Keep my changes
        </Button>
        <Button variant="subtle" size="xs" onClick={takeTheirs}>
          Discard my changes
        </Button>
      </div>
    </MeanwhileNotice>
  );
}

/** Names what somebody else has changed. */
export function MeanwhileNotice({
  title,
  changes,
  children,
}: {
  title: string;
  changes: readonly MeanwhileChange[];
  children?: ReactNode;
}) {
  return (
    <div role="alert" className={styles.meanwhile}>
      <strong>
        <Icon name="warning" size={14} /> {title}
      </strong>
      <ul className={styles.changes}>
        {changes.map(({ name, from, to }) => (
          <li key={name}>
            {name}: {from === null || to === null ? 'changed' : `${from} → ${to}`}
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}
