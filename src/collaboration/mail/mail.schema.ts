/** How a member wants mails of its inbox, as the API shows it. */
import { z } from 'zod';

const Mode = z.enum(['none', 'atOnce', 'daily']).meta({
  description:
    '`none`, `atOnce` (with some minutes between two mails), or `daily`: one mail at 06:00 UTC with what is unread.',
});
const ADDRESS_CHARS_MAX = 254;

export const MailSetting = z
  .object({
    mode: Mode,
    address: z
      .string()
      .nullable()
      .meta({ description: 'Address to which mails are sent; null if none was set.' }),
    confirmed: z
      .boolean()
      .meta({ description: 'Whether the code that was mailed to the address was sent back.' }),
    isAvailable: z.boolean().meta({ description: 'Whether the service can send mail.' }),
  })
  .meta({ id: 'InboxMailSetting', description: 'How the calling member wants mails of its inbox.' });
export type MailSetting = z.output<typeof MailSetting>;

export const NewMailSetting = z
  .strictObject({
    mode: Mode,
    address: z.email().max(ADDRESS_CHARS_MAX).optional().describe('A new address is confirmed by a code.'),
    resendCode: z.boolean().default(false).meta({
      description:
        'Mail another code to an address that is not confirmed; the code before it works no more. Three times within an hour.',
    }),
  })
  .meta({ id: 'NewInboxMailSetting' });
export type NewMailSetting = z.output<typeof NewMailSetting>;

export const Confirmation = z
  .strictObject({ code: z.string().regex(/^\d{8}$/, 'Must have eight digits') })
  .meta({ id: 'InboxMailConfirmation' });

export const Confirmed = z
  .object({
    confirmed: z.boolean().meta({ description: 'False for a wrong code, and for one that has expired.' }),
  })
  .meta({ id: 'InboxMailConfirmed' });
