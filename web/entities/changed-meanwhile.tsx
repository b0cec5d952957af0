/** Somebody saved the same thing first: what they changed, and a way to go on with what was typed. */
import { Button } from '@mantine/core';
import { Icon } from '../components/icons.tsx';
import styles from './entities.module.css';

export interface MeanwhileChange {
  name: string;
  from: string;
  to: string;
}

/** Why a dialog cannot be submitted while this stands in it. */
export const SOMEBODY_FIRST = 'Somebody else was first.';

export function ChangedMeanwhile({
  changes,
  onKeep,
}: {
  changes: readonly MeanwhileChange[];
  /** Null while it is not known yet what they changed. */
  onKeep: (() => void) | null;
}) {
  return (
    <div role="alert" className={styles.meanwhile}>
      <strong>
        <Icon name="warning" size={14} /> Somebody changed this while you typed. Nothing of yours is lost.
      </strong>
      {changes.length > 0 && (
        <ul>
          {changes.map(({ name, from, to }) => (
            <li key={name}>
              {name}: {from} → {to}
            </li>
          ))}
        </ul>
      )}
      <p>Take these over where you typed nothing, keep what you typed, and save again.</p>
      <Button variant="default" size="xs" loading={onKeep === null} onClick={() => onKeep?.()}>
        Go on with mine
      </Button>
    </div>
  );
}
