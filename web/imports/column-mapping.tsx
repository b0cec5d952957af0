/** The columns of a table with a few of their values, and the meaning of each. */
import { NativeSelect } from '@mantine/core';
import { distinctTitles } from '../../clients/readers/table/header.ts';
import type { ImportMapping, PropertyDefinition } from '../client/operations.ts';
import type { Choice } from './choose-definition.ts';
import styles from './imports.module.css';
import { fieldMeanings, isSame, type Meaning, meaningOf, titlesOf, withMeaning } from './mapping.ts';
import { supplierFieldsOf, supplierLabel, supplierMeanings } from './supplier-columns.ts';

const EXAMPLES = 3;
const ROWS_LOOKED_AT = 50;

export interface ColumnMappingProps {
  choice: Choice & { table: NonNullable<Choice['table']> };
  definitions: readonly PropertyDefinition[];
  onChange: (mapping: ImportMapping) => void;
}

export function ColumnMapping({ choice, definitions, onChange }: ColumnMappingProps) {
  const { mapping, table, headerAt } = choice;
  const header = table.rows[headerAt] ?? [];
  const below = table.rows.slice(headerAt + 1, headerAt + 1 + ROWS_LOOKED_AT);
  const { key = [], keyElse = [], identity = [] } = mapping.columns ?? {};
  const keys = [key, keyElse, identity].flat();
  const level = mapping.columns?.level;
  const choices = (title: string) => [
    // The column of the structure is chosen below the table.
    { value: '', label: level !== undefined && isSame(level, title) ? 'the structure' : 'Ignore' },
    ...fieldMeanings,
    { group: 'Who sells it', items: [...supplierMeanings] },
    ...(definitions.length === 0
      ? []
      : [
          {
            group: 'Properties',
            items: definitions.map(({ key, name }) => ({
              value: `property:${key}`,
              label: `Property: ${name}`,
            })),
          },
        ]),
  ];
  return (
    <table className={styles.mapping}>
      <thead>
        <tr>
          <th>Column</th>
          <th>Meaning</th>
          <th>Examples</th>
        </tr>
      </thead>
      <tbody>
        {titlesOf(header).map((title) => {
          const at = distinctTitles(header).indexOf(title);
          const meaning = meaningOf(mapping, title);
          const also = supplierFieldsOf(mapping, title).filter((field) => meaning !== `supplier:${field}`);
          const examples = below.map((row) => row[at]?.trim() ?? '').filter(Boolean);
          return (
            <tr key={title}>
              <td>{title}</td>
              <td className={styles.means}>
                <NativeSelect
                  aria-label={`Meaning of ${title}`}
                  value={meaning}
                  data={choices(title)}
                  onChange={(event) =>
                    onChange(withMeaning(mapping, title, event.currentTarget.value as Meaning, definitions))
                  }
                />
                {keys.includes(title) && <span className="muted">identifies parts</span>}
                {also.length > 0 && (
                  <span className="muted">
                    {keys.includes(title) ? ', ' : ''}
                    also: {also.map(supplierLabel).join(', ')}
                  </span>
                )}
              </td>
              <td className={styles.examples}>{[...new Set(examples)].slice(0, EXAMPLES).join(' · ')}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
