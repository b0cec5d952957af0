/** How the workspace prints its orders: sender, texts, columns and words. */
import { ActionIcon, Button, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { OrderTemplate } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { ChangedMeanwhile } from '../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { Icon } from '../components/icons.tsx';
import { Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import styles from './settings.module.css';

type Field = OrderTemplate['columns'][number]['field'];
type Word = keyof OrderTemplate['words'];

/** What each column shows, and its title when it is added. */
const fields: Record<Field, { shows: string; title: string }> = {
  position: { shows: 'Position', title: 'Pos.' },
  itemNumber: { shows: 'Number of the part', title: 'Part' },
  itemName: { shows: 'Name of the part', title: 'Description' },
  itemRevision: { shows: 'Revision of the part', title: 'Revision' },
  sku: { shows: 'SKU of the supplier', title: 'Your part no.' },
  manufacturer: { shows: 'Manufacturer', title: 'Manufacturer' },
  mpn: { shows: "Manufacturer's number", title: 'MPN' },
  quantity: { shows: 'Quantity', title: 'Quantity' },
  unit: { shows: 'Unit', title: 'Unit' },
  packs: { shows: 'Packs', title: 'Packs' },
  packQuantity: { shows: 'Quantity in a pack', title: 'Per pack' },
  price: { shows: 'Price', title: 'Price' },
  currency: { shows: 'Currency', title: 'Currency' },
  amount: { shows: 'Amount', title: 'Amount' },
  requiredBy: { shows: 'Required date', title: 'Required by' },
  location: { shows: 'Location', title: 'Deliver to' },
  lineNumber: { shows: 'Number of the line', title: 'Line' },
  state: { shows: 'State', title: 'State' },
};

const words: Record<Word, string> = {
  purchaseOrder: 'Title of purchase orders',
  salesOrder: 'Title of sales orders',
  manufacturingOrder: 'Title of manufacturing orders',
  date: 'Date',
  supplier: 'Supplier',
  customer: 'Customer',
  ourReference: 'Our reference',
  theirReference: 'Their reference',
  total: 'Total',
  unprinted: 'Note on characters without a font',
};

const COLUMNS_MAX = 12;

export function OrdersTab() {
  const query = useQuery(ask('getOrderTemplate', {}));
  if (query.data === undefined) return query.isError ? <ProblemPanel error={query.error} /> : <Waiting />;
  return <TemplateForm template={query.data} />;
}

function TemplateForm({ template }: { template: OrderTemplate }) {
  const mayConfigure = useMay('configuration');
  const change = useSavedForm('replaceOrderTemplate', {
    shown: fieldsOf(template),
    read: readBy('getOrderTemplate', {}, fieldsOf),
    tell: (from, to) =>
      changesOf(from, to, {
        sender: 'Sender',
        header: 'Text above the lines',
        footer: 'Foot of each page',
        paper: 'Paper',
        decimalSign: 'Decimal sign',
        columns: 'Columns',
        words: 'Words',
      }),
    changes: ['getOrderTemplate', 'listAudit'],
    done: 'Template saved.',
    savedFields: fieldsOf,
  });
  const { form, set } = change;
  const isWrong =
    form.columns.some(({ title }) => title.trim() === '') ||
    Object.values(form.words).some((word) => word.trim() === '');
  const disabled = !mayConfigure;
  return (
    <Sheet title="Printed orders">
      <form
        className={styles.rows}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) change.save({ body: { ...form, columns: [...form.columns] } });
        }}
      >
        <Textarea
          label="Sender"
          description="Name and address; the first line is printed bold."
          autosize
          minRows={3}
          maxLength={2000}
          value={form.sender}
          disabled={disabled}
          onChange={(event) => set({ sender: event.currentTarget.value })}
        />
        <Textarea
          label="Text above the lines"
          autosize
          minRows={2}
          maxLength={2000}
          value={form.header}
          disabled={disabled}
          onChange={(event) => set({ header: event.currentTarget.value })}
        />
        <Textarea
          label="Foot of each page"
          description="Up to four lines."
          autosize
          minRows={2}
          maxLength={2000}
          value={form.footer}
          disabled={disabled}
          onChange={(event) => set({ footer: event.currentTarget.value })}
        />
        <div className={styles.two}>
          <Select
            label="Paper"
            data={['A4', 'Letter']}
            allowDeselect={false}
            value={form.paper}
            disabled={disabled}
            onChange={(paper) => set({ paper: paper as OrderTemplate['paper'] })}
          />
          <Select
            label="Decimal sign"
            data={[
              { value: '.', label: 'Point: 1.5' },
              { value: ',', label: 'Comma: 1,5' },
            ]}
            allowDeselect={false}
            value={form.decimalSign}
            disabled={disabled}
            onChange={(sign) => set({ decimalSign: sign as OrderTemplate['decimalSign'] })}
          />
        </div>
        <Columns columns={form.columns} disabled={disabled} onChange={(columns) => set({ columns })} />
        <div className={styles.two}>
          {(Object.keys(words) as Word[]).map((key) => (
            <TextInput
              key={key}
              label={words[key]}
              maxLength={60}
              value={form.words[key]}
              disabled={disabled}
              error={form.words[key].trim() === '' ? 'Enter a text.' : undefined}
              onChange={(event) => set({ words: { ...form.words, [key]: event.currentTarget.value } })}
            />
          ))}
        </div>
        <ChangedMeanwhile form={change} />
        {change.error !== null && <ProblemPanel error={change.error} />}
        {mayConfigure && (
          <Button
            type="submit"
            loading={change.isPending}
            disabled={!change.isTyped || isWrong || change.meanwhile !== null}
          >
            Save
          </Button>
        )}
      </form>
    </Sheet>
  );
}

function Columns({
  columns,
  disabled,
  onChange,
}: {
  columns: OrderTemplate['columns'];
  disabled: boolean;
  onChange: (columns: OrderTemplate['columns']) => void;
}) {
  const unused = (Object.keys(fields) as Field[]).filter((field) =>
    columns.every((column) => column.field !== field),
  );
  return (
    <fieldset className={styles.rows}>
      <legend>Columns, from left to right</legend>
      {columns.map(({ field, title }, index) => (
        <div key={field} className={styles.row}>
          <TextInput
            aria-label={`Title of the column ${fields[field].shows}`}
            description={fields[field].shows}
            inputWrapperOrder={['input', 'description', 'error']}
            maxLength={60}
            value={title}
            disabled={disabled}
            error={title.trim() === '' ? 'Enter a title.' : undefined}
            onChange={(event) => {
              const typed = event.currentTarget.value;
              onChange(columns.map((column) => (column.field === field ? { field, title: typed } : column)));
            }}
          />
          <ActionIcon
            variant="subtle"
            aria-label={`Move ${fields[field].shows} to the left`}
            disabled={disabled || index === 0}
            onClick={() => onChange(movedLeft(columns, index))}
          >
            <Icon name="up" />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            aria-label={`Remove ${fields[field].shows}`}
            disabled={disabled || columns.length === 1}
            onClick={() => onChange(columns.filter((column) => column.field !== field))}
          >
            <Icon name="close" />
          </ActionIcon>
        </div>
      ))}
      {!disabled && unused.length > 0 && columns.length < COLUMNS_MAX && (
        <Select
          label="Add a column"
          placeholder="Choose"
          data={unused.map((field) => ({ value: field, label: fields[field].shows }))}
          value={null}
          onChange={(chosen) => {
            if (chosen === null) return;
            const field = chosen as Field;
            onChange([...columns, { field, title: fields[field].title }]);
          }}
        />
      )}
    </fieldset>
  );
}

function movedLeft(columns: OrderTemplate['columns'], index: number): OrderTemplate['columns'] {
  const moved = [...columns];
  moved.splice(index - 1, 0, ...moved.splice(index, 1));
  return moved;
}

function fieldsOf(template: OrderTemplate): OrderTemplate {
  return template;
}
