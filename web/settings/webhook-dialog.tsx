/** Creates or changes a webhook: its URL, its events, and whether it is enabled. */
import { Checkbox, Switch, TextInput } from '@mantine/core';
import type { Webhook } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { SecretOnce } from '../components/dialogs/secret-once.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { useAction } from '../components/use-action.ts';

type Event = Webhook['events'][number];

const events: readonly { value: Event; label: string }[] = [
  { value: 'lifecycle.transitioned', label: 'State changed' },
  { value: 'import.completed', label: 'Import finished' },
  { value: 'entity.created', label: 'Item created' },
  { value: 'entity.updated', label: 'Item changed' },
  { value: 'feature.triggered', label: 'Automation triggered manually' },
  { value: 'stock.moved', label: 'Stock moved' },
  { value: 'order.changed', label: 'Order line or requirement changed' },
  { value: 'schedule.fired', label: 'Scheduled automation started' },
  { value: 'threshold.crossed', label: 'Threshold crossed' },
  { value: 'stock.belowReorderPoint', label: 'Item below its reorder point' },
  { value: 'planning.finished', label: 'Planning run finished' },
  { value: 'import.not_clean', label: 'Import failed, cancelled or with errors' },
  { value: 'ledger.digested', label: 'Ledger digest recorded' },
];

type Fields = Pick<Webhook, 'url' | 'description' | 'events' | 'enabled'>;
const labels = { url: 'URL', description: 'Description', events: 'Events', enabled: 'Enabled' };
const NEW: Fields = { url: '', description: '', events: [], enabled: true };

function fieldsOf({ url, description, events: told, enabled }: Webhook): Fields {
  return { url, description, events: told, enabled };
}

export function WebhookDialog({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const changes = ['listWebhooks', 'getWebhook', 'listAudit'] as const;
  const create = useAction('createWebhook', { changes });
  const replace = useSavedForm('replaceWebhook', {
    shown: webhook === null ? NEW : fieldsOf(webhook),
    read: readBy('getWebhook', webhook && { id: webhook.id }, fieldsOf),
    tell: (from, to) => changesOf(from, to, labels),
    changes,
    done: 'Webhook saved.',
    onDone: onClose,
  });
  const { form, set } = replace;
  const action = webhook === null ? create : replace;
  if (create.data !== undefined) {
    return (
      <Dialog title="Webhook created" submit="Done" leave={null} onClose={onClose} onSubmit={onClose}>
        <SecretOnce
          label="The receiver checks the signature of messages with this secret."
          secret={create.data.secret}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={webhook === null ? 'New webhook' : 'Webhook'}
      submit="Save"
      onClose={onClose}
      busy={action.isPending}
      error={action.error}
      notYet={
        replace.meanwhile !== null
          ? SOMEBODY_FIRST
          : !URL.canParse(form.url)
            ? 'Enter a URL.'
            : form.events.length === 0
              ? 'Choose at least one event.'
              : null
      }
      onSubmit={() =>
        webhook === null ? create.mutate({ body: form }) : replace.save({ id: webhook.id, body: form })
      }
    >
      <TextInput
        label="URL"
        placeholder="https://"
        type="url"
        data-autofocus=""
        value={form.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        value={form.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      {events.map(({ value, label }) => (
        <Checkbox
          key={value}
          label={label}
          checked={form.events.includes(value)}
          onChange={(event) =>
            set({
              events: event.currentTarget.checked
                ? [...form.events, value]
                : form.events.filter((other) => other !== value),
            })
          }
        />
      ))}
      <Switch
        label="Enabled"
        checked={form.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
      <ChangedMeanwhile form={replace} />
    </Dialog>
  );
}
