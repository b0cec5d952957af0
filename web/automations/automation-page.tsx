/** One automation: its script, a test run and its runs. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Automation, ScriptFailure } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { AREAS_OF_ACTIONS, useMay } from '../client/session.ts';
import { ActButton } from '../components/act-button.tsx';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { GridSheet, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { StatusWord } from '../components/words.tsx';
import { useAddress, usePathParam } from '../navigation/address.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { useUnsaved } from '../navigation/unsaved.ts';
import {
  type ActionDraft,
  ActionsSettings,
  draftsOf,
  readActions,
  useBuiltInActions,
} from './actions-settings.tsx';
import { AutomationHead } from './automation-head.tsx';
import { contextText, MANUAL } from './automation-words.tsx';
import styles from './automations.module.css';
import { draftOf } from './button-settings.tsx';
import { RunDialog } from './run-dialog.tsx';
import { RunsGrid } from './runs-grid.tsx';
import { NextRun } from './schedule-settings.tsx';
import { TestPanel } from './test-panel.tsx';
import { ViewStatus } from './threshold-settings.tsx';
import { type TriggerFields, TriggerSettings, triggerBody, triggerFault } from './trigger-settings.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

const ScriptEditor = lazy(async () => ({ default: (await import('./script-editor.tsx')).ScriptEditor }));

/** Between two reads of the count of a view. */
const FIRST_COUNT_MS = 2000;
const COUNT_MS = 30_000;

const fresh = {
  name: '',
  description: '',
  contextTypeId: 1,
  script: `// Runs when the state of an item has changed.\nif (context.toState === 'Released') {\n  api.log(context.entityNumber, 'is released');\n}\n`,
  actions: null as ActionDraft[] | null,
  button: null as TriggerFields['button'],
  filter: null as TriggerFields['filter'],
  schedule: null as TriggerFields['schedule'],
  threshold: null as TriggerFields['threshold'],
  enabled: false,
};

export function AutomationPage() {
  const id = usePathParam('id');
  const query = useQuery({
    ...ask('getAutomation', { id }),
    enabled: id !== 'new',
    // No event tells of a count.
    refetchInterval: ({ state: { data } }) =>
      data?.enabled !== true || data.threshold?.view === undefined
        ? false
        : data.thresholdStatus === null
          ? FIRST_COUNT_MS
          : COUNT_MS,
  });
  if (id === 'new') return <Editor key="new" saved={null} />;
  if (query.data === undefined) {
    return (
      <PageFrame title="Automation" above={{ label: 'Automations', href: paths.automations() }}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  return <Editor key={id} saved={query.data} />;
}

type Fields = typeof fresh;

function fieldsOf({ name, description, contextTypeId, script, enabled, ...more }: Automation): Fields {
  const { actions, button, filter, schedule, threshold } = more;
  const settings = { actions: draftsOf(actions), button: draftOf(button), filter, schedule, threshold };
  return { name, description, contextTypeId, script, ...settings, enabled };
}

const labels = {
  name: 'Name',
  description: 'Description',
  contextTypeId: 'Runs when',
  script: 'Script',
  actions: 'Actions',
  button: 'Button',
  filter: 'Only for',
  schedule: 'Schedule',
  threshold: 'Threshold',
  enabled: 'Enabled',
};

function Editor({ saved }: { saved: Automation | null }) {
  const go = useGo();
  const mayConfigure = useMay('configuration');
  const address = useAddress();
  const mayRun =
    useMay(AREAS_OF_ACTIONS) && saved?.kind === 'custom' && saved.enabled && saved.contextTypeId === MANUAL;
  const [failure, setFailure] = useState<ScriptFailure | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [comparing, setComparing] = useState(false);
  const changes = ['listAutomations', 'getAutomation', 'listScriptVersions'] as const;
  const replace = useSavedForm('replaceAutomation', {
    shown: saved === null ? fresh : fieldsOf(saved),
    read: readBy('getAutomation', saved && { id: saved.id }, fieldsOf),
    tell: (from, to) => changesOf(named(from), named(to), labels),
    savedFields: fieldsOf,
    changes,
    done: 'Saved.',
  });
  const { form, set } = replace;
  const { name, contextTypeId, script } = form;
  const { actions, fault: actionFault } = readActions(form.actions, useBuiltInActions());
  const readOnly = !mayConfigure || saved?.kind === 'system';
  const text = actions === null ? script : '';
  const body = { ...form, script: text, actions, name: name.trim(), ...triggerBody(form) };
  const fault = actionFault ?? triggerFault(form);
  const changed = saved === null || replace.isTyped;
  const letGo = useUnsaved(!readOnly && replace.isTyped);
  const create = useAction('createAutomation', {
    changes,
    done: 'Saved.',
    onDone: ({ id }) => {
      letGo();
      go(paths.automation(id), { replace: true });
    },
  });
  const clone = useAction('cloneAutomation', {
    changes,
    done: 'Automation cloned; the copy is off.',
    onDone: ({ id }) => go(paths.automation(id)),
  });
  const action = saved === null ? create : replace;
  const save = () => (saved === null ? create.mutate({ body }) : replace.save({ id: saved.id, body }));
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
            {saved.thresholdStatus !== null && <ViewStatus status={saved.thresholdStatus} />}
            {saved.schedule !== null && <NextRun nextRunAt={saved.nextRunAt} enabled={saved.enabled} />}
          </>
        )
      }
      actions={
        <>
          {mayRun && (
            <Button variant="default" onClick={() => address.set({ run: '1' }, 'replace')}>
              Run…
            </Button>
          )}
          {saved?.kind === 'custom' && (
            <Button variant="default" onClick={() => setComparing(true)}>
              Versions
            </Button>
          )}
          {mayConfigure && (
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
                  notYet={
                    replace.meanwhile !== null
                      ? SOMEBODY_FIRST
                      : body.name === ''
                        ? 'Enter a name.'
                        : fault !== null
                          ? fault
                          : changed
                            ? null
                            : 'No changes.'
                  }
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
      {action.error !== null && <ProblemPanel error={action.error} />}
      <ChangedMeanwhile form={replace} />
      {!readOnly && <AutomationHead fields={form} onChange={set} />}
      {form.actions !== null && (
        <ActionsSettings
          drafts={form.actions}
          readOnly={readOnly}
          onChange={(drafts) => set({ actions: drafts })}
        />
      )}
      {form.actions === null && (
        <div className={styles.console}>
          <Sheet title="Script" flush>
            <Suspense fallback={<Waiting lines={8} />}>
              <ScriptEditor
                script={script}
                contextTypeId={contextTypeId}
                readOnly={readOnly}
                failure={failure ?? syntaxErrorOf(action.error)}
                onChange={(text) => set({ script: text })}
              />
            </Suspense>
          </Sheet>
          {mayConfigure && <TestPanel script={script} contextTypeId={contextTypeId} onFailure={setFailure} />}
        </div>
      )}
      {!readOnly && <TriggerSettings fields={form} onChange={set} />}
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
                onTake: (text: string) => set({ script: text }),
              })}
          onClose={() => setComparing(false)}
        />
      )}
      {mayRun && address.get('run') !== undefined && (
        <RunDialog automation={saved} onClose={() => address.set({ run: undefined }, 'replace')} />
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

/** People know an event by its label. */
function named({ contextTypeId, ...fields }: Fields) {
  return { ...fields, contextTypeId: contextText(contextTypeId) };
}

/** The place of a syntax error, for the mark on its line. */
function syntaxErrorOf(error: unknown): Pick<ScriptFailure, 'line' | 'column' | 'message'> | null {
  if (!(error instanceof Refusal) || error.code !== 'script_syntax_error') return null;
  const first = error.problem.errors?.[0] as { message: string; line?: number; column?: number } | undefined;
  return {
    line: first?.line ?? null,
    column: first?.column ?? null,
    message: first?.message ?? error.message,
  };
}
