/** How an item is reordered: shown and changed. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { ItemPlanning as Planning } from '../client/operations.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/forms/changed-meanwhile.tsx';
import { readQuantity, typedQuantity } from '../components/forms/exact-quantity.ts';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { Facts, Sheet } from '../components/page-frame.tsx';
import { quantityText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './procurement.module.css';
import { readDays } from './suppliers/supplier-record-dialog.tsx';

const policies = {
  none: 'Not reordered',
  demand: 'When demand exceeds stock and supply',
  reorderPoint: 'Below a reorder point, up to it',
  minMax: 'Below a reorder point, up to a maximum',
} as const;

export function ItemPlanning({ itemId, mayWrite }: { itemId: string; mayWrite: boolean }) {
  const planning = useQuery(ask('getItemPlanning', { itemEntityId: itemId }));
  const plan = useQuery(ask('listPlanningRuns', { query: { limit: 1 } })).data?.items[0];
  const [changing, setChanging] = useState<Planning | null>(null);
  return (
    <>
      <Sheet
        title="Reordering"
        actions={
          mayWrite &&
          planning.data !== undefined && (
            <Button variant="default" onClick={() => setChanging(planning.data)}>
              Change reordering
            </Button>
          )
        }
      >
        <Asked of={planning}>{(found) => <Facts facts={factsOf(found)} />}</Asked>
        {plan?.status === 'completed' && (
          <p>
            <Link href={paths.planItem(plan.id, itemId)}>
              Its projected stock in the newest plan, and what is proposed
            </Link>
          </p>
        )}
      </Sheet>
      {changing !== null && <PlanningDialog planning={changing} onClose={() => setChanging(null)} />}
    </>
  );
}

function factsOf(planning: Planning) {
  const { policy, reorderPoint, maximum, safety, minimum, multiple, makeOrBuy } = planning;
  const facts: [string, string][] = [['Policy', policies[policy]]];
  if (policy === 'none') return facts;
  if (policy !== 'demand') facts.push(['Reorder point', quantityText(reorderPoint)]);
  if (maximum !== null) facts.push(['Maximum', quantityText(maximum)]);
  if (safety > 0) facts.push(['Safety stock', quantityText(safety)]);
  if (minimum !== null) facts.push(['Least at once', quantityText(minimum)]);
  if (multiple !== null) facts.push(['Multiple of', quantityText(multiple)]);
  facts.push(['Made or bought', makeOrBuy === 'make' ? 'Made' : 'Bought']);
  return facts;
}

const labels = {
  policy: 'Policy',
  reorderPoint: 'Reorder point',
  maximum: 'Maximum',
  safety: 'Safety stock',
  minimum: 'Least at once',
  multiple: 'Multiple of',
  makeOrBuy: 'Made or bought',
  leadTime: 'Lead time in days',
} as const;

function PlanningDialog({ planning, onClose }: { planning: Planning; onClose: () => void }) {
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const { itemEntityId } = planning;
  const change = useSavedForm('setItemPlanning', {
    shown: fieldsOf(planning),
    read: readBy('getItemPlanning', { itemEntityId }, fieldsOf),
    tell: (from, to) => changesOf(from, to, labels),
    changes: ['getItemPlanning', 'listReorder', 'listAudit'],
    done: `Reordering of ${planning.itemNumber ?? planning.itemName} saved.`,
    onDone: onClose,
  });
  const { form, set, isTyped } = change;
  const hasPoint = form.policy === 'reorderPoint' || form.policy === 'minMax';
  const hasMaximum = form.policy === 'minMax';
  const figures = Object.fromEntries(
    (['reorderPoint', 'maximum', 'safety', 'minimum', 'multiple'] as const).map((field) => [
      field,
      form[field].trim() === '' ? null : readQuantity(form[field]),
    ]),
  );
  const wrong = (['reorderPoint', 'maximum', 'safety', 'minimum', 'multiple'] as const).find(
    (field) => form[field].trim() !== '' && !((figures[field] ?? -1) >= 0),
  );
  const leadTimeDays = readDays(form.leadTime);
  const maximum = figures.maximum ?? null;
  const reorderPoint = hasPoint ? (figures.reorderPoint ?? 0) : 0;
  const notYet =
    change.meanwhile !== null
      ? SOMEBODY_FIRST
      : wrong !== undefined
        ? `${labels[wrong]}: not a quantity.`
        : leadTimeDays === undefined
          ? 'The lead time is a whole number of days, at most 3650.'
          : hasMaximum && (maximum === null || maximum <= reorderPoint)
            ? 'The maximum is above the reorder point.'
            : isTyped || location !== null
              ? null
              : 'No changes.';
  const quantity = (field: 'reorderPoint' | 'maximum' | 'safety' | 'minimum' | 'multiple') => (
    <QuantityInput label={labels[field]} value={form[field]} onValue={(value) => set({ [field]: value })} />
  );
  return (
    <Dialog
      title={`Reordering of ${planning.itemNumber ?? planning.itemName}`}
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={notYet}
      onSubmit={() =>
        change.save({
          itemEntityId,
          body: {
            policy: form.policy,
            reorderPoint,
            maximum: hasMaximum ? maximum : null,
            safety: figures.safety ?? 0,
            minimum: figures.minimum ?? null,
            multiple: figures.multiple ?? null,
            makeOrBuy: form.makeOrBuy,
            leadTimeDays: leadTimeDays ?? null,
            supplierPartId: planning.supplierPartId,
            locationEntityId: location?.id ?? planning.locationEntityId,
          },
        })
      }
    >
      <NativeSelect
        label={labels.policy}
        value={form.policy}
        data={Object.entries(policies).map(([value, label]) => ({ value, label }))}
        onChange={(event) => set({ policy: event.currentTarget.value as typeof form.policy })}
      />
      {hasPoint && (
        <div className={styles.two}>
          {quantity('reorderPoint')}
          {hasMaximum && quantity('maximum')}
        </div>
      )}
      <div className={styles.two}>
        {quantity('safety')}
        {quantity('minimum')}
      </div>
      <div className={styles.two}>
        {quantity('multiple')}
        <TextInput
          label={labels.leadTime}
          description="Empty: that of the supplier"
          inputMode="numeric"
          value={form.leadTime}
          onChange={(event) => set({ leadTime: event.currentTarget.value })}
        />
      </div>
      <NativeSelect
        label={labels.makeOrBuy}
        value={form.makeOrBuy}
        data={[
          { value: 'buy', label: 'Bought' },
          { value: 'make', label: 'Made' },
        ]}
        onChange={(event) => set({ makeOrBuy: event.currentTarget.value as typeof form.makeOrBuy })}
      />
      <EntityPicker
        label={planning.locationEntityId === null ? 'Received at' : 'Received at (empty: as it is)'}
        plays="location"
        value={location}
        onPick={setLocation}
      />
      <ChangedMeanwhile form={change} />
    </Dialog>
  );
}

function fieldsOf(planning: Planning) {
  const typed = (value: number | null) => (value === null ? '' : typedQuantity(value));
  return {
    policy: planning.policy,
    reorderPoint: typed(planning.reorderPoint),
    maximum: typed(planning.maximum),
    safety: typed(planning.safety),
    minimum: typed(planning.minimum),
    multiple: typed(planning.multiple),
    makeOrBuy: planning.makeOrBuy,
    leadTime: planning.leadTimeDays === null ? '' : String(planning.leadTimeDays),
  };
}
