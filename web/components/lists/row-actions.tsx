/** The buttons at the end of a row, named by what they act on. */
import { ActionIcon, Menu } from '@mantine/core';
import { Icon, type IconName } from '../icons.tsx';
import { usePhone } from './use-media.ts';

export interface RowAction {
  icon: IconName;
  /** "Edit Wheel" */
  label: string;
  onClick: () => void;
}

const BUTTONS_ON_PHONE = 2;

interface RowActionsProps {
  actions: readonly RowAction[];
  /** Name of the row; needed where there can be more than two actions, which a phone shows in a menu. */
  of?: string;
}

export function RowActions({ actions, of = 'this row' }: RowActionsProps) {
  if (usePhone() && actions.length > BUTTONS_ON_PHONE) return <ActionMenu actions={actions} of={of} />;
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

function ActionMenu({ actions, of }: Required<RowActionsProps>) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={28} variant="subtle" aria-label={`More for ${of}`} title={`More for ${of}`}>
          <Icon name="more" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ icon, label, onClick }) => (
          <Menu.Item key={label} leftSection={<Icon name={icon} size={14} />} onClick={onClick}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
