/** One lifecycle: edited and drawn at the same time, saved as a whole. */
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Lifecycle } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { ActButton } from '../components/act-button.tsx';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { FootBar, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { usePathParam } from '../navigation/address.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { useUnsaved } from '../navigation/unsaved.ts';
import { StatesEditor, TransitionsEditor } from './lifecycle-editor.tsx';
import styles from './settings.module.css';

const LifecyclePicture = lazy(async () => ({
  default: (await import('../components/charts/lifecycle-picture.tsx')).LifecyclePicture,
}));

export function LifecyclePage() {
  const key = usePathParam('key');
  const query = useQuery(ask('getLifecycle', { key }));
  if (query.data === undefined) {
    return (
      <PageFrame title="Lifecycle" above={{ label: 'Lifecycles', href: paths.settings('lifecycles') }}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  return <Editor key={key} latest={query.data} />;
}

const labels = { name: 'Name', initialState: 'Initial state', states: 'States', transitions: 'Transitions' };

function Editor({ latest }: { latest: Lifecycle }) {
  const mayConfigure = useMay('configuration');
  const go = useGo();
  const [deleting, setDeleting] = useState(false);
  const changes = ['listLifecycles', 'getLifecycle', 'listAudit'] as const;
  const save = useSavedForm('replaceLifecycle', {
    shown: latest,
    read: readBy('getLifecycle', { key: latest.key }, (answer) => answer),
    tell: (from, to) => changesOf(from, to, labels),
    savedFields: (answer) => answer,
    changes,
    done: 'Lifecycle saved.',
  });
  const { form: draft, begun: saved, set, isTyped: changed } = save;
  const letGo = useUnsaved(changed);
  return (
    <PageFrame
      title={`Lifecycle ${saved.name}`}
      above={{ label: 'Lifecycles', href: paths.settings('lifecycles') }}
      actions={
        mayConfigure && (
          <Button variant="default" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )
      }
    >
      <Sheet>
        <Suspense fallback={<Waiting lines={5} />}>
          <LifecyclePicture lifecycle={draft} />
        </Suspense>
      </Sheet>
      {mayConfigure && (
        <>
          <div className={styles.editor}>
            <Sheet title="States">
              <div className={styles.rows}>
                <TextInput
                  label="Name of the lifecycle"
                  value={draft.name}
                  onChange={(event) => set({ name: event.currentTarget.value })}
                />
                <StatesEditor draft={draft} onChange={set} />
              </div>
            </Sheet>
            <Sheet title="Transitions">
              <TransitionsEditor draft={draft} onChange={set} />
            </Sheet>
          </div>
          {save.error !== null && <ProblemPanel error={save.error} />}
          <ChangedMeanwhile form={save} />
          <FootBar>
            <Button variant="default" disabled={!changed} onClick={() => set(saved)}>
              Undo changes
            </Button>
            <ActButton
              notYet={save.meanwhile !== null ? SOMEBODY_FIRST : changed ? null : 'No changes.'}
              loading={save.isPending}
              onClick={() => save.save({ key: saved.key, body: draft })}
            >
              Save
            </ActButton>
          </FootBar>
        </>
      )}
      {deleting && (
        <DeleteDialog
          what={`the lifecycle ${saved.name}`}
          consequence="A lifecycle can only be deleted while no category follows it."
          operation="deleteLifecycle"
          input={{ key: saved.key }}
          changes={changes}
          done="Lifecycle deleted."
          onDone={() => {
            letGo();
            go(paths.settings('lifecycles'));
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </PageFrame>
  );
}
