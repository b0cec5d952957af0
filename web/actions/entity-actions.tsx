/** The menu of the actions that an entity offers. The address names the action that is open, so that Ctrl-K can lead to it. */
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { askAll } from '../client/ask.ts';
import type { Entity } from '../client/operations.ts';
import { Icon } from '../components/icons.tsx';
import { useAddress } from '../navigation/address.ts';
import { ActionDialog } from './action-dialog.tsx';

const KEY = 'action';

export function EntityActions({ entity }: { entity: Entity }) {
  const address = useAddress();
  const { data: actions = [] } = useQuery({
    ...askAll('listEntityActions', { id: entity.id }),
    // The state of the entity decides which there are.
    queryKey: ['listEntityActions', { id: entity.id }, entity.state, entity.category],
  });
  const open = actions.find(({ automationId }) => automationId === address.get(KEY));
  if (actions.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={12} />}>
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ automationId, label }) => (
            <Menu.Item key={automationId} onClick={() => address.set({ [KEY]: automationId }, 'replace')}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {open !== undefined && (
        <ActionDialog
          key={open.automationId}
          action={open}
          entities={[entity]}
          onClose={() => address.set({ [KEY]: undefined }, 'replace')}
        />
      )}
    </>
  );
}
