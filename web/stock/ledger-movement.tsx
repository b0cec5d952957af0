/** The movement of a ledger row, and the button that corrects it. */
import { ActionIcon } from '@mantine/core';
import type { ListedLedgerEntry } from '../client/operations.ts';
import { Icon } from '../components/icons.tsx';
import { usePhone } from '../components/lists/use-media.ts';
import { correctableQuantity } from './correct-dialog.tsx';
import { movementName } from './movements.ts';

export type OnCorrect = ((entry: ListedLedgerEntry) => void) | null;

/** Returns whether a row has the button *Correct*. */
export const isCorrectable = (entry: ListedLedgerEntry) =>
  entry.reversesId === null && correctableQuantity(entry) > 0;

export function CorrectButton({ onClick }: { onClick: () => void }) {
  return (
    <ActionIcon
      aria-label="Correct"
      title="Correct"
      size={24}
      variant="subtle"
      style={{ verticalAlign: 'middle' }}
      onClick={onClick}
    >
      <Icon name="edit" size={14} />
    </ActionIcon>
  );
}

/** The movement and, but on a phone, its button: a column for the button would leave a tablet no room for the order. */
export function Movement({ entry, onCorrect }: { entry: ListedLedgerEntry; onCorrect: OnCorrect }) {
  const phone = usePhone();
  const name = movementName(entry);
  return (
    <>
      {entry.reversesId === null ? name : `${name} taken back`}
      {!phone && onCorrect !== null && isCorrectable(entry) && (
        <CorrectButton onClick={() => onCorrect(entry)} />
      )}
    </>
  );
}
