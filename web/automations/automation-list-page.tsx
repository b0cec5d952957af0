/** Lists the automations of the workspace and the built-in ones. */
import { useMay } from '../client/session.ts';
import { LinkButton } from '../components/link-button.tsx';
import { momentColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../components/page-frame.tsx';
import { PausedNotice } from '../components/paused-notice.tsx';
import { Moment, StatusWord } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { AutomationTabs } from './automation-tabs.tsx';
import { contextText, contextTypes, RecentRuns } from './automation-words.tsx';

export function AutomationListPage() {
  const mayConfigure = useMay('configuration');
  return (
    <PageFrame
      title="Automations"
      actions={mayConfigure && <LinkButton href={paths.automation('new')}>New automation</LinkButton>}
    >
      <AutomationTabs current="automations" />
      <PausedNotice work="automation" />
      <GridSheet>
        <List
          label="Automations"
          noun={['automation', 'automations']}
          name="listAutomations"
          input={{}}
          rowKey={({ id }) => id}
          hrefOf={({ id }) => paths.automation(id)}
          filters={[{ key: 'contextTypeId', label: 'Runs when', options: contextTypes }]}
          columns={[
            textColumn('name', 'Name', { width: 190, grow: 1, phone: 'title' }),
            {
              key: 'when',
              header: 'Runs when',
              width: 240,
              phone: 'detail',
              cell: ({ contextTypeId }) => contextText(contextTypeId),
              text: ({ contextType }) => contextType,
            },
            {
              key: 'kind',
              header: 'Kind',
              width: 90,
              cell: ({ kind }) => <StatusWord tone="quiet">{kind}</StatusWord>,
              text: ({ kind }) => kind,
            },
            {
              key: 'enabled',
              header: 'State',
              width: 70,
              phone: 'side',
              cell: ({ enabled }) => (
                <StatusWord tone={enabled ? 'good' : 'quiet'}>{enabled ? 'on' : 'off'}</StatusWord>
              ),
              text: ({ enabled }) => (enabled ? 'on' : 'off'),
            },
            {
              key: 'runs',
              header: 'Recent runs',
              width: 130,
              phone: 'detail',
              cell: ({ recentRuns }) => <RecentRuns runs={recentRuns} />,
              text: ({ recentRuns }) => recentRuns[0]?.status ?? null,
            },
            {
              key: 'lastRun',
              header: 'Last run',
              width: 100,
              cell: ({ recentRuns: [last] }) => <Moment at={last?.finishedAt ?? null} />,
              text: ({ recentRuns: [last] }) => last?.finishedAt ?? null,
            },
            momentColumn('updatedAt', 'Changed', { width: 120, hidden: true }),
          ]}
          empty={
            <EmptyState
              title="No automations yet"
              action={mayConfigure && <LinkButton href={paths.automation('new')}>New automation</LinkButton>}
            >
              An automation is a script that runs when an item, its stock or an import changes.
            </EmptyState>
          }
          heightMax={680}
        />
      </GridSheet>
    </PageFrame>
  );
}
