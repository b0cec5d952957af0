/** The messages of webhooks by type, as they are signed and sent (contract §5.4, §5.5). */
import { z } from 'zod';
import { actorTypes } from '../actor.ts';
import { count, EntityNumber, exampleId, id, Moment, Slug } from './message-fields.schema.ts';
import { belowReorderPoint, crossed, orderChanged, stockMoved } from './stock-message.schema.ts';

const value = z
  .union([z.string(), z.number(), z.boolean()])
  .nullable()
  .meta({ description: 'A value; null for none.', examples: ['M6 x 20'] });
/** A message that would be too large says what is left out of it. */
const omitted = (field: string) =>
  z
    .literal(true)
    .optional()
    .meta({
      description: `Present where the message would be too large with its ${field}: \`${field}\` is empty then, and the entity has the values.`,
    });

const subject = {
  entityId: id('Id of the entity.'),
  entityNumber: EntityNumber,
  entityGuid: z.string().nullable().meta({ description: 'Its E_Guid; null if it has none.' }),
  categoryKey: z.string().meta({ description: 'Key of its category.', examples: ['part'] }),
  workspaceSlug: Slug,
  batchId: id('The import batch that did it; null if none did.').nullable(),
};

const moved = z.object({
  entityId: id('Id of the version of the entity.'),
  entityNumber: EntityNumber,
  fromState: z.string().meta({ description: 'Name of its previous state.', examples: ['In Review'] }),
  toState: z.string().meta({ description: 'Name of its state now.', examples: ['Released'] }),
  workspaceSlug: Slug,
});

const imported = z.object({
  batchId: id('Id of the batch.'),
  profileName: z.string().meta({ description: 'Name of the import definition.', examples: ['pdm'] }),
  insertCount: count('Entities created.'),
  updateCount: count('Entities updated.'),
  errorCount: count('Rows that failed.'),
  workspaceSlug: Slug,
});

const updated = z.object({
  ...subject,
  changes: z
    .array(
      z.object({
        property: z.string().meta({
          description: 'Key of the property; `number`, `name` or `E_Guid` for those of the entity.',
          examples: ['Mass'],
        }),
        from: value,
        to: value,
      }),
    )
    .meta({ description: 'The values that differ.' }),
  changesOmitted: omitted('changes'),
});

const caller = z.object({
  type: z.enum(actorTypes).meta({ examples: ['apiKey'] }),
  id: z.string().meta({ examples: [exampleId] }),
  name: z.string().meta({ examples: ['Ada'] }),
});

const triggered = z.object({
  feature: z.string().meta({ description: 'Name of the action.', examples: ['notifyWebhook'] }),
  entityId: id('Id of the entity; null if it concerns none.').nullable(),
  entityNumber: EntityNumber,
  workspaceSlug: Slug,
  parameters: z
    .record(z.string(), z.unknown())
    .meta({ description: 'Parameters of the call.', examples: [{ event: 'part-ready' }] }),
  parametersOmitted: omitted('parameters'),
  triggeredBy: caller.nullable().meta({
    description: 'The caller that triggered it, a member, a key or an automation; null where an event did.',
  }),
});

const scheduled = z.object({
  schedule: z.string().meta({ description: 'Name of the automation.', examples: ['Daily report'] }),
  scheduledAt: Moment.meta({ description: 'The time by the schedule, UTC.' }),
  timeZone: z.string().meta({ examples: ['Europe/Berlin'] }),
  missed: count('Earlier times that passed without a run; at most 1000 are counted.'),
  workspaceSlug: Slug,
});

const notClean = imported.extend({
  status: z
    .enum(['completed', 'cancelled', 'failed'])
    .meta({ description: 'Completed with errors, cancelled, or failed.', examples: ['failed'] }),
  failure: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'Why it failed; null if it did not.' }),
});

const counts = (description: string) =>
  z.record(z.string(), count('How many.')).meta({ description, examples: [{ order: 12 }] });

const planned = z.object({
  planningRunId: id('Id of the planning run.'),
  status: z
    .enum(['completed', 'cancelled', 'failed'])
    .meta({ description: 'How it ended.', examples: ['completed'] }),
  isWhatIf: z.boolean().meta({ description: 'Whether it cannot be committed.', examples: [false] }),
  day: z.iso
    .date()
    .nullable()
    .meta({
      description: 'The day for which it was computed; null if it was not.',
      examples: ['2026-11-27'],
    }),
  actions: counts('Number of actions by kind; `none`: exceptions that propose nothing.'),
  exceptions: counts('Number of actions with each exception.'),
  isTruncated: z
    .boolean()
    .meta({ description: 'Whether there are more actions than are stored.', examples: [false] }),
  failure: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'Why it failed; null if it did not.' }),
  workspaceSlug: Slug,
});

const digested = z.object({
  at: Moment.meta({ description: 'Everything committed by then is covered.' }),
  entries: count('Entries of the ledger that it covers.'),
  positions: count('Number of covered positions.'),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({
      description: 'Store it outside the service, and send it to `verifyLedgerAgainstDigest`.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  workspaceSlug: Slug,
});

const tried = z.object({
  webhookId: id('Id of the webhook.'),
  sentBy: caller.meta({ description: 'The caller that requested the test.' }),
});

function message<const Type extends string, Data extends z.ZodType>(
  type: Type,
  data: Data,
  named: { id: string; description: string },
) {
  return z
    .object({
      type: z.literal(type).meta({ description: 'The event.' }),
      timestamp: Moment.meta({ description: 'When it happened, UTC.' }),
      data,
    })
    .meta(named);
}

/** The messages by type, each with its data. */
export const messages = {
  'lifecycle.transitioned': message('lifecycle.transitioned', moved, {
    id: 'LifecycleTransitionedMessage',
    description: 'An entity version has changed its lifecycle state.',
  }),
  'import.completed': message('import.completed', imported, {
    id: 'ImportCompletedMessage',
    description: 'An import batch has finished.',
  }),
  'entity.created': message('entity.created', z.object(subject), {
    id: 'EntityCreatedMessage',
    description: 'An entity has been created.',
  }),
  'entity.updated': message('entity.updated', updated, {
    id: 'EntityUpdatedMessage',
    description: "An entity's properties have been saved.",
  }),
  'feature.triggered': message('feature.triggered', triggered, {
    id: 'FeatureTriggeredMessage',
    description: 'A user has triggered an action, or a transition has.',
  }),
  'stock.moved': message('stock.moved', stockMoved, {
    id: 'StockMovedMessage',
    description: 'Stock of an item has moved: one message for each transaction and item.',
  }),
  'order.changed': message('order.changed', orderChanged, {
    id: 'OrderChangedMessage',
    description:
      'An order line or a requirement has changed: one message for each transaction and each of them.',
  }),
  'schedule.fired': message('schedule.fired', scheduled, {
    id: 'ScheduleFiredMessage',
    description: 'The time of a scheduled automation has come.',
  }),
  'threshold.crossed': message('threshold.crossed', crossed, {
    id: 'ThresholdCrossedMessage',
    description:
      'Stock of an item, or the count of a saved view, has crossed the threshold of an automation.',
  }),
  'import.not_clean': message('import.not_clean', notClean, {
    id: 'ImportNotCleanMessage',
    description: 'An import has failed, was cancelled, or has errors.',
  }),
  'stock.belowReorderPoint': message('stock.belowReorderPoint', belowReorderPoint, {
    id: 'BelowReorderPointMessage',
    description: 'An item has fallen below its reorder point: one message for each crossing.',
  }),
  'planning.finished': message('planning.finished', planned, {
    id: 'PlanningFinishedMessage',
    description: 'A planning run has ended.',
  }),
  'ledger.digested': message('ledger.digested', digested, {
    id: 'LedgerDigestedMessage',
    description: 'The ledger has a new digest.',
  }),
  'webhook.test': message('webhook.test', tried, {
    id: 'WebhookTestMessage',
    description: 'A test of the receiver. No webhook subscribes to it: it is sent to the tested one.',
  }),
};

export const WebhookMessage = z
  .discriminatedUnion('type', [
    messages['lifecycle.transitioned'],
    messages['import.completed'],
    messages['entity.created'],
    messages['entity.updated'],
    messages['feature.triggered'],
    messages['stock.moved'],
    messages['order.changed'],
    messages['schedule.fired'],
    messages['threshold.crossed'],
    messages['import.not_clean'],
    messages['stock.belowReorderPoint'],
    messages['planning.finished'],
    messages['ledger.digested'],
    messages['webhook.test'],
  ])
  .meta({
    id: 'WebhookMessage',
    description: 'Body of a webhook message; `type` says which form `data` has.',
  });
