/** Creates or changes a category: what its items are used as, their numbering and their lifecycle. */
import { Checkbox, MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { askAll } from '../client/ask.ts';
import type { Category } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { useAction } from '../components/use-action.ts';
import { useLifecycles, usePropertyDefinitions } from '../entities/configuration.ts';
import styles from './settings.module.css';
import { TabsField } from './tabs-field.tsx';

const CHANGES = ['listCategories', 'getCategory', 'listAudit'] as const;

const labels = {
  name: 'Name',
  lifecycle: 'Lifecycle',
  role: 'Used as',
  numbering: 'Numbering',
  behaviour: 'Behaviour',
  hiddenFromNew: 'Not offered under “New”',
  tabs: 'Tabs',
  properties: 'Properties',
  consume: 'Receipts take components',
  unreleasedChildren: 'Unreleased parts',
};

const roles: readonly { value: Category['role']; label: string }[] = [
  { value: 'item', label: 'Item: has stock' },
  { value: 'location', label: 'Location: holds stock' },
  { value: 'itemAndLocation', label: 'Item and location' },
  { value: 'project', label: 'Project: needs material' },
  { value: 'none', label: 'None of these' },
];

const behaviours: readonly { value: Category['behaviour']; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'purchaseOrder', label: 'Purchase order' },
  { value: 'purchaseOrderLine', label: 'Line of a purchase order' },
  { value: 'salesOrder', label: 'Sales order' },
  { value: 'salesOrderLine', label: 'Line of a sales order' },
  { value: 'manufacturingOrder', label: 'Manufacturing order' },
  { value: 'manufacturingOrderLine', label: 'Line of a manufacturing order' },
  { value: 'materialRequirement', label: 'Material requirement' },
];

/** How receipts of manufacturing lines take components. The empty value stands for null. */
const consumes: readonly { value: NonNullable<Category['consume']> | ''; label: string }[] = [
  { value: 'proportional', label: 'In proportion to the units' },
  { value: 'asListed', label: 'As listed in the receipt' },
  { value: 'none', label: 'No, and the ledger says so' },
  { value: '', label: 'No, they are issued by hand' },
];

export interface CategoryDialogProps {
  /** Null: a new one. */
  category: Category | null;
  /** The key that is filled in, such as one that an import did not find. */
  proposedKey?: string;
  onClose: () => void;
}

export function CategoryDialog({ category, proposedKey = '', onClose }: CategoryDialogProps) {
  const lifecycles = useLifecycles();
  const definitions = usePropertyDefinitions();
  const shown: Category = category ?? {
    key: proposedKey,
    name: proposedKey,
    numbering: { source: 'payload', pattern: '{000000}' },
    lifecycle: '',
    role: 'item',
    behaviour: 'none',
    hiddenFromNew: false,
    tabs: [],
    properties: [],
    consume: null,
    unreleasedChildren: 'warn',
  };
  const done = { changes: CHANGES, done: 'Category saved.', onDone: onClose };
  const create = useAction('createCategory', done);
  const replace = useSavedForm('replaceCategory', {
    ...done,
    shown,
    read: readBy('getCategory', category && { key: category.key }, (answer) => answer),
    tell: (from, to) => changesOf(from, to, labels),
  });
  const { form, set } = replace;
  const action = category === null ? create : replace;
  const usual = useUsualLifecycle(form.role);
  const lifecycle = form.lifecycle === '' ? usual : form.lifecycle;
  const body = { ...form, key: form.key.trim(), name: form.name.trim(), lifecycle };
  return (
    <Dialog
      title={category === null ? 'New category' : `Category ${category.name}`}
      submit="Save"
      size="lg"
      onClose={onClose}
      busy={action.isPending}
      error={action.error}
      notYet={
        body.key === '' || body.name === ''
          ? 'Enter a key and a name.'
          : lifecycle === ''
            ? 'Loading lifecycles…'
            : replace.meanwhile !== null
              ? SOMEBODY_FIRST
              : null
      }
      onSubmit={() =>
        category === null ? create.mutate({ body }) : replace.save({ key: category.key, body })
      }
    >
      <div className={styles.two}>
        <TextInput
          label="Key"
          description="Key used in imports. Can’t be changed later."
          value={form.key}
          disabled={category !== null}
          data-autofocus={category === null ? '' : undefined}
          onChange={(event) => set({ key: event.currentTarget.value })}
        />
        <TextInput
          label="Name"
          description="Shown in the app."
          value={form.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <NativeSelect
          label="Lifecycle"
          value={lifecycle}
          data={lifecycles.map(({ key, name }) => ({ value: key, label: name }))}
          onChange={(event) => set({ lifecycle: event.currentTarget.value })}
        />
        <NativeSelect
          label="Used as"
          value={form.role}
          data={[...roles]}
          onChange={(event) => set({ role: event.currentTarget.value as Category['role'] })}
        />
        <NativeSelect
          label="Numbers come from"
          value={form.numbering.source}
          data={[
            { value: 'payload', label: 'the import' },
            { value: 'scheme', label: 'the scheme' },
          ]}
          onChange={(event) =>
            set({
              numbering: { ...form.numbering, source: event.currentTarget.value as 'payload' | 'scheme' },
            })
          }
        />
        <TextInput
          label="Scheme"
          description="The zeros in braces are a counter: PRT-{000000}"
          value={form.numbering.pattern}
          onChange={(event) => set({ numbering: { ...form.numbering, pattern: event.currentTarget.value } })}
        />
        <NativeSelect
          label="A number that is taken"
          description="Numbers that an import or a person gives."
          value={form.numbering.whenTaken ?? 'warn'}
          data={[
            { value: 'warn', label: 'is allowed, with a warning' },
            { value: 'refuse', label: 'is refused' },
          ]}
          onChange={(event) =>
            set({
              numbering: { ...form.numbering, whenTaken: event.currentTarget.value as 'warn' | 'refuse' },
            })
          }
        />
        <NativeSelect
          label="Behaviour"
          value={form.behaviour}
          data={[...behaviours]}
          onChange={(event) => set({ behaviour: event.currentTarget.value as Category['behaviour'] })}
        />
        {form.behaviour === 'manufacturingOrderLine' && (
          <NativeSelect
            label="Receipts take components"
            value={form.consume ?? ''}
            data={[...consumes]}
            onChange={(event) => set({ consume: (event.currentTarget.value || null) as Category['consume'] })}
          />
        )}
        <NativeSelect
          label="Unreleased parts"
          description="When an assembly of the category is released with parts that are not released."
          value={form.unreleasedChildren}
          data={[
            { value: 'warn', label: 'Warn and name them' },
            { value: 'refuse', label: 'Refuse the release' },
          ]}
          onChange={(event) =>
            set({ unreleasedChildren: event.currentTarget.value as Category['unreleasedChildren'] })
          }
        />
      </div>
      <MultiSelect
        label="Properties"
        description="In the order of forms. Without any, forms show all properties."
        searchable
        clearable
        value={form.properties}
        data={definitions.map(({ key, name }) => ({ value: key, label: name }))}
        onChange={(properties) => set({ properties })}
      />
      <Checkbox
        label="Not offered under “New”"
        checked={form.hiddenFromNew}
        onChange={(event) => set({ hiddenFromNew: event.currentTarget.checked })}
      />
      <TabsField category={form} onChange={(tabs) => set({ tabs })} />
      <ChangedMeanwhile form={replace} />
    </Dialog>
  );
}

/** Proposes the lifecycle that most categories of the same role have. Empty while it is not known. */
function useUsualLifecycle(role: Category['role']): string {
  const categories = useQuery(askAll('listCategories', {})).data;
  const lifecycles = useLifecycles();
  if (categories === undefined) return '';
  const alike = categories.filter((one) => one.role === role && one.behaviour === 'none');
  const counted = [...Map.groupBy(alike, ({ lifecycle }) => lifecycle)];
  const [most] = counted.toSorted(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? lifecycles[0]?.key ?? '';
}
