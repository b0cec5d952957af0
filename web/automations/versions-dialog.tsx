/** The versions of a script: who saved each, the difference between two, and restoring an older one. */
import { Modal, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { ScriptVersion } from '../client/operations.ts';
import { ActButton } from '../components/act-button.tsx';
import { useReturnFocus } from '../components/dialogs/use-return-focus.ts';
import { EmptyState, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { momentText } from '../components/words.tsx';
import styles from './automations.module.css';

const ScriptDiff = lazy(async () => ({ default: (await import('./script-diff.tsx')).ScriptDiff }));

/** Only the newest are shown; the API has older ones. */
const VERSIONS = 50;

export interface VersionsDialogProps {
  automationId: string;
  /** Absent where the script cannot be changed. */
  onTake?: (script: string) => void;
  onClose: () => void;
}

export function VersionsDialog({ automationId, onTake, onClose }: VersionsDialogProps) {
  useReturnFocus();
  const query = useQuery(ask('listScriptVersions', { id: automationId, query: { limit: VERSIONS } }));
  return (
    <Modal opened onClose={onClose} title="Versions of the script" size="xl">
      {query.isError ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Waiting lines={6} />
      ) : (
        <Compare versions={query.data.items} onTake={onTake} onClose={onClose} />
      )}
    </Modal>
  );
}

function Compare({
  versions,
  onTake,
  onClose,
}: Omit<VersionsDialogProps, 'automationId'> & { versions: readonly ScriptVersion[] }) {
  const [newest, second] = versions;
  const [from, setFrom] = useState(second?.version ?? 0);
  const [to, setTo] = useState(newest?.version ?? 0);
  if (newest === undefined || second === undefined) {
    return (
      <EmptyState title="Only one version">
        Each saved change of the script makes a version. A run names the version it ran.
      </EmptyState>
    );
  }
  const options = versions.map((one) => ({
    value: String(one.version),
    label: `${one.version}, ${momentText(one.createdAt)}, ${one.createdBy.name}`,
  }));
  const scriptOf = (version: number) => versions.find((one) => one.version === version)?.script ?? '';
  return (
    <div className={styles.versions}>
      <div className={styles.between}>
        <NativeSelect
          label="From version"
          value={String(from)}
          data={options}
          onChange={(event) => setFrom(Number(event.currentTarget.value))}
        />
        <NativeSelect
          label="To version"
          value={String(to)}
          data={options}
          onChange={(event) => setTo(Number(event.currentTarget.value))}
        />
        {onTake !== undefined && (
          <ActButton
            variant="default"
            notYet={from === newest.version ? 'This is the current version.' : null}
            onClick={() => {
              onTake(scriptOf(from));
              onClose();
            }}
          >
            Restore version {from}
          </ActButton>
        )}
      </div>
      {scriptOf(from) === scriptOf(to) ? (
        <p className="muted">No differences.</p>
      ) : (
        <Suspense fallback={<Waiting lines={8} />}>
          <ScriptDiff
            before={scriptOf(from)}
            after={scriptOf(to)}
            label={`What changed from version ${from} to ${to}`}
          />
        </Suspense>
      )}
    </div>
  );
}
