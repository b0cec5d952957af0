/** Lists the webhooks. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { codeColumn, momentColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { PausedNotice } from '../components/paused-notice.tsx';
import { StatusWord } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './settings.module.css';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

/** The number of events that fit. */
const EVENTS_SHOWN = 2;

export function WebhooksTab() {
  const [creating, setCreating] = useState(false);
  return (
    <>
      <PausedNotice work="webhook" />
      <GridSheet>
        <List
          label="Webhooks"
          noun={['webhook', 'webhooks']}
          name="listWebhooks"
          input={{}}
          rowKey={({ id }) => id}
          hrefOf={({ id }) => paths.settings('webhooks', id)}
          heightMax={640}
          tools={<Button onClick={() => setCreating(true)}>New webhook</Button>}
          columns={[
            codeColumn('url', 'URL', { width: 250, grow: 1, phone: 'title' }),
            textColumn('description', 'Description', { width: 130, spare: 1, phone: 'detail' }),
            {
              key: 'events',
              header: 'Events',
              width: 290,
              phone: 'detail',
              cell: ({ events }) => (
                <span className={styles.events} title={events.join(', ')}>
                  {events.slice(0, EVENTS_SHOWN).map((event) => (
                    <StatusWord key={event} tone="quiet">
                      {event}
                    </StatusWord>
                  ))}
                  {events.length > EVENTS_SHOWN && (
                    <span className="muted">and {events.length - EVENTS_SHOWN} more</span>
                  )}
                </span>
              ),
              text: ({ events }) => events.join(' '),
            },
            {
              key: 'state',
              header: 'State',
              width: 110,
              phone: 'side',
              cell: (webhook) => <WebhookState webhook={webhook} />,
              text: ({ enabled }) => (enabled ? 'on' : 'off'),
            },
            momentColumn('updatedAt', 'Changed', { width: 120, spare: 2 }),
          ]}
          empty={
            <EmptyState
              title="No webhooks yet"
              action={
                <Button variant="default" onClick={() => setCreating(true)}>
                  New webhook
                </Button>
              }
            >
              A webhook receives a signed message for each event it subscribes to.
            </EmptyState>
          }
        />
        {creating && <WebhookDialog webhook={null} onClose={() => setCreating(false)} />}
      </GridSheet>
    </>
  );
}
