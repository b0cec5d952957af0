/** The buttons at the end of a row, named by what they act on. */
import { ActionIcon } from '@mantine/core';
import { Icon, type IconName } from '../icons.tsx';

export interface RowAction {
  icon: IconName;
  /** "Edit Wheel" */
  label: string;
  onClick: () => void;
}

export function RowActions({ actions }: { actions: readonly RowAction[] }) {
  return (
    <>
      {actions.map(({ icon, label, onClick }) => (
        <ActionIcon key={label} size={28} variant="subtle" aria-label={label} title={label} onClick={onClick}>
          <Icon name={icon} size={14} />
        </ActionIcon>
      ))}
    </>
  );
}
