/** A file, what its columns mean, and what it would do: the dry run shows the difference, and nothing is written yet. */
import { Button, NativeSelect } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { EmptyState, FootBar, PageFrame, Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { newKey } from '../components/use-action.ts';
import { bytesText, countText } from '../components/words.tsx';
import {
  useCategories,
  usePropertyDefinitions,
  useReadPropertyDefinitions,
} from '../entities/configuration.ts';
import { Link, useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { ColumnMapping } from './column-mapping.tsx';
import styles from './imports.module.css';
import { readTable } from './read-table.ts';
import { lookUpGuids, newGuid, sendDryRun } from './send-file.ts';
import {
  guessMeanings,
  type Meaning,
  mapRows,
  numbersToLookUp,
  type TableFile,
  toNdjson,
} from './table-file.ts';

type Step =
  | { at: 'choose' }
  | { at: 'map'; file: File; table: TableFile; meanings: readonly Meaning[] }
  | { at: 'ready'; file: File; type: 'application/json' | 'application/x-ndjson' };

export function ImportPage() {
  const go = useGo();
  const definitions = usePropertyDefinitions();
  const readDefinitions = useReadPropertyDefinitions();
  const categories = useCategories().filter(({ hiddenFromNew }) => !hiddenFromNew);
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [category, setCategory] = useState('');
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const key = useRef('');
  const defaultCategory =
    category || (categories.find(({ key: one }) => one === 'part') ?? categories[0])?.key || '';

  const attempt = async (what: string, work: () => Promise<void>) => {
    setBusy(what);
    setError(null);
    try {
      await work();
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(null);
    }
  };
  const choose = (file: File | undefined) => {
    if (file === undefined) return;
    key.current = newKey();
    if (/\.(json|ndjson|jsonl)$/i.test(file.name)) {
      setStep({
        at: 'ready',
        file,
        type: /\.json$/i.test(file.name) ? 'application/json' : 'application/x-ndjson',
      });
      return;
    }
    void attempt('Reading the file…', async () => {
      const table = await readTable(file);
      // A file may be chosen before they have come: every column would be left out then.
      const known = await readDefinitions();
      setStep({ at: 'map', file, table, meanings: guessMeanings(table.head, known) });
    });
  };
  const dryRun = () =>
    attempt('Sending…', async () => {
      if (step.at === 'ready') {
        const batch = await sendDryRun(step.file, step.type, key.current);
        go(paths.batch(batch.batchId));
      } else if (step.at === 'map') {
        const rows = mapRows(step.table, step.meanings, defaultCategory);
        const numbers = numbersToLookUp(rows);
        const { guids, ambiguous } = await lookUpGuids(numbers, (done) =>
          setBusy(`Looking up numbers: ${done} of ${numbers.length}`),
        );
        if (ambiguous.length > 0) {
          throw new Error(
            `Several entities have the number ${ambiguous.slice(0, 5).join(', ')}: map a column of GUIDs to tell them apart.`,
          );
        }
        setBusy('Sending…');
        const body = new Blob([toNdjson(rows, guids, newGuid)]);
        const batch = await sendDryRun(body, 'application/x-ndjson', newKey());
        go(paths.batch(batch.batchId));
      }
    });
  const drop = (event: DragEvent) => {
    event.preventDefault();
    choose(event.dataTransfer.files[0]);
  };
  const ready = step.at === 'ready' || (step.at === 'map' && isComplete(step.meanings));
  return (
    <PageFrame title="Import" lead={<Link href={paths.batches({ profile: 'upload' })}>Earlier imports</Link>}>
      <ol className={styles.steps} aria-label="Steps">
        {['File', 'Columns', 'Dry run', 'Commit'].map((label, index) => (
          <li
            key={label}
            aria-current={index === { choose: 0, map: 1, ready: 2 }[step.at] ? 'step' : undefined}
          >
            {label}
          </li>
        ))}
      </ol>
      <section
        aria-label="File"
        className={styles.drop}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        <label className={styles.choose}>
          <strong>{step.at === 'choose' ? 'Choose a file' : step.file.name}</strong>
          <span className="muted">
            {step.at === 'choose'
              ? 'or drop it here: CSV, XLSX, JSON as a sync takes it, or NDJSON.'
              : `${bytesText(step.file.size)}. Choose another one here.`}
          </span>
          <input
            type="file"
            accept=".csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl"
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        </label>
      </section>
      {error !== null && <ProblemPanel error={error} />}
      {step.at === 'map' && (
        <Sheet
          title={`${countText(step.table.rows.length, 'row')}: what do the columns mean?`}
          actions={
            <NativeSelect
              aria-label="Category where a row names none"
              value={defaultCategory}
              data={categories.map((one) => ({ value: one.key, label: `without a category: ${one.name}` }))}
              onChange={(event) => setCategory(event.currentTarget.value)}
            />
          }
          flush
        >
          <ColumnMapping
            table={step.table}
            meanings={step.meanings}
            definitions={definitions}
            onChange={(meanings) => setStep({ ...step, meanings })}
          />
        </Sheet>
      )}
      {step.at === 'choose' && busy === null && error === null && (
        <EmptyState title="Nothing is written before you have seen it">
          The file becomes a dry run. It shows what would be created and changed, field by field, and what was
          not understood; then it is committed, or not. It goes on when you leave the page.
        </EmptyState>
      )}
      {step.at !== 'choose' && (
        <FootBar>
          <span role="status">
            {busy ?? (step.at === 'map' ? unmappedWords(step.table, step.meanings) : 'It is sent as it is.')}
          </span>
          <Button
            loading={busy !== null}
            disabled={!ready}
            title={ready ? undefined : 'A column must be the number or the GUID, and one the name.'}
            onClick={() => void dryRun()}
          >
            Dry run
          </Button>
        </FootBar>
      )}
      {step.at === 'choose' && busy !== null && <p role="status">{busy}</p>}
    </PageFrame>
  );
}

function isComplete(meanings: readonly Meaning[]): boolean {
  return (meanings.includes('number') || meanings.includes('guid')) && meanings.includes('name');
}

/** A column that is not understood is named, never dropped in silence. */
function unmappedWords({ head }: TableFile, meanings: readonly Meaning[]): string {
  const left = head.filter((_, at) => meanings[at] === '');
  return left.length === 0 ? 'Every column is mapped.' : `Left out: ${left.join(', ')}.`;
}
