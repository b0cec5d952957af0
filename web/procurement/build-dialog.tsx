/** Reserves, issues, receives or scraps with all components of a line, and takes units apart: shows before what is taken and what is short. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ComponentsPreview, LineComponents } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { exactDifference, readQuantity, typedQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { isTracked, LotsField, lotsFault, readLots, useTracking } from '../stock/lots/lot-fields.tsx';
import { inBaseUnit, UnitField, unitGiven, useUnits } from '../stock/unit-field.tsx';
import styles from './procurement.module.css';
import { type ChosenSubstitutes, SubstituteFields, substitutesGiven } from './substitute-fields.tsx';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

export type BuildAct = 'reserve' | 'issue' | 'receive' | 'scrap' | 'disassemble';
const operations = {
  reserve: 'reserveLineComponents',
  issue: 'issueLineComponents',
  receive: 'receiveStockLine',
  scrap: 'scrapStockLine',
  disassemble: 'disassembleStockLine',
} as const;
const labels = {
  reserve: 'Reserve all',
  issue: 'Issue all',
  receive: 'Receive',
  scrap: 'Scrap',
  disassemble: 'Take apart',
};
const done = {
  reserve: 'reserved',
  issue: 'issued',
  receive: 'received',
  scrap: 'scrapped',
  disassemble: 'taken apart',
};
const CHANGES = [...SUPPLY_CHANGES, 'listLineComponents'] as const;

interface BuildDialogProps {
  build: LineComponents;
  act: BuildAct;
  onClose: () => void;
}

export function BuildDialog({ build, act, onClose }: BuildDialogProps) {
  const proposed = proposedFor(build, act);
  const [text, setText] = useState(typedQuantity(proposed));
  const [consume, setConsume] = useState<'proportional' | 'none'>(
    build.consume === 'none' ? 'none' : 'proportional',
  );
  const [note, setNote] = useState('');
  const [lots, setLots] = useState('');
  const [holdsLots, setHoldsLots] = useState(false);
  const [chosen, setChosen] = useState<ChosenSubstitutes>({});
  const isOfUnits = act !== 'reserve' && act !== 'issue';
  const tracking = useTracking(isOfUnits ? build.itemEntityId : null);
  const units = useUnits(build.itemEntityId);
  const [unit, setUnit] = useState('');
  const typed = readQuantity(text);
  // What the service converts inexactly it checks itself.
  const quantity = typed === null ? null : (inBaseUnit(units, typed, unit) ?? typed);
  const most = mostOf(build, act);
  const isValid = quantity !== null && quantity > 0 && quantity <= most;
  const takes = act === 'receive' || act === 'scrap';
  const takesSubstitutes = act === 'reserve' || act === 'issue' || (takes && consume !== 'none');
  const substitutes = takesSubstitutes ? substitutesGiven(chosen) : {};
  const body = {
    quantity: typed ?? 0,
    ...unitGiven(unit),
    ...(takes ? { consume } : {}),
    ...substitutes,
    // Components that are not tracked have no lots.
    ...(act === 'issue' || (act === 'reserve' && holdsLots) || (takes && consume !== 'none')
      ? { componentLots: 'firstExpired' as const }
      : {}),
    ...(isTracked(tracking) ? { lots: readLots(lots, quantity ?? 0) ?? [] } : {}),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  };
  const preview = usePreview(
    build,
    act,
    isValid && act !== 'disassemble'
      ? { quantity: body.quantity, ...unitGiven(unit), ...substitutes, consume }
      : null,
  );
  const action = useAction(operations[act], {
    changes: CHANGES,
    done: () =>
      `${quantityText(body.quantity)}${unit === '' ? '' : ` ${unit}`} of ${build.itemNumber ?? build.itemName}: ${isOfUnits ? '' : 'components '}${done[act]}.`,
    onDone: onClose,
  });
  const shortages = preview.data?.shortages ?? [];
  return (
    <Dialog
      title={`${labels[act]}: ${build.itemNumber ?? build.itemName}`}
      submit={labels[act]}
      size="lg"
      onClose={onClose}
      busy={action.isPending}
      error={action.error}
      notYet={
        !isValid
          ? act === 'scrap'
            ? 'Enter how many failed.'
            : `Enter a quantity above 0, at most ${quantityText(most)}.`
          : shortages.length > 0
            ? `${countText(shortages.length, 'component')} short.`
            : isTracked(tracking)
              ? lotsFault(lots, quantity)
              : null
      }
      onSubmit={() => action.mutate({ id: build.lineId, body })}
    >
      <QuantityInput
        label={isOfUnits ? 'Quantity' : 'Number of units'}
        value={text}
        onValue={setText}
        data-autofocus=""
      />
      <UnitField units={units} value={unit} onValue={setUnit} quantity={typed} />
      {act === 'scrap' && (
        <p className="muted">
          Units that were made and failed. They take components, and stay open on the line.
        </p>
      )}
      {act === 'disassemble' && (
        <p className="muted">
          The units leave stock, and what was consumed for them comes back to where it was issued: for lots
          and serial numbers, what these really consumed.
        </p>
      )}
      {takes && (
        <NativeSelect
          label="Components"
          value={consume}
          data={[
            { value: 'proportional', label: 'Take them in proportion' },
            { value: 'none', label: 'Take none, and record that' },
          ]}
          onChange={(event) => setConsume(event.currentTarget.value as typeof consume)}
        />
      )}
      {takesSubstitutes && <SubstituteFields build={build} chosen={chosen} onChoose={setChosen} />}
      {act === 'reserve' && (
        <Checkbox
          label="Hold lots: of components that are tracked, those that expire first"
          checked={holdsLots}
          onChange={(event) => setHoldsLots(event.currentTarget.checked)}
        />
      )}
      {(act === 'issue' || takes) && (
        <p className="muted">Components that are tracked are taken from the lots that expire first.</p>
      )}
      {isTracked(tracking) && <LotsField tracking={tracking} value={lots} onValue={setLots} />}
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      {preview.isError && <ProblemPanel error={preview.error} />}
      {preview.data !== undefined && <Preview preview={preview.data} />}
    </Dialog>
  );
}

/** Units that the act can be for. Units that fail stay open: any number may. */
function mostOf({ openQty, receivedQty, disassembledQty }: LineComponents, act: BuildAct): number {
  if (act === 'scrap') return Number.MAX_SAFE_INTEGER;
  return act === 'disassemble' ? exactDifference(receivedQty, disassembledQty) : openQty;
}

function proposedFor(build: LineComponents, act: BuildAct): number {
  if (act === 'scrap' || act === 'disassemble') return 1;
  return act === 'receive' && build.buildableQty > 0 ? build.buildableQty : build.openQty;
}

type Wanted =
  | ({ quantity: number; unit?: string; consume: 'proportional' | 'none' } & ReturnType<
      typeof substitutesGiven
    >)
  | null;

/** Asks the service, which decides by its own rules; null: there is nothing to ask yet. */
function usePreview({ lineId }: LineComponents, act: BuildAct, wanted: Wanted) {
  return useQuery({
    queryKey: ['listLineComponents', 'preview', lineId, act, wanted],
    enabled: wanted !== null,
    queryFn: async () => {
      const { quantity = 0, consume = 'none', ...rest } = wanted ?? {};
      const body = {
        quantity,
        ...rest,
        dryRun: true,
        ...(act === 'receive' || act === 'scrap' ? { consume } : {}),
      };
      return (await call(operations[act], { id: lineId, body })) as ComponentsPreview;
    },
  });
}

/** The names of what is short come first: they stop the act. */
export function Preview({ preview: { taken, shortages } }: { preview: ComponentsPreview }) {
  if (shortages.length > 0) {
    return (
      <ul className={styles.short} aria-label="Short">
        {shortages.map(({ itemEntityId, itemNumber, itemName, neededQty, foundQty }) => (
          <li key={itemEntityId}>
            <PartNumber number={itemNumber} /> {itemName}: <Quantity value={neededQty} /> needed,{' '}
            <Quantity value={foundQty} /> there
          </li>
        ))}
      </ul>
    );
  }
  if (taken.length === 0) return <p className="muted">No component is taken.</p>;
  return (
    <ul className={styles.enough} aria-label="Taken">
      {taken.map((take) => (
        <li
          key={`${take.itemEntityId} ${take.insteadOf?.itemEntityId} ${take.locationEntityId} ${take.wasReserved}`}
        >
          <Quantity value={take.quantity} /> <PartNumber number={take.itemNumber} /> {take.itemName} from{' '}
          <PartNumber number={take.locationNumber} /> {take.locationName}
          {take.insteadOf !== null && (
            <>
              {' '}
              instead of <Quantity value={take.insteadOf.quantity} />{' '}
              <PartNumber number={take.insteadOf.itemNumber} /> {take.insteadOf.itemName}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
