/** Webhooks and their deliveries as the interface shows and takes them (contract §5.5). */
import { z } from 'zod';
import type { EventKind } from '../events/record-events.ts';
import { ListQuery } from '../http/list.ts';
import { readOnly } from '../http/read-only.ts';
import { WebhookMessage } from './message.schema.ts';

/** The type of each kind of event in messages, written as in Standard Webhooks. */
export const eventTypes = {
  lifecycleTransition: 'lifecycle.transitioned',
  importCompleted: 'import.completed',
  entityCreated: 'entity.created',
  entityUpdated: 'entity.updated',
  feature: 'feature.triggered',
  stockMoved: 'stock.moved',
  orderChanged: 'order.changed',
  schedule: 'schedule.fired',
  thresholdCrossed: 'threshold.crossed',
  importNotClean: 'import.not_clean',
  belowReorderPoint: 'stock.belowReorderPoint',
  planningFinished: 'planning.finished',
  ledgerDigest: 'ledger.digested',
} as const satisfies Record<EventKind, string>;

export const EventType = z.enum(Object.values(eventTypes)).meta({ examples: ['entity.created'] });
export type EventType = z.infer<typeof EventType>;

/** The type of a message that tests a receiver; nothing subscribes to it. */
export const TEST_TYPE = 'webhook.test';
const MessageType = z.enum([...Object.values(eventTypes), TEST_TYPE]).meta({ examples: ['entity.created'] });
export type MessageType = z.infer<typeof MessageType>;

const exampleId = '0199d0f0-0000-7000-8000-000000000030';
const Moment = z.iso.datetime().meta({ examples: ['2026-11-20T09:30:00.000Z'] });
const WebhookId = z
  .uuid()
  .describe('Id of the webhook.')
  .meta({ examples: [exampleId] });
const DeliveryId = z
  .uuid()
  .describe('Id of the delivery.')
  .meta({ examples: [exampleId] });

export const Webhook = z
  .object({
    id: WebhookId,
    url: z
      .string()
      .meta({ description: 'Target of the messages.', examples: ['https://example.com/hooks/partbook'] }),
    description: z.string().meta({ examples: ['ERP'] }),
    events: z.array(EventType).meta({ description: 'Events that it subscribes to.' }),
    enabled: z.boolean().meta({ examples: [true] }),
    disabledReason: z.string().nullable().meta({ description: 'Why the service has disabled it.' }),
    failingSince: Moment.nullable().describe('When the first delivery failed since the last success, UTC.'),
    previousSecretUntil: Moment.nullable().describe(
      'Until then messages are also signed with the previous secret.',
    ),
    createdAt: Moment.describe('When it was created, UTC.'),
    updatedAt: Moment.describe('When it was last changed, UTC.'),
  })
  .describe('An address that receives events, signed according to Standard Webhooks.')
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

const secret = z.string().meta({
  description: 'The signing secret, shown only here.',
  examples: ['whsec_MfKQ9r8GKYqrTwjU'],
});
export const WebhookWithSecret = Webhook.extend({ secret }).meta({ id: 'WebhookWithSecret' });

const URL_CHARS_MAX = 2048;
const Url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(URL_CHARS_MAX)
  .refine((text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).password === ''), {
    error: 'must not carry a user name or password',
  })
  .refine((text) => !URL.canParse(text) || new URL(text).port !== '0', { error: 'must not name port 0' })
  // As it is sent: scheme and host in lower case, without the port that goes without saying.
  .transform((text) => new URL(text).href)
  .refine((href) => href.length <= URL_CHARS_MAX, { error: `must have at most ${URL_CHARS_MAX} characters` })
  .describe('An http or https address; private, loopback and link-local ones are refused.')
  .meta({ examples: ['https://example.com/hooks/partbook'] });

const fields = {
  url: Url,
  description: z
    .string()
    .max(1000)
    .default('')
    .meta({ examples: ['ERP'] }),
  events: z
    .array(EventType)
    .min(1)
    .max(20)
    .transform((events) => [...new Set(events)])
    .meta({ description: 'Events that it subscribes to.', examples: [['entity.created', 'entity.updated']] }),
  enabled: z
    .boolean()
    .default(true)
    .meta({ examples: [true] }),
};

export const NewWebhook = z.strictObject(fields).meta({ id: 'NewWebhook' });
export type NewWebhook = z.output<typeof NewWebhook>;

const untouched = ['id', 'createdAt'] as const;
/** Deliveries and time change these, and every change the last. */
const drifting = ['disabledReason', 'failingSince', 'previousSecretUntil', 'updatedAt'] as const;

export const WebhookReplacement = z
  .strictObject({
    ...fields,
    ...readOnly(Webhook, [...untouched, ...drifting], { drifting }),
  })
  .meta({ id: 'WebhookReplacement' });

export const WebhookParams = z.strictObject({ id: WebhookId });
export const DeliveryParams = z.strictObject({ id: WebhookId, deliveryId: DeliveryId });

export const SecretRotation = z
  .strictObject({
    overlapHours: z
      .int()
      .min(0)
      .max(720)
      .default(24)
      .describe('Time for which messages are also signed with the old secret.')
      .meta({ examples: [24] }),
  })
  .prefault({})
  .meta({ id: 'SecretRotation' });

const DeliveryStatus = z.enum(['pending', 'delivered', 'failed']).meta({ examples: ['delivered'] });
const deliveryFields = {
  id: DeliveryId,
  messageId: z.string().meta({ description: 'The `webhook-id` of the message, the same in every attempt.' }),
  type: MessageType,
  status: DeliveryStatus,
  attempts: z.int().meta({ examples: [1] }),
  nextAttemptAt: Moment.nullable().describe('When it is tried next, UTC; null if it is not.'),
  lastAttemptAt: Moment.nullable().describe('UTC.'),
  lastStatus: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status of the last answer.', examples: [200] }),
  lastError: z.string().nullable().meta({ description: 'Why the last attempt failed.' }),
  lastDurationMs: z
    .number()
    .nullable()
    .meta({ examples: [35] }),
  createdAt: Moment.describe('UTC.'),
};
export const Delivery = z.object(deliveryFields).meta({ id: 'WebhookDelivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryWithPayload = z
  .object({
    ...deliveryFields,
    payload: WebhookMessage.meta({ description: 'The message as it is sent.' }),
    history: z
      .array(
        z.object({
          at: Moment,
          status: z.int().nullable(),
          error: z.string().nullable(),
          durationMs: z.number(),
        }),
      )
      .meta({ description: 'The last attempts, oldest first.' }),
  })
  .meta({ id: 'WebhookDeliveryWithPayload' });
export type DeliveryWithPayload = z.infer<typeof DeliveryWithPayload>;

export const DeliveryQuery = ListQuery.extend({
  status: DeliveryStatus.optional().describe('Only deliveries with this status.'),
});
