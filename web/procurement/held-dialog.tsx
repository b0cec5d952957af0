/** Gives back what a requirement has reserved, or hands it out. */

import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { MaterialRequirement, RequirementWithHeld } from '../client/operations.ts';
import { notAsked } from '../components/dialogs/asked.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { readQuantity, typedQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { useAction } from '../components/use-action.ts';
import { quantityText } from '../components/words.tsx';
import { DayField, dayGiven } from '../stock/day-field.tsx';
import { isTracked, LotsField, lotsFault, readLots, useTracking } from '../stock/lots/lot-fields.tsx';
import { inBaseUnit, UnitField, unitGiven, useUnits } from '../stock/unit-field.tsx';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

type Held = RequirementWithHeld['held'][number];

/** A substitute may be reserved where the item is. */
function keyOf({ locationEntityId, substitute }: Held): string {
  return `${locationEntityId} ${substitute?.itemEntityId ?? ''}`;
}

function labelOf({ locationNumber, locationName, quantity, substitute }: Held): string {
  const of = substitute === null ? '' : ` of ${substitute.itemNumber ?? substitute.itemName}`;
  return `${locationNumber ?? locationName}: ${quantityText(quantity)}${of} reserved`;
}

export interface HeldDialogProps {
  requirement: MaterialRequirement;
  how: 'release' | 'issue';
  onClose: () => void;
}

export function HeldDialog({ requirement, how, onClose }: HeldDialogProps) {
  const [text, setText] = useState<string | null>(null);
  const [from, setFrom] = useState('');
  const [lots, setLots] = useState('');
  const [firstExpired, setFirstExpired] = useState(false);
  const done = {
    changes: SUPPLY_CHANGES,
    done: how === 'issue' ? 'Handed out.' : 'Given back.',
    onDone: onClose,
  };
  const release = useAction('releaseRequirement', done);
  const issue = useAction('issueRequirement', done);
  const found = useQuery(ask('getRequirement', { id: requirement.id }));
  const places = found.data?.held ?? [];
  const place = places.find((one) => keyOf(one) === from) ?? places[0];
  const itemEntityId = place?.substitute?.itemEntityId ?? requirement.itemEntityId;
  const tracking = useTracking(how === 'issue' ? itemEntityId : null);
  const [day, setDay] = useState('');
  const [unit, setUnit] = useState('');
  const units = useUnits(itemEntityId);
  const typed = readQuantity(text ?? typedQuantity(place?.quantity ?? 0));
  const quantity = typed === null ? null : inBaseUnit(units, typed, unit);
  return (
    <Dialog
      title={how === 'issue' ? 'Issue what is reserved' : 'Release what is reserved'}
      submit={how === 'issue' ? 'Issue' : 'Release'}
      onClose={onClose}
      busy={release.isPending || issue.isPending}
      error={release.error ?? issue.error}
      notYet={
        typed === null || typed <= 0
          ? 'The quantity must be above zero.'
          : place === undefined
            ? (notAsked(found) ?? 'Nothing is reserved anywhere.')
            : isTracked(tracking) && !firstExpired && quantity !== null
              ? lotsFault(lots, quantity)
              : null
      }
      onSubmit={() => {
        if (place === undefined || typed === null) return;
        const { locationEntityId, substitute } = place;
        const of = substitute === null ? {} : { substituteEntityId: substitute.itemEntityId };
        const body = { locationEntityId, ...of, quantity: typed, ...unitGiven(unit) };
        if (how === 'release') return release.mutate({ id: requirement.id, body });
        const named = firstExpired
          ? ('firstExpired' as const)
          : quantity === null
            ? []
            : (readLots(lots, quantity) ?? []);
        issue.mutate({
          id: requirement.id,
          body: { ...body, ...dayGiven(day), ...(isTracked(tracking) ? { lots: named } : {}) },
        });
      }}
    >
      <p>{how === 'issue' ? 'It leaves the stock for its project.' : 'It is available to others again.'}</p>
      <NativeSelect
        label="At"
        value={place === undefined ? '' : keyOf(place)}
        data={places.map((one) => ({ value: keyOf(one), label: labelOf(one) }))}
        onChange={(event) => {
          setFrom(event.currentTarget.value);
          setText(null);
          setUnit('');
        }}
      />
      <QuantityInput
        label="Quantity"
        value={text ?? typedQuantity(place?.quantity ?? 0)}
        onValue={setText}
        data-autofocus=""
      />
      <UnitField units={units} value={unit} onValue={setUnit} quantity={typed} />
      {how === 'issue' && <DayField value={day} onValue={setDay} />}
      {isTracked(tracking) && (
        <LotsField
          tracking={tracking}
          value={lots}
          onValue={setLots}
          firstExpired={firstExpired}
          onFirstExpired={setFirstExpired}
        />
      )}
    </Dialog>
  );
}
