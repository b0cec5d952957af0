/** One run: its event, its result, and retry. */
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LongText, ScriptOutcome } from '../actions/script-outcome.tsx';
import { ask } from '../client/ask.ts';
import { useMay } from '../client/session.ts';
import { Icon } from '../components/icons.tsx';
import { LinkButton } from '../components/link-button.tsx';
import { Facts, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { Moment } from '../components/words.tsx';
import { usePathParam } from '../navigation/address.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { contextText, RunStatus } from './automation-words.tsx';
import { RunTimeline } from './run-timeline.tsx';

/** Beside the stream of the workspace, in case a proxy holds it back. */
const POLL_MS = 10_000;

export function RunPage() {
  const id = usePathParam('id');
  const go = useGo();
  const mayConfigure = useMay('configuration');
  const query = useQuery({
    ...ask('getAutomationRun', { id }),
    refetchInterval: ({ state }) => (state.data?.status === 'queued' ? POLL_MS : false),
  });
  const retry = useAction('retryAutomationRun', {
    changes: ['listAutomationRuns', 'getAutomationRun'],
    done: 'Run queued.',
    onDone: (run) => go(paths.automationRun(run.id)),
  });
  const automationId = query.data?.automationId;
  const { data: automation } = useQuery({
    ...ask('getAutomation', { id: automationId ?? '' }),
    enabled: automationId !== undefined,
  });
  const above = { label: 'Automations', href: paths.automations() };
  if (query.data === undefined) {
    return (
      <PageFrame title="Run" above={above}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  const run = query.data;
  const context = JSON.stringify(run.context, null, 2);
  return (
    <PageFrame
      title={automation === undefined ? 'Run' : `Run of ${automation.name}`}
      above={{ label: automation?.name ?? 'Automation', href: paths.automation(run.automationId) }}
      lead={
        <>
          <RunStatus status={run.status} />
          <span>{contextText(run.event.contextTypeId)}</span>
          <Moment at={run.event.at} />
          {run.triggeredBy !== null && <span>by {run.triggeredBy.name}</span>}
        </>
      }
      actions={
        mayConfigure && (
          <>
            <LinkButton variant="default" href={paths.automation(run.automationId, { context })}>
              Test with this context
            </LinkButton>
            {run.status === 'failed' && (
              <Menu position="bottom-end">
                <Menu.Target>
                  <Button loading={retry.isPending} rightSection={<Icon name="down" size={12} />}>
                    Retry
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => retry.mutate({ id, body: { script: 'current' } })}>
                    With the current script
                  </Menu.Item>
                  <Menu.Item onClick={() => retry.mutate({ id, body: { script: 'same' } })}>
                    With the script of this run
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </>
        )
      }
    >
      {retry.error !== null && <ProblemPanel error={retry.error} />}
      <Sheet>
        <Facts
          facts={[
            ['Started', <Moment key="began" at={run.startedAt} />],
            ['Finished', <Moment key="ended" at={run.finishedAt} />],
            ['Attempt', String(run.attempt)],
            ['Script version', String(run.scriptVersion)],
          ]}
        />
      </Sheet>
      <Sheet title="Result">
        <ScriptOutcome outcome={run} />
      </Sheet>
      <RunTimeline timeline={run.timeline} />
      <Sheet title="Context">
        <LongText>{context}</LongText>
      </Sheet>
    </PageFrame>
  );
}
