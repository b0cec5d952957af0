/** One lifecycle: edited and drawn at the same time, saved as a whole. */
import { Button, TextInput } from '@mantine/core';
import { hashKey, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { askTagged } from '../client/ask.ts';
import type { Lifecycle } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { ActButton } from '../components/act-button.tsx';
import { DeleteDialog } from '../components/delete-dialog.tsx';
import { FootBar, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { usePathParam } from '../navigation/address.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { useUnsaved } from '../navigation/unsaved.ts';
import { StatesEditor, TransitionsEditor } from './lifecycle-editor.tsx';
import styles from './settings.module.css';

const LifecyclePicture = lazy(async () => ({
  default: (await import('../components/lifecycle-picture.tsx')).LifecyclePicture,
}));

export function LifecyclePage() {
  const key = usePathParam('key');
  const query = useQuery(askTagged('getLifecycle', { key }));
  if (query.data === undefined) {
    return (
      <PageFrame title="Lifecycle" above={{ label: 'Lifecycles', href: paths.settings('lifecycles') }}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  return <Editor key={key} saved={query.data.answer} tag={query.data.tag} />;
}

interface Saved {
  saved: Lifecycle;
  tag: string | null;
}

function Editor(latest: Saved) {
  // What the typing began from: when somebody else saves meanwhile, nothing that was typed goes.
  const [begun, setBegun] = useState(latest);
  const { saved, tag } = begun;
  // What our own save made of it: it comes back as the latest while the typing goes on.
  const [own, setOwn] = useState<Lifecycle | null>(null);
  const admin = useMay('admin');
  const go = useGo();
  const [draft, setDraft] = useState<Lifecycle>(saved);
  const [deleting, setDeleting] = useState(false);
  const changes = ['listLifecycles', 'getLifecycle', 'listAudit'] as const;
  const save = useAction('replaceLifecycle', {
    changes,
    headers: (): Record<string, string> => (tag === null ? {} : { 'If-Match': tag }),
    done: 'Lifecycle saved.',
    onDone: setOwn,
  });
  const changed = differs(draft, saved);
  const letGo = useUnsaved(changed);
  const isBehind = latest.tag !== tag && !save.isPending;
  const isOwn = own !== null && !differs(own, latest.saved);
  const isContested = isBehind && changed && !isOwn && differs(draft, latest.saved);
  const goOn = () => {
    setBegun(latest);
    save.reset();
  };
  const takeLatest = () => {
    setDraft(latest.saved);
    goOn();
  };
  const follow = useRef(takeLatest);
  follow.current = isOwn && changed ? goOn : takeLatest;
  useEffect(() => {
    if (isBehind && !isContested) follow.current();
  }, [isBehind, isContested]);
  return (
    <PageFrame
      title={`Lifecycle ${saved.name}`}
      above={{ label: 'Lifecycles', href: paths.settings('lifecycles') }}
      actions={
        admin && (
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
      {admin && (
        <>
          <div className={styles.editor}>
            <Sheet title="States">
              <div className={styles.rows}>
                <TextInput
                  label="Name of the lifecycle"
                  value={draft.name}
                  onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
                />
                <StatesEditor draft={draft} onChange={setDraft} />
              </div>
            </Sheet>
            <Sheet title="Transitions">
              <TransitionsEditor draft={draft} onChange={setDraft} />
            </Sheet>
          </div>
          {isContested ? (
            <Sheet title="Somebody saved this lifecycle meanwhile">
              <div className={styles.meanwhile}>
                <p>
                  What you typed is still here; saved over theirs, it takes the place of what they changed.
                </p>
                <Button variant="default" onClick={takeLatest}>
                  Take theirs
                </Button>
                <Button onClick={goOn}>Go on with mine</Button>
              </div>
            </Sheet>
          ) : (
            save.error !== null && <ProblemPanel error={save.error} />
          )}
          <FootBar>
            <Button variant="default" disabled={!changed} onClick={() => setDraft(saved)}>
              Undo changes
            </Button>
            <ActButton
              notYet={changed ? null : 'No changes.'}
              loading={save.isPending}
              onClick={() => save.mutate({ key: saved.key, body: draft })}
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

function differs(one: Lifecycle, other: Lifecycle): boolean {
  return hashKey([one]) !== hashKey([other]);
}
