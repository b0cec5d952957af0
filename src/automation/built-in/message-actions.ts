/** Actions that tell somebody: a webhook, a person by mail, a program that prints labels. */
import { z } from 'zod';
import { findEntity } from '../../entities/find-entity.ts';
import { listeningSlug, recordEvents } from '../../events/record-events.ts';
import { addressesIn, MAIL_SUBJECT_CHARS_MAX, MAIL_TEXT_CHARS_MAX, queueMail } from '../mail/queue-mail.ts';
import { type ActionRun, defineAction, entityField } from './built-in-action.ts';
import { resolveSubject } from './resolve-ref.ts';

const TEXT_CHARS_MAX = 4000;
const ADDRESSES_CHARS_MAX = 2000;
const COPIES_MAX = 100;

const text = (title: string, charsMax: number, description: string) =>
  z
    .string()
    .max(charsMax)
    .meta({ title, description: `${description} \`{entityNumber}\` inserts that field of the event.` });

export const notifyWebhook = defineAction({
  name: 'Notify webhook',
  description: 'Sends a message `feature.triggered` to the webhooks that listen to it.',
  subject: null,
  settingsSchema: z.strictObject({
    event: z
      .string()
      .min(1)
      .max(255)
      .exactOptional()
      .meta({ title: 'Name of the event', description: 'A name by which receivers recognise the event.' }),
    text: text('Text', TEXT_CHARS_MAX, 'A text for the receiver.').exactOptional(),
  }),
  perform: async (run, { event, text: message }) => {
    const id = run.context.entityId;
    const entityId = typeof id === 'string' ? id : null;
    const number = run.context.entityNumber;
    await tellWebhooks(run, 'notifyWebhook', {
      entityId,
      entityNumber: typeof number === 'string' ? number : null,
      parameters: { event: event ?? null, text: message ?? null, context: run.context },
    });
    return { answer: null, changes: [] };
  },
});

export const sendMail = defineAction({
  name: 'Send mail',
  description:
    'Sends an e-mail after the run has succeeded. If the mail server is not available, the service tries again later.',
  subject: null,
  settingsSchema: z.strictObject({
    to: z
      .string()
      .min(1)
      .max(ADDRESSES_CHARS_MAX)
      .meta({ title: 'To', description: 'At most 10 addresses, separated by commas.' }),
    subject: text('Subject', MAIL_SUBJECT_CHARS_MAX, 'One line.').min(1),
    text: text('Text', MAIL_TEXT_CHARS_MAX, 'Plain text.'),
  }),
  perform: async ({ tx, automationId, config, runId }, { to, subject, text: body }) => {
    const id = await queueMail(tx, config, {
      runId,
      automationId,
      recipients: addressesIn(to),
      subject,
      body,
    });
    return { answer: { id }, changes: [] };
  },
});

export const printLabel = defineAction({
  name: 'Print label',
  description:
    'Sends webhooks a message `feature.triggered` whose `feature` is `printLabel`. A program at the printer fetches the label and prints it.',
  subject: 'entity',
  settingsSchema: z.strictObject({
    entity: entityField('Entity', 'Leave it empty for the entity of the event.').exactOptional(),
    copies: z.int().min(1).max(COPIES_MAX).default(1).meta({ title: 'Copies' }),
    printer: z
      .string()
      .min(1)
      .max(255)
      .exactOptional()
      .meta({ title: 'Printer', description: 'Name of the printer, for the program that prints.' }),
  }),
  perform: async (run, { entity, copies, printer }) => {
    const { id, number, name } = await findEntity(run.tx, await resolveSubject(run, 'entity', entity));
    await tellWebhooks(run, 'printLabel', {
      entityId: id,
      entityNumber: number,
      parameters: { copies, printer: printer ?? null, name, label: `/entities/${id}/label` },
    });
    return { answer: null, changes: [] };
  },
});

/** Automations do not hear it: an automation of context type 5 would run itself again. */
async function tellWebhooks({ tx, context }: ActionRun, feature: string, event: object): Promise<void> {
  const workspaceSlug = await listeningSlug(tx, 'feature');
  if (workspaceSlug !== null)
    await recordEvents(
      tx,
      'feature',
      [{ feature, workspaceSlug, ...event, triggeredBy: context.triggeredBy ?? null }],
      { webhooksOnly: true },
    );
}
