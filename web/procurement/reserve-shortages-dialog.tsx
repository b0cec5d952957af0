/** Reserves for a project what is available of many items. */
import type { Shortage } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { countText } from '../components/words.tsx';
import type { Configuration } from '../entities/configuration-select.tsx';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

/** Number of items that the service takes in one call. */
const ITEMS_MAX = 500;

export interface ReserveShortagesDialogProps {
  projectId: string;
  shortages: readonly Shortage[];
  configuration: Configuration;
  onClose: () => void;
}

export function ReserveShortagesDialog({
  projectId,
  shortages,
  configuration,
  onClose,
}: ReserveShortagesDialogProps) {
  const offered = shortages.slice(0, ITEMS_MAX);
  const available = offered.filter(({ availableQty }) => availableQty > 0);
  const reserve = useAction('reserveShortages', {
    changes: SUPPLY_CHANGES,
    done: ({ reservations }) => {
      const items = new Set(reservations.map(({ itemEntityId }) => itemEntityId)).size;
      return items === 0 ? 'Nothing was left to reserve.' : `${countText(items, 'item')} reserved.`;
    },
    onDone: onClose,
  });
  return (
    <Dialog
      title={`Reserve ${countText(offered.length, 'item')}`}
      submit="Reserve"
      onClose={onClose}
      busy={reserve.isPending}
      error={reserve.error}
      notYet={available.length === 0 ? 'None of them is available.' : null}
      onSubmit={() =>
        reserve.mutate({
          id: projectId,
          body: { lines: available.map(({ itemEntityId }) => ({ itemEntityId })), configuration },
        })
      }
    >
      <p>
        Reserves what is available of {countText(available.length, 'item')}, up to what the project needs and
        has not ordered, from the locations with the most first.
      </p>
      {available.length < offered.length && (
        <p>{countText(offered.length - available.length, 'item')} of those chosen: nothing is available.</p>
      )}
      {shortages.length > ITEMS_MAX && (
        <p className="muted">
          These are the first {ITEMS_MAX} of {shortages.length} items. Reserve the others afterwards.
        </p>
      )}
    </Dialog>
  );
}
