/** The columns of a file with a few of their values, and what each is taken for. */
import { NativeSelect } from '@mantine/core';
import type { PropertyDefinition } from '../client/operations.ts';
import styles from './imports.module.css';
import { fieldMeanings, type Meaning, type TableFile } from './table-file.ts';

const EXAMPLES = 3;

export interface ColumnMappingProps {
  table: TableFile;
  meanings: readonly Meaning[];
  definitions: readonly PropertyDefinition[];
  onChange: (meanings: Meaning[]) => void;
}

export function ColumnMapping({ table, meanings, definitions, onChange }: ColumnMappingProps) {
  const choices = [
    { value: '', label: 'left out' },
    ...fieldMeanings,
    ...definitions.map(({ key, name }) => ({ value: `property:${key}`, label: `Property: ${name}` })),
  ];
  const set = (at: number, meaning: Meaning) =>
    // A meaning is given once: whoever had it loses it.
    onChange(
      meanings.map((one, index) => (index === at ? meaning : one === meaning && meaning !== '' ? '' : one)),
    );
  return (
    <table>
      <thead>
        <tr>
          <th>Column</th>
          <th>Means</th>
          <th>For example</th>
        </tr>
      </thead>
      <tbody>
        {table.head.map((title, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are, and names may repeat
          <tr key={at}>
            <td>{title || <span className="muted">no name</span>}</td>
            <td className={styles.means}>
              <NativeSelect
                aria-label={`Meaning of ${title || `column ${at + 1}`}`}
                value={meanings[at] ?? ''}
                data={choices}
                onChange={(event) => set(at, event.currentTarget.value as Meaning)}
              />
            </td>
            <td className={styles.examples}>
              {table.rows
                .slice(0, EXAMPLES)
                .map((row) => row[at] ?? '')
                .filter(Boolean)
                .join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
