/** Several adjustments, typed or pasted from a spreadsheet. They are saved together. */
import { Refusal } from '../client/request.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, quantityText } from '../components/words.tsx';
import { BlockEntry } from '../entities/uses/block-entry.tsx';
import { type BlockColumn, useBlock } from '../entities/uses/use-block.ts';
import { useAskBeforeClosing } from '../navigation/unsaved.ts';
import { STOCK_CHANGES } from './adjust-dialog.tsx';

const ROWS_MAX = 500;
const columns: readonly BlockColumn[] = [
  { key: 'itemEntityId', label: 'Item', kind: 'item' },
  { key: 'locationEntityId', label: 'Location', kind: 'location' },
  { key: 'quantity', label: 'Quantity', kind: 'quantity', signed: true },
  { key: 'note', label: 'Reason', kind: 'text', optional: true },
];

export function AdjustManyDialog({ onClose }: { onClose: () => void }) {
  const block = useBlock(columns, ROWS_MAX);
  const { close, done } = useAskBeforeClosing(
    block.rows.some(({ isEmpty }) => !isEmpty),
    onClose,
  );
  const adjust = useAction('postAdjustmentBatch', {
    changes: STOCK_CHANGES,
    done: (made) =>
      typeof made.entries === 'number'
        ? 'Nothing was written.'
        : `${countText(made.entries.length, 'adjustment')} made.`,
    onDone: done,
  });
  const { ready, wrong } = block;
  return (
    <Dialog
      title="Adjust several"
      submit={ready.length === 0 ? 'Apply' : `Apply ${ready.length}`}
      size="xl"
      onClose={close}
      busy={adjust.isPending}
      error={adjust.error}
      notYet={
        ready.length === 0
          ? 'Type or paste the adjustments.'
          : wrong > 0
            ? `${countText(wrong, 'row')} ${wrong === 1 ? 'is' : 'are'} not valid yet.`
            : null
      }
      onSubmit={() =>
        adjust.mutate(
          {
            body: {
              adjustments: ready.map(({ values }) => ({
                itemEntityId: String(values.itemEntityId),
                locationEntityId: String(values.locationEntityId),
                quantity: Number(values.quantity),
                ...(values.note === undefined ? {} : { note: String(values.note) }),
              })),
            },
          },
          { onError: (error) => block.mark(refusalsOf(error)) },
        )
      }
    >
      <BlockEntry label="Adjustments" block={block} />
      <p role="status">
        {countText(ready.length, 'row')} ready{wrong > 0 && `, ${wrong} not valid`}. A positive quantity adds,
        a negative one removes. All rows are saved together.
      </p>
    </Dialog>
  );
}

/** Returns the reason for each refused adjustment, by its index. */
function refusalsOf(error: unknown): ReadonlyMap<number, string> {
  const { refusals = [] } = (error instanceof Refusal ? error.problem : {}) as {
    refusals?: { index: number; reason: string; onHand: number }[];
  };
  return new Map(
    refusals.map(({ index, reason, onHand }) => [
      index,
      reason === 'range'
        ? 'The balance would have too many digits.'
        : `There are only ${quantityText(onHand)} on hand.`,
    ]),
  );
}
