/** Receives, ships, reserves or releases part of a line, changes what is wanted of it, or ends it. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { StockLine } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { exactDifference, readQuantity, typedQuantity } from '../../components/forms/exact-quantity.ts';
import { QuantityInput } from '../../components/forms/quantity-input.tsx';
import { useAction } from '../../components/use-action.ts';
import { PartNumber, Quantity, quantityText } from '../../components/words.tsx';
import { DayField, dayGiven } from '../../stock/day-field.tsx';
import { isTracked, LotsField, lotsFault, readLots, useTracking } from '../../stock/lots/lot-fields.tsx';
import { HeldLots } from '../../stock/lots/lot-holds.tsx';
import { inBaseUnit, UnitField, unitGiven, unitsOfLine, useUnits } from '../../stock/unit-field.tsx';
import {
  CostField,
  costFault,
  costGiven,
  ORDERED_COST,
  useCostCurrency,
} from '../../stock/value/cost-field.tsx';
import { useReceivable } from '../orders/use-receivable.ts';
import { SUPPLY_CHANGES } from '../supply-dialog.tsx';
import { LineChangeDialog } from './line-change-dialog.tsx';
import { type Ending, isEnding, type LineMove, type Movement, pastOf } from './line-moves.ts';

function itemOf({ itemNumber, itemName }: StockLine): string {
  return itemNumber ?? itemName;
}

function placeOf({ locationNumber, locationName }: StockLine, { label }: LineMove): string {
  return `${label === 'Ship' ? 'from' : 'at'} ${locationNumber ?? locationName}`;
}

export interface LineMoveDialogProps {
  line: StockLine;
  move: LineMove;
  onClose: () => void;
}

export function LineMoveDialog(props: LineMoveDialogProps) {
  const { operation } = props.move;
  if (operation === 'updateStockLine') return <LineChangeDialog line={props.line} onClose={props.onClose} />;
  if (operation === 'transitionEntity') return <BeginDialog {...props} />;
  return isEnding(operation) ? (
    <EndDialog {...props} operation={operation} />
  ) : (
    <MovementDialog {...props} operation={operation} />
  );
}

function MovementDialog({ line, move, operation, onClose }: LineMoveDialogProps & { operation: Movement }) {
  const { enteredUnit, enteredOpenQty } = line;
  const movesGoods = operation === 'receiveStockLine' || operation === 'shipStockLine';
  // The open quantity in the unit of the line leaves nothing open.
  const isEntered = movesGoods && enteredUnit !== null && enteredOpenQty !== null && enteredOpenQty > 0;
  const proposed = isEntered ? enteredOpenQty : move.quantity;
  const [text, setText] = useState(proposed > 0 ? typedQuantity(proposed) : '');
  const [unit, setUnit] = useState(isEntered ? enteredUnit : '');
  const [note, setNote] = useState('');
  const [lots, setLots] = useState('');
  const [firstExpired, setFirstExpired] = useState(false);
  const [day, setDay] = useState('');
  const [cost, setCost] = useState('');
  const currency = useCostCurrency();
  const hasCost = currency !== null && operation === 'receiveStockLine' && line.type === 'purchaseOrder';
  const units = unitsOfLine(useUnits(line.itemEntityId), line);
  const typed = readQuantity(text);
  // What the service converts inexactly, or by a factor of its own, it checks itself.
  const quantity = typed === null ? null : inBaseUnit(units, typed, unit);
  const receivable = useReceivable()(line);
  const reserves = operation === 'reserveStockLine';
  const tracking = useTracking(movesGoods || reserves ? line.itemEntityId : null);
  // A reservation holds lots only where some are named.
  const namesLots = isTracked(tracking) && !firstExpired && (movesGoods || lots.trim() !== '');
  const lotsOf = () => {
    if (firstExpired) return { lots: 'firstExpired' as const };
    return namesLots && quantity !== null ? { lots: readLots(lots, quantity) ?? [] } : {};
  };
  const act = useAction(operation, {
    changes: SUPPLY_CHANGES,
    done: (_, { body }) =>
      `${quantityText(body.quantity)}${body.unit == null ? '' : ` ${body.unit}`} of ${itemOf(line)} ${pastOf[move.label]} ${placeOf(line, move)}.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title={`${move.label} ${itemOf(line)}`}
      submit={move.label}
      onClose={onClose}
      busy={act.isPending}
      error={act.error}
      notYet={
        (typed === null || typed <= 0 ? 'The quantity must be above zero.' : null) ??
        (quantity === null ? null : notYetOf(line, operation, quantity, receivable)) ??
        (namesLots && quantity !== null ? lotsFault(lots, quantity) : null) ??
        (hasCost ? costFault(cost) : null)
      }
      onSubmit={() =>
        typed !== null &&
        act.mutate({
          id: line.id,
          body: {
            quantity: typed,
            ...unitGiven(unit),
            ...lotsOf(),
            ...(movesGoods ? dayGiven(day) : {}),
            ...(hasCost ? costGiven(cost) : {}),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        })
      }
    >
      <p>
        {line.itemName}
        <br />
        Open: <Quantity value={line.openQty} /> of <Quantity value={line.quantity} />
        {units.baseUnit === null ? '' : ` ${units.baseUnit}`}.
        <br />
        {move.label === 'Ship' ? 'From' : 'At'} <PartNumber number={line.locationNumber} />{' '}
        {line.locationName}
      </p>
      {isTracked(tracking) && operation === 'shipStockLine' && <HeldLots of={{ lineId: line.id }} />}
      <QuantityInput label="Quantity" value={text} onValue={setText} data-autofocus="" />
      <UnitField units={units} value={unit} onValue={setUnit} quantity={typed} />
      {hasCost && <CostField currency={currency} otherwise={ORDERED_COST} value={cost} onValue={setCost} />}
      {movesGoods && <DayField value={day} onValue={setDay} />}
      {isTracked(tracking) && (
        <LotsField
          tracking={tracking}
          value={lots}
          onValue={setLots}
          {...(operation === 'shipStockLine' ? { firstExpired, onFirstExpired: setFirstExpired } : {})}
        />
      )}
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
    </Dialog>
  );
}

/** What the service would refuse, said before it is sent; the line may have moved while the dialog was open. */
function notYetOf(line: StockLine, operation: Movement, quantity: number, receivable: number): string | null {
  const { openQty, reservedQty } = line;
  const [most, what] = {
    receiveStockLine: [receivable, receivable === openQty ? 'open' : 'accepted'] as const,
    shipStockLine: [openQty, 'open'] as const,
    reserveStockLine: [exactDifference(openQty, reservedQty), 'open and not reserved'] as const,
    releaseStockLine: [reservedQty, 'reserved'] as const,
  }[operation];
  if (quantity <= most) return null;
  return most <= 0 ? `Nothing is ${what} any more.` : `Only ${quantityText(most)} ${what}.`;
}

/** A draft is in no figure yet: from here on what it wants is on order, or reserved. */
function BeginDialog({ line, move, onClose }: LineMoveDialogProps) {
  const [note, setNote] = useState('');
  const sells = line.type === 'salesOrder';
  const begin = useAction('transitionEntity', {
    changes: [...SUPPLY_CHANGES, 'getEntity', 'listEntities', 'listTransitions'],
    done: `${quantityText(line.quantity)} of ${itemOf(line)} ${pastOf[move.label]}.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title={`${move.label} ${itemOf(line)}`}
      submit={move.label}
      onClose={onClose}
      busy={begin.isPending}
      error={begin.error}
      onSubmit={() =>
        begin.mutate({
          id: line.id,
          body: {
            toState: sells ? 'Reserved' : 'Ordered',
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        })
      }
    >
      <p>
        {line.itemName}
        <br />
        {sells ? 'Reserved' : 'On order'} from then on: <Quantity value={line.quantity} />{' '}
        {sells ? 'at' : 'for'} <PartNumber number={line.locationNumber} /> {line.locationName}.
      </p>
      <TextInput
        label="Note"
        data-autofocus=""
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}

const unusedWays = [
  { value: 'waive', label: 'Leave them issued' },
  { value: 'return', label: 'Put them back where they were' },
  { value: 'scrap', label: 'Write them off' },
] as const;

function EndDialog({ line, move, operation, onClose }: LineMoveDialogProps & { operation: Ending }) {
  const [note, setNote] = useState('');
  const [unused, setUnused] = useState<(typeof unusedWays)[number]['value']>('waive');
  const builds = line.type === 'manufacturingOrder';
  const act = useAction(operation, {
    changes: SUPPLY_CHANGES,
    done: `The line of ${itemOf(line)} is ${pastOf[move.label]}.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title={`${move.label} the line of ${itemOf(line)}?`}
      submit={`${move.label} the line`}
      leave="Keep it"
      grave={operation === 'cancelStockLine'}
      onClose={onClose}
      busy={act.isPending}
      error={act.error}
      onSubmit={() =>
        act.mutate({
          id: line.id,
          body: { ...(note.trim() === '' ? {} : { note: note.trim() }), ...(builds ? { unused } : {}) },
        })
      }
    >
      <p>
        What is open, <Quantity value={line.openQty} />, is no longer{' '}
        {line.type === 'salesOrder' ? 'promised' : 'on order'}. This cannot be undone.
      </p>
      {builds && (
        <NativeSelect
          label="Components issued beyond what was built"
          value={unused}
          data={[...unusedWays]}
          onChange={(event) => setUnused(event.currentTarget.value as typeof unused)}
        />
      )}
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
    </Dialog>
  );
}
