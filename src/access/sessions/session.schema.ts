/** Sessions as the interface shows them. */
import { z } from 'zod';
import { actorTypes } from '../../actor.ts';
import { permissions } from '../../areas.ts';
import { Areas } from '../api-key.schema.ts';

export const Session = z
  .object({
    workspace: z.object({ slug: z.string(), name: z.string() }),
    actor: z
      .object({ type: z.enum(actorTypes), id: z.uuid(), name: z.string() })
      .meta({ description: 'The caller as the ledger and the history name it.' }),
    keyId: z.uuid().nullable().meta({ description: 'The key of the caller; null for a person.' }),
    keyName: z.string().meta({ description: 'Name of the actor in the ledger and the history.' }),
    permission: z.enum(permissions).meta({ description: 'The highest level that the areas contain.' }),
    areas: Areas,
    expiresAt: z.iso.datetime().nullable().meta({
      description:
        'When the session ends unless it is used: each use extends it. It never outlives its key. For a key without a session, the end of the key; null: never.',
    }),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof Session>;

/** Credentials that open a session; either of them. */
export const SignIn = z
  .union([
    z.strictObject({ key: z.string().min(1).max(255).meta({ description: 'An API key of any workspace.' }) }),
    z.strictObject({
      code: z.string().min(1).max(255).meta({
        description:
          'The code in the address that a service with embedded servers prints at its start: valid once, for a short time, and only from the same machine.',
      }),
    }),
  ])
  .meta({ id: 'SignIn' });
export type SignIn = z.output<typeof SignIn>;
