/** How a member follows something: with what is below it, muted, or not at all. */
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { NewSubscription } from '../client/operations.ts';
import { Icon } from '../components/icons.tsx';
import { useAction } from '../components/use-action.ts';
import type { Followed } from './subject.ts';

interface FollowMenuProps {
  of: Followed;
  /** Whether something can lie below it. */
  hasBelow?: boolean;
  /** The import profile of an import, which can be followed as a whole. */
  profile?: string;
}

export function FollowMenu({ of, hasBelow = false, profile }: FollowMenuProps) {
  const found = useQuery(ask('listSubscriptions', { query: of }));
  const ofProfile = useQuery({
    ...ask('listSubscriptions', { query: { importProfile: profile ?? '' } }),
    enabled: profile !== undefined,
  });
  const changes = ['listSubscriptions'] as const;
  const follow = useAction('follow', {
    changes,
    done: ({ muted }) => (muted ? 'Muted: you are told of mentions alone.' : 'You follow it.'),
  });
  const unfollow = useAction('unfollow', { changes, done: 'You no longer follow it.' });
  if (found.data === undefined) return null;
  const [held] = found.data.items;
  const [heldProfile] = ofProfile.data?.items ?? [];
  const set = (more: Omit<NewSubscription, 'entity' | 'import' | 'importProfile'>) =>
    follow.mutate({ body: { ...of, ...more } });
  const isHeld = held !== undefined && !held.muted;
  return (
    <Menu position="bottom-end" returnFocus>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" size={12} />}>
          {held === undefined ? 'Follow' : held.muted ? 'Muted' : 'Following'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(!isHeld || held.below) && (
          <Menu.Item onClick={() => set({})}>{held?.below ? 'Without what is below it' : 'Follow'}</Menu.Item>
        )}
        {hasBelow && (!isHeld || !held.below) && (
          <Menu.Item onClick={() => set({ below: true })}>Follow with everything below it</Menu.Item>
        )}
        {isHeld && 'entity' in of && (
          <Menu.Item onClick={() => set({ below: held.below, stock: !held.stock })}>
            {held.stock ? 'Without movements of stock' : 'With movements of stock'}
          </Menu.Item>
        )}
        {!held?.muted && <Menu.Item onClick={() => set({ muted: true })}>Mute, but for mentions</Menu.Item>}
        {held !== undefined && (
          <Menu.Item onClick={() => unfollow.mutate({ id: held.id })}>Stop following</Menu.Item>
        )}
        {profile !== undefined && (
          <Menu.Item
            onClick={() =>
              heldProfile === undefined
                ? follow.mutate({ body: { importProfile: profile } })
                : unfollow.mutate({ id: heldProfile.id })
            }
          >
            {heldProfile === undefined
              ? `Follow all imports of ${profile}`
              : `Stop following imports of ${profile}`}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
