/** API keys as the interface shows them. */
import { z } from 'zod';
import { permissions } from '../areas.ts';
import { Instant } from '../http/instant.ts';
import { readOnly } from '../http/read-only.ts';

const Name = z.string().trim().min(1).max(255);
const ExpiresAt = Instant.nullable().meta({
  description: 'The key is refused from this time on; null: never.',
});
const Permission = z.enum(permissions).meta({ description: 'Each includes the ones before it.' });

export const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    permission: Permission,
    prefix: z.string().meta({ description: 'Beginning of the key, to tell keys apart.' }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'Written with a delay of a few seconds.' }),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof ApiKey>;

export const CreatedApiKey = ApiKey.extend({
  key: z.string().meta({ description: 'The key itself. It is shown only once.' }),
}).meta({ id: 'CreatedApiKey' });

export const NewApiKey = z
  .strictObject({ name: Name, permission: Permission, expiresAt: ExpiresAt.default(null) })
  .meta({ id: 'NewApiKey' });
export type NewApiKey = z.output<typeof NewApiKey>;

/** The body of a PUT: what GET gave can be sent back. */
export const ApiKeyReplacement = z
  .strictObject({
    name: Name,
    permission: Permission,
    expiresAt: ExpiresAt,
    ...readOnly(ApiKey, ['id', 'prefix', 'createdAt', 'lastUsedAt', 'revokedAt'], {
      drifting: ['lastUsedAt'],
    }),
  })
  .meta({ id: 'ApiKeyReplacement' });
export type ApiKeyReplacement = z.output<typeof ApiKeyReplacement>;
