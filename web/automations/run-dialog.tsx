/** Runs a manual automation from its own page, on an item that is chosen first. */
import { useState } from 'react';
import { ActionDialog } from '../actions/action-dialog.tsx';
import type { Automation } from '../client/operations.ts';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';

export function RunDialog({ automation, onClose }: { automation: Automation; onClose: () => void }) {
  const [entity, setEntity] = useState<PickedEntity | null>(null);
  const { id, name, button } = automation;
  const needsItem = (button?.categories?.length ?? 0) + (button?.states?.length ?? 0) > 0;
  return (
    <ActionDialog
      action={{ ...button, automationId: id, label: button?.label ?? name }}
      entities={entity === null ? null : [entity]}
      picker={{
        field: (
          <EntityPicker label={needsItem ? 'Item' : 'Item (optional)'} value={entity} onPick={setEntity} />
        ),
        fault: needsItem && entity === null ? 'Choose an item.' : null,
      }}
      onClose={onClose}
    />
  );
}
