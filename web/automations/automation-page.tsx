/** One automation: its script, a test run and its runs. */
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { askTagged } from '../client/ask.ts';
import type { Automation, ScriptFailure } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { useMay } from '../client/session.ts';
import { ActButton } from '../components/act-button.tsx';
import { DeleteDialog } from '../components/delete-dialog.tsx';
import { GridSheet, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { StatusWord } from '../components/words.tsx';
import { usePathParam } from '../navigation/address.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { useUnsaved } from '../navigation/unsaved.ts';
import { contextText, contextTypes } from './automation-words.tsx';
import styles from './automations.module.css';
import { RunsGrid } from './runs-grid.tsx';
import { TestPanel } from './test-panel.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

const ScriptEditor = lazy(async () => ({ default: (await import('./script-editor.tsx')).ScriptEditor }));

const fresh = {
  name: '',
  description: '',
  contextTypeId: 1,
  script: `// Runs when the state of an item has changed.\nif (context.toState === 'Released') {\n  api.log(context.entityNumber, 'is released');\n}\n`,
  enabled: false,
};

export function AutomationPage() {
  const id = usePathParam('id');
  const query = useQuery({ ...askTagged('getAutomation', { id }), enabled: id !== 'new' });
  if (id === 'new') return <Editor key="new" saved={null} tag={null} />;
  if (query.data === undefined) {
    return (
      <PageFrame title="Automation" above={{ label: 'Automations', href: paths.automations() }}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  return <Editor key={id} saved={query.data.answer} tag={query.data.tag} />;
}

interface Saved {
  saved: Automation | null;
  tag: string | null;
}

function Editor(latest: Saved) {
  // What the typing began from: when somebody else saves meanwhile, nothing that was typed goes.
  const [begun, setBegun] = useState(latest);
  const { saved, tag } = begun;
  const go = useGo();
  const admin = useMay('admin');
  const [form, setForm] = useState(saved ?? fresh);
  const [failure, setFailure] = useState<ScriptFailure | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [comparing, setComparing] = useState(false);
  // The editor holds its text: another one begins it anew.
  const [taken, setTaken] = useState(0);
  // What our own save made of it: it comes back as the latest while the typing goes on.
  const [own, setOwn] = useState<Automation | null>(null);
  const readOnly = !admin || saved?.kind === 'system';
  const { name, description, contextTypeId, script, enabled } = form;
  const body = { name: name.trim(), description, contextTypeId, script, enabled };
  const changed = saved === null || differs(saved, body);
  const letGo = useUnsaved(!readOnly && differs(saved ?? fresh, body));
  const changes = ['listAutomations', 'getAutomation', 'listScriptVersions'] as const;
  const create = useAction('createAutomation', {
    changes,
    done: 'Saved.',
    onDone: ({ id }) => {
      letGo();
      go(paths.automation(id), { replace: true });
    },
  });
  const replace = useAction('replaceAutomation', {
    changes,
    headers: (): Record<string, string> => (tag === null ? {} : { 'If-Match': tag }),
    done: 'Saved.',
    onDone: setOwn,
  });
  const clone = useAction('cloneAutomation', {
    changes,
    done: 'Automation cloned; the copy is off.',
    onDone: ({ id }) => go(paths.automation(id)),
  });
  const action = saved === null ? create : replace;
  const set = (patch: Partial<typeof fresh>) => setForm((before) => ({ ...before, ...patch }));
  const isBehind = latest.tag !== tag && latest.saved !== null && !replace.isPending;
  const takeLatest = () => {
    if (latest.saved === null) return;
    if (form.script !== latest.saved.script) setTaken((count) => count + 1);
    setForm(latest.saved);
    setBegun(latest);
    replace.reset();
  };
  // Else it is our own save, or that of somebody else under a page that nothing was typed on.
  const isOwn = latest.saved !== null && own !== null && !differs(latest.saved, own);
  const isContested = isBehind && latest.saved !== null && changed && !isOwn && differs(latest.saved, body);
  const goOn = () => {
    setBegun(latest);
    replace.reset();
  };
  const next = isOwn && changed ? goOn : takeLatest;
  const follow = useRef(next);
  follow.current = next;
  useEffect(() => {
    if (isBehind && !isContested) follow.current();
  }, [isBehind, isContested]);
  const save = () => (saved === null ? create.mutate({ body }) : replace.mutate({ id: saved.id, body }));
  return (
    <PageFrame
      title={saved === null ? 'New automation' : saved.name}
      above={{ label: 'Automations', href: paths.automations() }}
      lead={
        saved !== null && (
          <>
            <StatusWord tone={saved.enabled ? 'good' : 'quiet'}>{saved.enabled ? 'on' : 'off'}</StatusWord>
            {saved.kind === 'system' && <span>Built in. Clone it to change it.</span>}
            <span>Runs when: {contextText(saved.contextTypeId)}</span>
          </>
        )
      }
      actions={
        <>
          {saved?.kind === 'custom' && (
            <Button variant="default" onClick={() => setComparing(true)}>
              Versions
            </Button>
          )}
          {admin && (
            <>
              {saved !== null && (
                <Button
                  variant="default"
                  loading={clone.isPending}
                  onClick={() => clone.mutate({ id: saved.id, body: {} })}
                >
                  Clone
                </Button>
              )}
              {saved !== null && saved.kind === 'custom' && (
                <Button variant="default" onClick={() => setDeleting(true)}>
                  Delete
                </Button>
              )}
              {!readOnly && (
                <ActButton
                  loading={action.isPending}
                  notYet={body.name === '' ? 'Enter a name.' : changed ? null : 'No changes.'}
                  onClick={save}
                >
                  Save
                </ActButton>
              )}
            </>
          )}
        </>
      }
    >
      {isContested ? (
        <Sheet title="Somebody saved this automation meanwhile">
          <div className={styles.meanwhile}>
            <p>What you typed is still here. The versions show what they changed.</p>
            <Button variant="default" onClick={takeLatest}>
              Take theirs
            </Button>
            <Button onClick={goOn}>Go on with mine</Button>
          </div>
        </Sheet>
      ) : (
        action.error !== null && <ProblemPanel error={action.error} />
      )}
      {!readOnly && (
        <div className={styles.head}>
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Description"
            value={description}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <NativeSelect
            label="Runs when"
            value={String(contextTypeId)}
            data={contextTypes}
            onChange={(event) => set({ contextTypeId: Number(event.currentTarget.value) })}
          />
          <Switch
            label="Enabled"
            checked={enabled}
            onChange={(event) => set({ enabled: event.currentTarget.checked })}
          />
        </div>
      )}
      <div className={styles.console}>
        <Sheet title="Script" flush>
          <Suspense fallback={<Waiting lines={8} />}>
            <ScriptEditor
              key={taken}
              script={script}
              contextTypeId={contextTypeId}
              readOnly={readOnly}
              failure={failure ?? syntaxErrorOf(action.error)}
              onChange={(text) => set({ script: text })}
            />
          </Suspense>
        </Sheet>
        {admin && <TestPanel script={script} contextTypeId={contextTypeId} onFailure={setFailure} />}
      </div>
      {saved !== null && (
        <GridSheet>
          <RunsGrid automationId={saved.id} />
        </GridSheet>
      )}
      {comparing && saved !== null && (
        <VersionsDialog
          automationId={saved.id}
          {...(readOnly
            ? {}
            : {
                onTake: (text: string) => {
                  set({ script: text });
                  setTaken((count) => count + 1);
                },
              })}
          onClose={() => setComparing(false)}
        />
      )}
      {deleting && saved !== null && (
        <DeleteDialog
          what={saved.name}
          consequence="It stops running, and its runs are deleted."
          operation="deleteAutomation"
          input={{ id: saved.id }}
          changes={changes}
          done="Automation deleted."
          onDone={() => {
            letGo();
            go(paths.automations());
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </PageFrame>
  );
}

function differs(saved: typeof fresh, body: typeof fresh): boolean {
  return (['name', 'description', 'contextTypeId', 'script', 'enabled'] as const).some(
    (key) => saved[key] !== body[key],
  );
}

/** Where a script that was refused is wrong, for the mark on its line. */
function syntaxErrorOf(error: unknown): Pick<ScriptFailure, 'line' | 'column' | 'message'> | null {
  if (!(error instanceof Refusal) || error.code !== 'script_syntax_error') return null;
  const first = error.problem.errors?.[0] as { message: string; line?: number; column?: number } | undefined;
  return {
    line: first?.line ?? null,
    column: first?.column ?? null,
    message: first?.message ?? error.message,
  };
}
