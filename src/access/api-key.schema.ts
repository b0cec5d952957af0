/** API keys as the interface shows them. */
import { z } from 'zod';
import { areas, permissions } from '../areas.ts';
import { Instant } from '../http/instant.ts';
import { oneLine } from '../http/one-line.ts';
import { readOnly } from '../http/read-only.ts';

const Name = oneLine(255);
const ExpiresAt = Instant.nullable().meta({
  description: 'The key is refused from this time on; null: never.',
});
const Permission = z.enum(permissions).meta({
  description:
    'Level of the key, a name for a set of areas; each includes the ones before it. Of a key with other areas, the highest level that they contain.',
});
export const Areas = z
  .array(z.enum(areas))
  .min(1)
  .max(areas.length)
  .meta({
    description:
      'What the key may do: an operation names the area that it needs as `x-area`. Every key has `read`, also if you leave it out.',
    examples: [['read', 'stock']],
  });

/** Keys of one member that are not revoked. */
export const KEYS_OF_MEMBER_MAX = 20;

const MemberId = z.uuid().nullable().meta({
  description:
    'The member to whom the key belongs: the key never does more than the member and ends with it. Null for a key of a connector.',
});

export const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    permission: Permission,
    areas: Areas,
    memberId: MemberId,
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

/** A body needs `areas` or `permission`. If it has both, they must agree, or one of them must be as it was read. */
const Allowed = { permission: Permission.optional(), areas: Areas.optional() };

export const NewApiKey = z
  .strictObject({ name: Name, ...Allowed, expiresAt: ExpiresAt.default(null) })
  .meta({ id: 'NewApiKey' });
export type NewApiKey = z.output<typeof NewApiKey>;

/** The body of a PUT: what GET gave can be sent back. */
export const ApiKeyReplacement = z
  .strictObject({
    name: Name,
    ...Allowed,
    expiresAt: ExpiresAt,
    memberId: MemberId.optional().meta({
      description:
        'Gives a key that belongs to nobody to a member, for good: it ends with the member, who must have all areas of the key. If absent, nothing changes.',
    }),
    ...readOnly(ApiKey, ['id', 'prefix', 'createdAt', 'lastUsedAt', 'revokedAt'], {
      drifting: ['lastUsedAt'],
    }),
  })
  .meta({ id: 'ApiKeyReplacement' });
export type ApiKeyReplacement = z.output<typeof ApiKeyReplacement>;
