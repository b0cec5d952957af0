/** Orders many items that a project is short of: one order for each supplier, all of them or none. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Shortage } from '../../client/operations.ts';
import { call } from '../../client/request.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { exactDifference, typedQuantity } from '../../components/forms/exact-quantity.ts';
import { notify } from '../../components/notices.tsx';
import { useAction } from '../../components/use-action.ts';
import { countText, Quantity } from '../../components/words.tsx';
import type { Configuration } from '../../entities/configuration-select.tsx';
import { EntityPicker, type PickedEntity } from '../../entities/entity-picker.tsx';
import { useGo } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { typedQuantityOf } from '../open-quantities.ts';
import styles from '../procurement.module.css';
import { QuantityTable } from '../quantity-table.tsx';
import { RequiredByField } from '../requirements/required-by-field.tsx';
import { SUPPLIER_CHARS_MAX, SupplierNames, useNewSuppliers } from '../suppliers/supplier-field.tsx';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';

/** Number of lines that the service takes in one call. */
const LINES_MAX = 500;

export interface OrderShortagesDialogProps {
  projectId: string;
  shortages: readonly Shortage[];
  configuration: Configuration;
  onClose: () => void;
}

export function OrderShortagesDialog({
  projectId,
  shortages,
  configuration,
  onClose,
}: OrderShortagesDialogProps) {
  const go = useGo();
  const names = useId();
  // What the list showed when the dialog was opened: it is read again behind the dialog.
  const [offered] = useState(() => shortages.slice(0, LINES_MAX));
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() => proposed(offered));
  const [suppliers, setSuppliers] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(offered.map(({ itemEntityId, supplier }) => [itemEntityId, supplier ?? ''])),
  );
  const [requiredBy, setRequiredBy] = useState('');
  const [isDraft, setDraft] = useState(false);
  const rows = offered.map((of) => ({ of, ...typedQuantityOf(texts[of.itemEntityId] ?? '') }));
  const wanted = rows.filter(({ now }) => now !== null && now > 0);
  const wrong = rows.find((row) => row.wrong !== null);
  const supplierOf = ({ itemEntityId }: Shortage) => suppliers[itemEntityId] ?? '';
  const newSuppliers = useNewSuppliers(wanted.map(({ of }) => supplierOf(of)));
  const [isRounding, setRounding] = useState(false);
  /** Takes the quantity that the supplier of each item sells. */
  const round = async () => {
    setRounding(true);
    try {
      const lines = wanted.map(({ of, now }) => ({
        itemEntityId: of.itemEntityId,
        quantity: now ?? 0,
        supplier: supplierOf(of).trim() === '' ? null : supplierOf(of).trim(),
      }));
      if (lines.length === 0) return;
      const { items } = await call('offerItems', { body: { lines } });
      const rounded = items.map(({ itemEntityId, quantity }) => [itemEntityId, typedQuantity(quantity)]);
      setTexts((before) => ({ ...before, ...Object.fromEntries(rounded) }));
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error));
    } finally {
      setRounding(false);
    }
  };
  const order = useAction('orderShortages', {
    changes: SUPPLY_CHANGES,
    done: ({ orders }) =>
      `${countText(
        orders.reduce((sum, { lines }) => sum + lines.length, 0),
        'line',
      )} in ${countText(orders.length, 'order')}.`,
    onDone: ({ orders: [first, ...others] }) => {
      onClose();
      if (first !== undefined && others.length === 0) go(paths.order(first.id));
    },
  });
  return (
    <Dialog
      title={`Order ${countText(offered.length, 'item')}`}
      submit={wanted.length === 0 ? 'Order' : `Order ${countText(wanted.length, 'item')}`}
      size="xl"
      onClose={onClose}
      busy={order.isPending}
      error={order.error}
      notYet={
        location === null
          ? 'Choose a location.'
          : wrong !== undefined
            ? `${wrong.of.itemNumber ?? wrong.of.itemName}: ${wrong.wrong}`
            : wanted.length === 0
              ? 'Enter the quantity of at least one item.'
              : newSuppliers.notYet
      }
      onSubmit={() =>
        location !== null &&
        order.mutate({
          id: projectId,
          body: {
            locationEntityId: location.id,
            configuration,
            ...(requiredBy === '' ? {} : { requiredBy }),
            ...(isDraft ? { state: 'Draft' as const } : {}),
            lines: wanted.map(({ of, now }) => ({
              itemEntityId: of.itemEntityId,
              quantity: now ?? 0,
              supplier: supplierOf(of).trim() === '' ? null : supplierOf(of).trim(),
            })),
          },
        })
      }
    >
      <div className={styles.two}>
        <EntityPicker label="Received at" plays="location" value={location} onPick={setLocation} autoFocus />
        <RequiredByField value={requiredBy} onValue={setRequiredBy} />
      </div>
      <SupplierNames id={names} />
      <QuantityTable
        label="Items to order"
        before={[
          { header: 'Short', isFigure: true },
          { header: 'Supplier', isAside: true },
        ]}
        field="Ordered now"
        after="Still short"
        rows={rows.map(({ of, text, wrong: fault, now }) => ({
          id: of.itemEntityId,
          itemNumber: of.itemNumber,
          itemName: of.itemName,
          text,
          wrong: fault,
          before: [
            <Quantity key="short" value={of.shortageQty} />,
            <TextInput
              key="supplier"
              size="xs"
              aria-label={`Supplier of ${of.itemNumber ?? of.itemName}`}
              list={names}
              maxLength={SUPPLIER_CHARS_MAX}
              autoComplete="off"
              value={supplierOf(of)}
              onChange={(event) =>
                setSuppliers({ ...suppliers, [of.itemEntityId]: event.currentTarget.value })
              }
            />,
          ],
          after: <Quantity value={leftOf(of, now ?? 0)} />,
        }))}
        onType={(id, text) => setTexts((before) => ({ ...before, [id]: text }))}
        onClear={() => setTexts({})}
        onFill={() => setTexts(proposed(offered))}
      >
        One order for each supplier: all of them are created, or none. What goes beyond the need of the
        project is free stock.
      </QuantityTable>
      <Button variant="default" loading={isRounding} onClick={() => void round()}>
        Round up to packs
      </Button>
      {newSuppliers.question}
      <Checkbox
        label="As a draft"
        description="Draft lines promise nothing yet and are ordered later."
        checked={isDraft}
        onChange={(event) => setDraft(event.currentTarget.checked)}
      />
      {shortages.length > LINES_MAX && (
        <p className="muted">
          These are the first {LINES_MAX} of {shortages.length} items. Order the others afterwards.
        </p>
      )}
    </Dialog>
  );
}

/** The missing quantity of each item, or what was requested and is not covered yet. */
function proposed(shortages: readonly Shortage[]): Record<string, string> {
  return Object.fromEntries(
    shortages.map(({ itemEntityId, shortageQty, openRequirementQty }) => {
      const quantity = shortageQty > 0 ? shortageQty : openRequirementQty;
      return [itemEntityId, quantity > 0 ? typedQuantity(quantity) : ''];
    }),
  );
}

function leftOf({ shortageQty }: Shortage, now: number): number {
  return Math.max(0, exactDifference(shortageQty, now));
}
