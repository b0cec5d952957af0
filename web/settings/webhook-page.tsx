/** One webhook: its deliveries, resending, and its secret. */
import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { WebhookDelivery } from '../client/operations.ts';
import { ActButton } from '../components/act-button.tsx';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { SecretOnce } from '../components/dialogs/secret-once.tsx';
import { ReturnFocus } from '../components/dialogs/use-return-focus.ts';
import { momentColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { usePhone } from '../components/lists/use-media.ts';
import { EmptyState, Facts, GridSheet, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { PausedNotice } from '../components/paused-notice.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { durationText, Moment, StatusWord } from '../components/words.tsx';
import { usePathParam } from '../navigation/address.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './settings.module.css';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

export function WebhookPage() {
  const id = usePathParam('id');
  const go = useGo();
  const query = useQuery(ask('getWebhook', { id }));
  // A phone shows no column headers, so the cell names its value.
  const isPhone = usePhone();
  const [asking, setAsking] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const resend = useAction('resendWebhookDelivery', {
    changes: ['listWebhookDeliveries'],
    done: 'Delivery queued.',
  });
  const test = useAction('testWebhook', {
    changes: ['listWebhookDeliveries'],
    done: 'Test sent. Its delivery is in the list below.',
  });
  const above = { label: 'Webhooks', href: paths.settings('webhooks') };
  if (query.data === undefined) {
    return (
      <PageFrame title="Webhook" above={above}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  const webhook = query.data;
  return (
    <PageFrame
      title={webhook.url}
      above={above}
      lead={
        <>
          <WebhookState webhook={webhook} /> {webhook.description}
        </>
      }
      actions={
        <>
          <Button variant="default" onClick={() => setAsking('rotate')}>
            New secret
          </Button>
          <ActButton
            variant="default"
            notYet={webhook.enabled ? null : 'Enable it first: nothing is sent while it is off.'}
            loading={test.isPending}
            onClick={() => test.mutate({ id })}
          >
            Send a test
          </ActButton>
          <Button variant="default" onClick={() => setAsking('delete')}>
            Delete
          </Button>
          <Button onClick={() => setAsking('edit')}>Edit</Button>
        </>
      }
    >
      <PausedNotice work="webhook" />
      <Sheet>
        <Facts
          facts={[
            ['Events', webhook.events.join(', ')],
            ['Failing since', <Moment key="failing" at={webhook.failingSince} />],
            ...(webhook.disabledReason === null
              ? []
              : [['Disabled because', webhook.disabledReason] as const]),
            ...(webhook.previousSecretUntil === null
              ? []
              : [
                  [
                    'Old secret valid until',
                    <Moment key="until" at={webhook.previousSecretUntil} />,
                  ] as const,
                ]),
          ]}
        />
      </Sheet>
      <GridSheet>
        <List
          label="Deliveries"
          noun={['delivery', 'deliveries']}
          name="listWebhookDeliveries"
          input={{ id }}
          rowKey={(delivery) => delivery.id}
          heightMax={560}
          refetchMs={5000}
          filters={[
            {
              key: 'status',
              label: 'Status',
              options: ['pending', 'delivered', 'failed'].map((value) => ({ value, label: value })),
            },
          ]}
          columns={[
            momentColumn('createdAt', 'Time', { width: 110, phone: 'title' }),
            textColumn('type', 'Event', { width: 170, phone: 'title' }),
            {
              key: 'status',
              header: 'Status',
              width: 100,
              phone: 'side',
              cell: ({ status }) => (
                <StatusWord tone={status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : 'live'}>
                  {status}
                </StatusWord>
              ),
              text: ({ status }) => status,
            },
            textColumn('attempts', 'Attempts', { width: 76, align: 'end', spare: 2 }),
            {
              key: 'answer',
              header: 'Response',
              width: 180,
              grow: 1,
              phone: 'detail',
              cell: ({ lastStatus, lastError, lastDurationMs }: WebhookDelivery) =>
                [lastError ?? lastStatus, lastDurationMs === null ? null : durationText(lastDurationMs)]
                  .filter((part) => part !== null)
                  .join(' · '),
              text: ({ lastStatus, lastError }) => `${lastStatus ?? ''} ${lastError ?? ''}`.trim(),
            },
            {
              key: 'next',
              header: 'Next attempt',
              width: 110,
              spare: 1,
              phone: 'detail',
              cell: ({ status, nextAttemptAt }: WebhookDelivery) => {
                if (status !== 'pending') return isPhone ? null : <span className="muted">–</span>;
                const next = webhook.enabled ? <Moment at={nextAttemptAt} /> : 'when enabled';
                return isPhone ? <>next {next}</> : next;
              },
              text: ({ nextAttemptAt }) => nextAttemptAt,
            },
            {
              key: 'do',
              header: 'Actions',
              width: 76,
              phone: 'side',
              cell: (delivery) => (
                <RowActions
                  actions={[
                    {
                      icon: 'search',
                      label: `Show message ${delivery.messageId}`,
                      onClick: () => setShown(delivery.id),
                    },
                    {
                      icon: 'retry',
                      label: `Resend message ${delivery.messageId}`,
                      onClick: () => resend.mutate({ id, deliveryId: delivery.id }),
                    },
                  ]}
                />
              ),
            },
          ]}
          empty={<EmptyState title="No deliveries yet">The next event is delivered.</EmptyState>}
        />
      </GridSheet>
      {test.error !== null && <ProblemPanel error={test.error} />}
      {resend.error !== null && <ProblemPanel error={resend.error} />}
      {shown !== null && <DeliveryDialog webhookId={id} deliveryId={shown} onClose={() => setShown(null)} />}
      {asking === 'edit' && <WebhookDialog webhook={webhook} onClose={() => setAsking(null)} />}
      {asking === 'rotate' && <RotateDialog id={id} onClose={() => setAsking(null)} />}
      {asking === 'delete' && (
        <DeleteDialog
          what="this webhook"
          consequence="Nothing more is sent to this URL, and its deliveries are deleted."
          operation="deleteWebhook"
          input={{ id }}
          changes={['listWebhooks', 'listAudit']}
          done="Webhook deleted."
          onDone={() => go(paths.settings('webhooks'))}
          onClose={() => setAsking(null)}
        />
      )}
    </PageFrame>
  );
}

function DeliveryDialog({
  webhookId,
  deliveryId,
  onClose,
}: {
  webhookId: string;
  deliveryId: string;
  onClose: () => void;
}) {
  const query = useQuery(ask('getWebhookDelivery', { id: webhookId, deliveryId }));
  return (
    <Modal opened onClose={onClose} title="Message" size="lg">
      <ReturnFocus />
      {query.data === undefined ? (
        <Waiting />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre className={styles.json} tabIndex={0}>
          {JSON.stringify(query.data, null, 2)}
        </pre>
      )}
    </Modal>
  );
}

function RotateDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const rotate = useAction('rotateWebhookSecret', { changes: ['getWebhook', 'listAudit'] });
  return (
    <Dialog
      title="New secret"
      submit={rotate.data === undefined ? 'Create secret' : 'Done'}
      {...(rotate.data === undefined ? {} : { leave: null })}
      onClose={onClose}
      busy={rotate.isPending}
      error={rotate.error}
      onSubmit={() => (rotate.data === undefined ? rotate.mutate({ id, body: {} }) : onClose())}
    >
      {rotate.data === undefined ? (
        <p>Messages are signed with both secrets for a while, so that the receiver can switch.</p>
      ) : (
        <SecretOnce label="This is the new secret." secret={rotate.data.secret} />
      )}
    </Dialog>
  );
}
