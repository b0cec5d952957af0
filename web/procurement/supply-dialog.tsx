/**
 * Reserves or orders for a project or for one requirement. A shortage that nobody has asked for yet gets its
 * requirement first, so that the project owns what is reserved.
 */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { MaterialRequirement } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { notAsked } from '../components/dialogs/asked.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { exactDifference, readQuantity, typedQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { useActs, type Write } from '../components/use-action.ts';
import { quantityText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { STOCK_CHANGES } from '../stock/adjust-dialog.tsx';
import { useUnits } from '../stock/unit-field.tsx';
import styles from './procurement.module.css';
import { RequiredByField } from './requirements/required-by-field.tsx';
import { OfferHint } from './suppliers/offer-hint.tsx';
import {
  SupplierField,
  supplierGiven,
  useNewSuppliers,
  useProposedSupplier,
} from './suppliers/supplier-field.tsx';

export const SUPPLY_CHANGES = [
  'listShortages',
  'listRequirements',
  'getRequirement',
  'listOrders',
  'getOrder',
  'listStockLines',
  'listSuppliers',
  ...STOCK_CHANGES,
] as const;

export interface SupplyDialogProps {
  projectId: string | null;
  how: 'reserve' | 'order';
  shortage?: {
    itemEntityId: string;
    itemNumber: string | null;
    neededQty: number;
    reservedQty: number;
    shortageQty: number;
    openRequirementQty: number;
  };
  requirement?: MaterialRequirement;
  onClose: () => void;
}

/** What one press asks for. */
interface Supplying {
  itemEntityId: string;
  locationEntityId: string;
  quantity: number;
  requiredBy?: string;
  supplier?: string | null;
}

export function SupplyDialog({ projectId, how, shortage, requirement, onClose }: SupplyDialogProps) {
  const item = requirement ?? shortage;
  const [typed, setText] = useState<string | null>(null);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState<PickedEntity | null>(null);
  const [requiredBy, setRequiredBy] = useState(requirement?.requiredBy ?? '');
  const [typedSupplier, setSupplier] = useState<string | null>(null);
  const proposedSupplier = useProposedSupplier(
    how === 'order' && item !== undefined ? [item.itemEntityId] : [],
  );
  const supplier = typedSupplier ?? proposedSupplier;
  const newSupplier = useNewSuppliers(how === 'order' ? [supplier] : []);
  // Sent again it is for the same one, though that is not open by as much any more.
  const chosen = useRef(new Map<string, string>());
  const positions = useQuery({
    ...ask('listPositionsByItem', { itemEntityId: item?.itemEntityId ?? '', query: { limit: 1000 } }),
    enabled: how === 'reserve' && item !== undefined,
  });
  const places = (positions.data?.items ?? []).filter(({ available }) => available > 0);
  const place = places.find(({ locationEntityId }) => locationEntityId === from) ?? places[0];
  const proposed = proposedQuantity(how, { requirement, shortage, available: place?.available ?? 0 });
  const text = typed ?? (proposed > 0 ? typedQuantity(proposed) : '');
  const quantity = readQuantity(text);
  const { baseUnit } = useUnits(item?.itemEntityId ?? null);
  const locationEntityId = how === 'reserve' ? place?.locationEntityId : to?.id;

  const supply = useActs<Supplying, void>(
    async (given, write) => {
      const { itemEntityId, quantity: wanted, ...place } = given;
      const asked = JSON.stringify(given);
      const id =
        requirement?.id ??
        chosen.current.get(asked) ??
        (await requirementFor({ projectId: projectId ?? '', itemEntityId, wanted }, write));
      chosen.current.set(asked, id);
      const body = { ...place, quantity: wanted };
      if (how === 'reserve') await write('reserveRequirement', { id, body });
      else await write('orderRequirement', { id, body });
    },
    {
      changes: SUPPLY_CHANGES,
      done: (_, given) =>
        `${quantityText(given.quantity)} × ${item?.itemNumber ?? 'item'} ${how === 'reserve' ? 'reserved' : 'ordered'}.`,
      onDone: onClose,
    },
  );
  const send = () => {
    if (item === undefined || quantity === null || locationEntityId === undefined) return;
    const given = { itemEntityId: item.itemEntityId, locationEntityId, quantity };
    const day = requiredBy === '' ? {} : { requiredBy };
    supply.mutate(
      how === 'reserve' ? given : { ...given, ...day, ...supplierGiven('purchaseOrder', supplier) },
    );
  };
  const beyond = how === 'reserve' && place !== undefined && quantity !== null && quantity > place.available;
  const notYet =
    quantity === null || quantity <= 0
      ? 'The quantity must be above zero.'
      : locationEntityId === undefined
        ? how === 'reserve'
          ? (notAsked(positions) ?? 'None is available at any location.')
          : 'Choose a location.'
        : newSupplier.notYet;
  return (
    <Dialog
      title={`${how === 'reserve' ? 'Reserve' : 'Order'} ${item?.itemNumber ?? 'item'}`}
      submit={how === 'reserve' ? 'Reserve' : 'Order'}
      onClose={onClose}
      busy={supply.isPending}
      error={supply.error}
      notYet={notYet}
      onSubmit={send}
    >
      {how === 'reserve' ? (
        <NativeSelect
          label="From"
          value={place?.locationEntityId ?? ''}
          data={places.map((one) => ({
            value: one.locationEntityId,
            label: `${one.locationNumber ?? one.locationName}: ${quantityText(one.available)} available`,
          }))}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
      ) : (
        <>
          <EntityPicker label="Received at" plays="location" value={to} onPick={setTo} autoFocus />
          <SupplierField value={supplier} onValue={setSupplier} question={newSupplier.question} />
        </>
      )}
      <div className={styles.two}>
        <QuantityInput
          label={baseUnit === null ? 'Quantity' : `Quantity (${baseUnit})`}
          value={text}
          onValue={setText}
          error={beyond ? `Only ${quantityText(place.available)} are available there.` : undefined}
        />
        {how === 'order' && <RequiredByField value={requiredBy} onValue={setRequiredBy} />}
      </div>
      {how === 'order' && item !== undefined && quantity !== null && quantity > 0 && (
        <OfferHint
          itemId={item.itemEntityId}
          supplier={supplier}
          quantity={quantity}
          onTake={(rounded) => setText(typedQuantity(rounded))}
        />
      )}
    </Dialog>
  );
}

/**
 * What is open of a requirement. Else what a project still needs is reserved, and no more than there is; and what is short is ordered, or what
 * was asked for and is there by now.
 */
function proposedQuantity(
  how: SupplyDialogProps['how'],
  {
    requirement,
    shortage,
    available,
  }: Pick<SupplyDialogProps, 'requirement' | 'shortage'> & { available: number },
): number {
  const { neededQty = 0, reservedQty = 0, shortageQty = 0, openRequirementQty = 0 } = shortage ?? {};
  if (how === 'reserve') {
    const needed = Math.max(exactDifference(neededQty, reservedQty), openRequirementQty);
    return Math.min(requirement?.openQty ?? needed, available);
  }
  return requirement?.openQty ?? (shortageQty > 0 ? shortageQty : openRequirementQty);
}

/** An open requirement of the project for the item that is large enough, or a new one. */
async function requirementFor(
  { projectId, itemEntityId, wanted }: { projectId: string; itemEntityId: string; wanted: number },
  write: Write,
): Promise<string> {
  const { items } = await call('listRequirements', {
    query: { projectId, itemEntityId, status: 'open', limit: 100 },
  });
  const fitting = items.find(({ openQty }) => openQty >= wanted);
  if (fitting !== undefined) return fitting.id;
  return (await write('createRequirement', { body: { projectId, itemEntityId, requiredQty: wanted } })).id;
}
