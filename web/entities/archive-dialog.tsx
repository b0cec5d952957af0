/** Archives an entity, or takes it back. A refusal names what still uses it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Entity } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useAction } from '../components/use-action.ts';

const changes = ['getEntity', 'listEntities', 'countEntities', 'listLocations', 'listWhereUsed'] as const;

export function ArchiveButton({ entity }: { entity: Entity }) {
  const [open, setOpen] = useState(false);
  const unarchive = useAction('unarchiveEntity', {
    changes: [...changes],
    done: ({ number, name }) => `${number ?? name} is in use again.`,
  });
  if (entity.archivedAt !== null) {
    return (
      <Button loading={unarchive.isPending} onClick={() => unarchive.mutate({ id: entity.id })}>
        Unarchive
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Archive
      </Button>
      {open && <ArchiveDialog entity={entity} onClose={() => setOpen(false)} />}
    </>
  );
}

function ArchiveDialog({ entity, onClose }: { entity: Entity; onClose: () => void }) {
  const archive = useAction('archiveEntity', {
    changes: [...changes],
    done: ({ number, name }) => `${number ?? name} is archived.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title="Archive"
      submit="Archive"
      onClose={onClose}
      busy={archive.isPending}
      error={archive.error}
      onSubmit={() => archive.mutate({ id: entity.id })}
    >
      <p>
        Lists, search and pickers will leave {entity.number ?? entity.name} out unless somebody asks for
        archived items. Nothing is deleted, and it can be unarchived.
      </p>
    </Dialog>
  );
}
