/** The place of a location in the tree of locations: around it, and directly in it. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, askAll } from '../client/ask.ts';
import type { Entity } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { useMay } from '../client/session.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Facts, Sheet } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { PartNumber } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { STOCK_CHANGES } from './adjust-dialog.tsx';
import styles from './stock.module.css';

/** Locations in it that are shown; a warehouse may have thousands. */
const SHOWN_MAX = 200;

export function LocationPlace({ location }: { location: Entity }) {
  const mayEdit = useMay('engineering');
  const [placing, setPlacing] = useState(false);
  const own = useQuery(ask('listLocations', { query: { id: [location.id] } }));
  const inside = useQuery(askAll('listLocations', { query: { parent: location.id } }, SHOWN_MAX));
  const path = own.data?.items[0]?.path ?? [];
  return (
    <Sheet
      title="Place"
      actions={
        mayEdit && (
          <Button variant="default" onClick={() => setPlacing(true)}>
            Change
          </Button>
        )
      }
    >
      <Asked of={inside}>
        {(children) => (
          <Facts
            facts={[
              [
                'Lies in',
                location.parentLocation === null ? (
                  'no other location'
                ) : (
                  <Link key="in" href={paths.entity(location.parentLocation, 'stock')}>
                    {path.length === 0 ? '…' : path.join(' › ')}
                  </Link>
                ),
                'wide',
              ],
              [
                'Inside',
                children.length === 0 ? (
                  'no other location'
                ) : (
                  <ul key="inside" className={styles.places}>
                    {children.map(({ id, number, name }) => (
                      <li key={id}>
                        <Link href={paths.entity(id, 'stock')}>
                          <PartNumber number={number} /> {name}
                        </Link>
                      </li>
                    ))}
                  </ul>
                ),
                'wide',
              ],
            ]}
          />
        )}
      </Asked>
      {placing && <PlaceDialog location={location} onClose={() => setPlacing(false)} />}
    </Sheet>
  );
}

function PlaceDialog({ location, onClose }: { location: Entity; onClose: () => void }) {
  const [parent, setParent] = useState<PickedEntity | null>(null);
  const save = useAction('updateEntity', {
    changes: ['getEntity', 'listEntities', 'listLocations', ...STOCK_CHANGES],
    done:
      parent === null ? 'It lies in no other location now.' : `Moved into ${parent.number ?? parent.name}.`,
    undo: () => () =>
      call('updateEntity', { id: location.id, body: { parentLocation: location.parentLocation } }),
    onDone: onClose,
  });
  return (
    <Dialog
      title={`Place of ${location.number ?? location.name}`}
      submit={parent === null ? 'Take out' : 'Move'}
      onClose={onClose}
      busy={save.isPending}
      error={save.error}
      notYet={
        parent === null && location.parentLocation === null ? 'Choose the location that it lies in.' : null
      }
      onSubmit={() => save.mutate({ id: location.id, body: { parentLocation: parent?.id ?? null } })}
    >
      <EntityPicker
        label="Lies in"
        plays="location"
        description="Empty: in no other location. Its stock and the locations in it move with it."
        value={parent}
        onPick={setParent}
        autoFocus
      />
    </Dialog>
  );
}
