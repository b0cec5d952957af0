/** Gives back what a requirement has reserved, or hands it out. */

import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { MaterialRequirement } from '../client/operations.ts';
import { notAsked } from '../components/asked.tsx';
import { Dialog } from '../components/dialog.tsx';
import { readQuantity, typedQuantity } from '../components/exact-quantity.ts';
import { QuantityInput } from '../components/quantity-input.tsx';
import { useAction } from '../components/use-action.ts';
import { quantityText } from '../components/words.tsx';
import { DayField, dayGiven } from '../stock/day-field.tsx';
import { isTracked, LotsField, lotsFault, readLots, useTracking } from '../stock/lot-fields.tsx';
import { inBaseUnit, UnitField, unitGiven, useUnits } from '../stock/unit-field.tsx';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

export interface HeldDialogProps {
  requirement: MaterialRequirement;
  how: 'release' | 'issue';
  onClose: () => void;
}

export function HeldDialog({ requirement, how, onClose }: HeldDialogProps) {
  const [text, setText] = useState(typedQuantity(requirement.reservedQty));
  const [from, setFrom] = useState('');
  const [lots, setLots] = useState('');
  const [firstExpired, setFirstExpired] = useState(false);
  const tracking = useTracking(how === 'issue' ? requirement.itemEntityId : null);
  const done = {
    changes: SUPPLY_CHANGES,
    done: how === 'issue' ? 'Handed out.' : 'Given back.',
    onDone: onClose,
  };
  const release = useAction('releaseRequirement', done);
  const issue = useAction('issueRequirement', done);
  const positions = useQuery(
    ask('listPositionsByItem', { itemEntityId: requirement.itemEntityId, query: { limit: 1000 } }),
  );
  const places = (positions.data?.items ?? []).filter(({ reserved }) => reserved > 0);
  const place = places.find(({ locationEntityId }) => locationEntityId === from) ?? places[0];
  const [day, setDay] = useState('');
  const [unit, setUnit] = useState('');
  const units = useUnits(requirement.itemEntityId);
  const typed = readQuantity(text);
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
            ? (notAsked(positions) ?? 'Nothing is reserved anywhere.')
            : isTracked(tracking) && !firstExpired && quantity !== null
              ? lotsFault(lots, quantity)
              : null
      }
      onSubmit={() => {
        if (place === undefined || typed === null) return;
        const body = { locationEntityId: place.locationEntityId, quantity: typed, ...unitGiven(unit) };
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
        value={place?.locationEntityId ?? ''}
        data={places.map((one) => ({
          value: one.locationEntityId,
          label: `${one.locationNumber ?? one.locationName}: ${quantityText(one.reserved)} reserved`,
        }))}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <QuantityInput label="Quantity" value={text} onValue={setText} data-autofocus="" />
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
