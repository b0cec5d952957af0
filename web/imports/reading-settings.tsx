/** Settings for reading a table beside its columns: structure, number format, categories. */
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ImportMapping } from '../client/operations.ts';
import { useCategories } from '../entities/configuration.ts';
import type { Choice } from './choose-definition.ts';
import styles from './imports.module.css';
import { titlesOf } from './mapping.ts';
import { SupplierSettings } from './supplier-settings.tsx';

type Structure = NonNullable<ImportMapping['structure']>;

const structures: readonly { value: Structure; label: string }[] = [
  { value: 'flat', label: 'None: a flat list' },
  { value: 'levels', label: 'Levels: 0, 1, 2 or L1, L2' },
  { value: 'items', label: 'Item numbers: 1, 1.1, 1.2' },
  { value: 'indented', label: 'Indentation' },
  { value: 'dots', label: 'Leading dots, plus signs or dashes' },
  { value: 'columns', label: 'A column for each level' },
  { value: 'paths', label: 'Paths: A, A/B, A/B/C' },
  { value: 'parent', label: 'A column with the parent' },
];
const decimals = [
  { value: '.', label: '1,250.75' },
  { value: ',', label: '1.250,75' },
  { value: 'unambiguous', label: 'Unknown: refuse 1,000' },
];
const dateOrders = [
  { value: 'ymd', label: '2026-12-24' },
  { value: 'dmy', label: '24.12.2026' },
  { value: 'mdy', label: '12/24/2026' },
];
const quantities = [
  { value: 'perParent', label: 'per parent' },
  { value: 'extended', label: 'for the top assembly' },
];
const usualEncodings = ['windows-1252', 'windows-1250', 'windows-1251', 'gbk', 'shift_jis'];

type Categories = NonNullable<ImportMapping['categories']>;

function ruleFor({ categories }: ImportMapping, column: string, value: string): string {
  const rule = categories?.rules?.find((one) => one.column === column && one.values.includes(value));
  return rule?.category ?? '';
}

/** The categories with a rule for one value of a column; without one for the empty category. */
function withRule(
  categories: Categories | undefined,
  column: string,
  value: string,
  category: string,
): Categories {
  const others = (categories?.rules ?? []).filter(
    (one) => one.column !== column || !one.values.includes(value),
  );
  return {
    ...categories,
    rules: category === '' ? others : [...others, { column, values: [value], category }],
  };
}

export interface ReadingSettingsProps {
  choice: Choice & { table: NonNullable<Choice['table']> };
  /** Names of the file's sheets, where there are several. */
  sheets: readonly string[];
  onChange: (mapping: ImportMapping) => void;
  onSheet: (sheet: string) => void;
}

export function ReadingSettings({ choice, sheets, onChange, onSheet }: ReadingSettingsProps) {
  const { mapping, table, headerAt } = choice;
  const categories = useCategories().filter(({ hiddenFromNew }) => !hiddenFromNew);
  const titles = titlesOf(table.rows[headerAt] ?? []);
  const structure = mapping.structure ?? 'flat';
  const hasLevel = structure !== 'flat' && structure !== 'parent' && structure !== 'columns';
  const set = (patch: Partial<ImportMapping>) => onChange({ ...mapping, ...patch });
  const setRoot = (number: string) => {
    const { root, ...others } = mapping;
    onChange(number.trim() === '' ? others : { ...others, root: { ...root, number: number.trim() } });
  };
  const setCategory = (patch: NonNullable<ImportMapping['categories']>) =>
    set({ categories: { ...mapping.categories, ...patch } });
  const categoryChoices = categories.map(({ key, name }) => ({ value: key, label: name }));
  return (
    <div className={styles.settings}>
      {sheets.length > 1 && (
        <NativeSelect
          label="Sheet"
          value={mapping.sheet ?? ''}
          data={[...sheets]}
          onChange={(event) => onSheet(event.currentTarget.value)}
        />
      )}
      <NativeSelect
        label="Structure"
        value={structure}
        data={[...structures]}
        onChange={(event) => set({ structure: event.currentTarget.value as Structure })}
      />
      {hasLevel && (
        <NativeSelect
          label="Structure column"
          value={mapping.columns?.level ?? ''}
          data={[{ value: '', label: 'choose a column' }, ...titles]}
          onChange={(event) =>
            set({ columns: { ...mapping.columns, level: event.currentTarget.value || undefined } })
          }
        />
      )}
      {hasLevel && (
        <NativeSelect
          label="Quantities are"
          value={mapping.quantity ?? 'perParent'}
          data={quantities}
          onChange={(event) => set({ quantity: event.currentTarget.value as ImportMapping['quantity'] })}
        />
      )}
      {structure !== 'parent' && (
        <TextInput
          label="Parent of everything"
          placeholder="number of an assembly"
          value={mapping.root?.number ?? ''}
          onChange={(event) => setRoot(event.currentTarget.value)}
        />
      )}
      <SupplierSettings mapping={mapping} onChange={onChange} />
      <NativeSelect
        label="Number format"
        value={mapping.decimal ?? '.'}
        data={decimals}
        onChange={(event) => set({ decimal: event.currentTarget.value as ImportMapping['decimal'] })}
      />
      <NativeSelect
        label="Date format"
        value={mapping.dates ?? 'ymd'}
        data={dateOrders}
        onChange={(event) => set({ dates: event.currentTarget.value as ImportMapping['dates'] })}
      />
      <NativeSelect
        label="Default category"
        value={mapping.categories?.default ?? 'part'}
        data={categoryChoices}
        onChange={(event) => setCategory({ default: event.currentTarget.value })}
      />
      {structure !== 'flat' && (
        <NativeSelect
          label="Category of assemblies"
          value={mapping.categories?.assembly ?? ''}
          data={[{ value: '', label: 'same as the others' }, ...categoryChoices]}
          onChange={(event) => setCategory({ assembly: event.currentTarget.value || undefined })}
        />
      )}
      {(choice.categories?.values ?? []).map((value) => (
        <NativeSelect
          key={value}
          label={`Category for "${value}"`}
          value={ruleFor(mapping, choice.categories?.column ?? '', value)}
          data={[{ value: '', label: 'Default category' }, ...categoryChoices]}
          onChange={(event) =>
            set({
              categories: withRule(
                mapping.categories,
                choice.categories?.column ?? '',
                value,
                event.currentTarget.value,
              ),
            })
          }
        />
      ))}
      {mapping.encoding !== undefined && (
        <NativeSelect
          label="Encoding"
          description="The file is not UTF-8."
          value={mapping.encoding}
          data={[...new Set([mapping.encoding, ...usualEncodings])]}
          onChange={(event) => set({ encoding: event.currentTarget.value })}
        />
      )}
      <WholeDefinition mapping={mapping} onChange={onChange} />
    </div>
  );
}

/** What no field above is for: rules of categories, words for nothing, units, the namespace of GUIDs. */
function WholeDefinition({
  mapping,
  onChange,
}: {
  mapping: ImportMapping;
  onChange: (mapping: ImportMapping) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const shown = JSON.stringify(mapping, null, 2);
  // What is changed by the fields is to be seen here too.
  useEffect(() => setText((before) => (before !== null && isThe(before, shown) ? before : null)), [shown]);
  const type = (typed: string) => {
    setText(typed);
    const parsed = parsedOf(typed);
    if (parsed !== null) onChange(parsed);
  };
  return (
    <details className={styles.whole}>
      <summary>Definition as JSON</summary>
      <Textarea
        aria-label="Definition as JSON"
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        value={text ?? shown}
        error={text !== null && parsedOf(text) === null ? 'Enter a JSON object.' : undefined}
        onChange={(event) => type(event.currentTarget.value)}
      />
    </details>
  );
}

function parsedOf(text: string): ImportMapping | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function isThe(text: string, shown: string): boolean {
  const parsed = parsedOf(text);
  return parsed === null || JSON.stringify(parsed, null, 2) === shown;
}
