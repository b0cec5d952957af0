/** Persons, their sessions and ways to sign in, as the interface shows them. */
import { z } from 'zod';
import { areas } from '../../areas.ts';
import { oneLine } from '../../http/one-line.ts';

/** Ledger and history name people: no character that nobody sees lets one have the name of another. */
const tidyName = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
export const PersonName = z.string().trim().overwrite(tidyName).min(1).max(100);
const Token = z.string().min(1).max(100);
const UserName = oneLine(100)
  .min(2)
  .meta({ description: 'Sign-in name; no other person of the installation has it. Case does not matter.' });
const Password = z.string().max(200).meta({ description: 'At least 12 characters.' });

export const NewPassword = z
  .strictObject({ userName: UserName, password: Password.min(12) })
  .meta({ id: 'NewPassword' });

/** The answer of the browser. The library that checks it knows its fields. */
const CeremonyResponse = z
  .record(z.string().max(100), z.unknown())
  .meta({ description: 'The credential as JSON, as `PublicKeyCredential.toJSON()` gives it.' });
export const CeremonyAnswer = z
  .strictObject({
    attempt: Token.meta({ description: 'The `attempt` that came with the options.' }),
    response: CeremonyResponse,
  })
  .meta({ id: 'PasskeyAnswer' });
export type CeremonyAnswer = z.output<typeof CeremonyAnswer>;

export const Proof = z
  .union([
    z.strictObject({ password: Password.min(1).meta({ description: 'Your present password.' }) }),
    z.strictObject({ passkey: CeremonyAnswer }),
  ])
  .meta({ id: 'Proof' });

export const CeremonyOptions = z
  .object({
    attempt: z
      .string()
      .meta({ description: 'Send it back with the answer. It works once, for ten minutes.' }),
    options: z.looseObject({ challenge: z.string() }).meta({
      description: 'Options for `navigator.credentials`, as JSON.',
    }),
  })
  .meta({ id: 'PasskeyOptions' });

export const PasswordSignIn = z
  .strictObject({ userName: z.string().trim().min(1).max(100), password: Password.min(1) })
  .meta({ id: 'PasswordSignIn' });

export const Link = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The secret of the link: what stands behind `#` in its address.' });

const WorkspaceOfPerson = z.object({
  slug: z.string(),
  name: z.string(),
  memberId: z.uuid(),
  memberName: z.string().meta({ description: 'Name in the ledger, the history and the audit trail.' }),
  areas: z.array(z.enum(areas)),
});

export const PersonSession = z
  .object({
    person: z.object({ id: z.uuid(), name: z.string() }),
    workspaces: z.array(WorkspaceOfPerson).max(1000).meta({
      description: 'The workspaces of which the person is a member, by name.',
    }),
  })
  .meta({ id: 'PersonSession' });
export type PersonSession = z.output<typeof PersonSession>;

export const SignInWays = z
  .object({
    passkey: z.boolean().meta({ description: 'Whether passkeys work at this address.' }),
    passkeyNote: z.string().nullable().meta({ description: 'Why they do not; null where they do.' }),
    provider: z.object({ name: z.string() }).nullable().meta({
      description: 'The identity provider, which `GET /api/sign-in/provider` leads to; null without one.',
    }),
  })
  .meta({ id: 'SignInWays' });

export const LinkDescription = z
  .object({
    kind: z.enum(['invitation', 'signIn']).meta({
      description: '`invitation` makes a member; `signIn` gives an existing member a new way to sign in.',
    }),
    workspace: z.object({ slug: z.string(), name: z.string() }),
    name: z.string(),
    areas: z.array(z.enum(areas)),
    expiresAt: z.iso.datetime(),
    signedInAs: z
      .string()
      .nullable()
      .meta({ description: 'Name of the person who is signed in; null: nobody.' }),
  })
  .meta({ id: 'LinkDescription' });

export const LinkAcceptance = z
  .strictObject({
    link: Link,
    name: PersonName.optional().meta({
      description: 'Name of the new member; that of the invitation if absent.',
    }),
    passkey: CeremonyAnswer.optional(),
    password: NewPassword.optional(),
  })
  .meta({ id: 'LinkAcceptance' });
export type LinkAcceptance = z.output<typeof LinkAcceptance>;

const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
const OwnSession = z.object({
  id: z.uuid(),
  agent: z.string().meta({ description: 'The browser, as it names itself.' }),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
  current: z.boolean().meta({ description: 'Whether this is the session of the call.' }),
});
export const Me = PersonSession.extend({
  userName: z
    .string()
    .nullable()
    .meta({ description: 'Sign-in name for the password; null without a password.' }),
  identities: z.array(z.object({ issuer: z.string(), createdAt: z.iso.datetime() })).meta({
    description: 'Providers by which you sign in.',
  }),
  passkeys: z.array(Passkey),
  sessions: z.array(OwnSession),
  proved: z.boolean().meta({
    description:
      'Whether changes that need a proof (`POST /api/me/proof`) are accepted now, because you signed in or gave one within `PROOF_MINUTES`.',
  }),
}).meta({ id: 'Me' });
export type Me = z.output<typeof Me>;
