/** The page of imports: choose a file, check its columns, and send it as a dry run. Nothing is saved yet. The way back from the dry run keeps the file. */
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { importedFileOf, keepImportedFile } from '../batches/imported-file.ts';
import { askAll } from '../client/ask.ts';
import { isUnanswered, Unanswered } from '../client/unanswered.ts';
import { EmptyState, FootBar, PageFrame } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { newKey, RequestKeys } from '../components/request-keys.ts';
import { bytesText } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link, useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { bestChoice, type Choice, suggestedChoice } from './choose-definition.ts';
import styles from './imports.module.css';
import { keptChoice } from './kept-mapping.ts';
import { type FileLook, lookAtFile } from './read-file.ts';
import { PLAIN_PROFILE, type Sending, sendDryRun } from './send-file.ts';
import { TableStep } from './table-step.tsx';

type Step =
  | { at: 'choose' }
  | { at: 'read'; file: File; look: FileLook; first: Choice }
  | { at: 'ready'; file: File; type: Sending['type']; key: string };

const STEPS = ['File', 'Columns', 'Dry run', 'Commit'];

export function ImportPage() {
  const go = useGo();
  const client = useQueryClient();
  const definitions = useQuery(askAll('listImportDefinitions', {})).data ?? [];
  const address = useAddress();
  const [step, setStep] = useState<Step>(
    () => importedFileOf<Step>(client, address.get('file') ?? '') ?? { at: 'choose' },
  );
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const keys = useRef(new RequestKeys());
  // The file that could not be looked at is still there.
  const [refused, setRefused] = useState<File | null>(null);

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
    setRefused(file);
    void attempt('Reading the file…', async () => {
      setStep({ at: 'choose' });
      const look = await lookAtFile(file);
      if (look.format === 'json' || look.format === 'ndjson') {
        const type = look.format === 'json' ? 'application/json' : 'application/x-ndjson';
        setStep({ at: 'ready', file, type, key: newKey() });
        return;
      }
      // A file may be chosen before they have come.
      const known = await client.ensureQueryData(askAll('listImportDefinitions', {}));
      const first = keptChoice(look, known) ?? bestChoice(known, look) ?? (await suggestedChoice(look));
      setStep({ at: 'read', file, look, first });
    });
  };
  const dryRun = (sending: Sending, from: Step) =>
    void attempt('Sending…', async () => {
      const { key, profile, isExact } = sending;
      const batch = await sendDryRun({ ...sending, key: keys.current.of([key, profile, isExact]) }).catch(
        (fault: unknown) => {
          throw isUnanswered(fault) ? new Unanswered(fault) : fault;
        },
      );
      keepImportedFile(client, batch.batchId, from);
      // The browser's way back finds the file too.
      address.set({ file: batch.batchId }, 'replace');
      go(paths.batch(batch.batchId));
    });
  const drop = (event: DragEvent) => {
    event.preventDefault();
    choose(event.dataTransfer.files[0]);
  };
  return (
    <PageFrame title="Import" lead={<Link href={paths.batches()}>Import history</Link>}>
      <ol className={styles.steps} aria-label="Steps">
        {STEPS.map((label, index) => (
          <li
            key={label}
            aria-current={index === { choose: 0, read: 1, ready: 2 }[step.at] ? 'step' : undefined}
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
              ? 'or drop it here: CSV, TSV, XLSX, ODS, JSON, NDJSON, STEP, AP242 XML, a KiCad netlist, SOLIDWORKS PDM XML.'
              : `${bytesText(step.file.size)}. Choose another one here.`}
          </span>
          <input
            type="file"
            onChange={(event) => {
              choose(event.currentTarget.files?.[0]);
              // The same file, mended meanwhile, is chosen again.
              event.currentTarget.value = '';
            }}
          />
        </label>
      </section>
      {error !== null && (
        <ProblemPanel
          error={error}
          {...(step.at === 'choose' && refused !== null ? { onRetry: () => choose(refused) } : {})}
        />
      )}
      {step.at === 'read' && (
        <TableStep
          key={`${step.file.name} ${step.file.lastModified} ${step.file.size}`}
          file={step.file}
          look={step.look}
          first={step.first}
          definitions={definitions}
          isSending={busy !== null}
          onSend={(sending, choice) => dryRun(sending, { ...step, first: { ...choice, isKept: true } })}
        />
      )}
      {step.at === 'choose' && busy === null && error === null && (
        <EmptyState title="Nothing is saved until you commit">
          The file becomes a dry run. It shows what would be created and changed, field by field, and what was
          not understood. Then you commit it, or not. The dry run continues when you leave the page.
        </EmptyState>
      )}
      {step.at === 'ready' && (
        <FootBar>
          <span role="status">{busy ?? 'The file is sent unchanged.'}</span>
          <Button
            loading={busy !== null}
            onClick={() => {
              const { file: body, type, key } = step;
              dryRun({ body, type, profile: PLAIN_PROFILE, isExact: false, key }, step);
            }}
          >
            Dry run
          </Button>
        </FootBar>
      )}
      {step.at === 'choose' && busy !== null && <p role="status">{busy}</p>}
    </PageFrame>
  );
}
