/** `/me/inbox/mail`: whether and how often the inbox of a member is mailed to it. */
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { requireOwnMember } from '../inbox/own-member.ts';
import { Confirmation, Confirmed, MailSetting, NewMailSetting } from './mail.schema.ts';
import { changeMailSetting, confirmAddress, readMailSetting } from './mail-setting.ts';

const path = '/api/wid/{slug}/me/inbox/mail';
const tag = 'Inbox';

const getMailSetting = defineRoute({
  method: 'get',
  path,
  operationId: 'getInboxMail',
  tag,
  summary: 'Read how your inbox is mailed to you',
  access: 'read',
  transaction: 'read',
  answers: { 200: { description: 'The setting.', schema: MailSetting } },
  handle: async ({ ctx, actor }, tx) => ({
    status: 200,
    body: await readMailSetting(tx, await requireOwnMember(tx, actor), ctx.config),
  }),
});

const setMail = defineRoute({
  method: 'post',
  path,
  operationId: 'setInboxMail',
  tag,
  summary: 'Say how your inbox is mailed to you',
  description:
    'A new address gets a code, and mails once the code was sent back. Mails name things and numbers of events, not the texts of comments.',
  access: 'read',
  transaction: 'write',
  body: NewMailSetting,
  answers: { 200: { description: 'The setting.', schema: MailSetting } },
  errors: ['mail_not_available', 'too_many_mails'],
  handle: async ({ ctx, actor, body }, tx) => {
    const memberId = await requireOwnMember(tx, actor);
    await changeMailSetting(tx, memberId, body, ctx.config);
    return { status: 200, body: await readMailSetting(tx, memberId, ctx.config) };
  },
});

const confirm = defineRoute({
  method: 'post',
  path: `${path}/confirmation`,
  operationId: 'confirmInboxMail',
  tag,
  summary: 'Confirm the address by the code that was mailed to it',
  description: 'A code works for a day, and for five attempts.',
  access: 'read',
  transaction: 'write',
  body: Confirmation,
  answers: { 200: { description: 'Whether the code was right.', schema: Confirmed } },
  handle: async ({ actor, body }, tx) => {
    const confirmed = await confirmAddress(tx, await requireOwnMember(tx, actor), body.code);
    return { status: 200, body: { confirmed } };
  },
});

export const inboxMailRoutes: readonly AnyRoute[] = [getMailSetting, setMail, confirm];
