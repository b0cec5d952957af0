/**
 * Arguments of every `api` method, checked on the host: a script can send what it likes. The list is the
 * allow-list, too. `api.d.ts` says the same to authors; test/automation/conductor/api-types.test.ts holds the two together.
 */
import { z } from 'zod';
import { entityLimits } from '../../config.ts';
import { Conditions } from '../../entities/conditions/condition.ts';
import { actionNames, builtInActions } from '../built-in/registry.ts';
import type { Actions, Api } from './api.d.ts';

export type ActionMethod = `actions.${keyof Actions}`;
type PlainMethod = Exclude<keyof Api, 'log' | 'warn' | 'error' | 'actions'>;
export type ApiMethod = PlainMethod | ActionMethod;
export type ApiArguments = { [M in PlainMethod]: Parameters<Api[M]> } & {
  [Name in keyof Actions as `actions.${Name}`]: Parameters<Actions[Name]>;
};

const REF_CHARS_MAX = 64;
const { propertyKeyCharsMax: KEY_CHARS_MAX, propertyValueCharsMax, propertiesMax } = entityLimits;
const NOTE_CHARS_MAX = 4000;
const CURSOR_CHARS_MAX = 2000;

const EntityRef = z
  .string()
  .max(REF_CHARS_MAX)
  .regex(
    /^(guid:\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i,
    {
      error: 'must be an entity id, a version id or guid:<GUID>',
    },
  );
const Key = z.string().min(1).max(KEY_CHARS_MAX);
const Value = z.union([z.string().max(propertyValueCharsMax), z.number(), z.boolean(), z.null()]);

/** Own keys such as `__proto__` are ordinary: a plain record would lose that one. */
const Properties = z
  .custom<{ [key: string]: string | number | boolean | null }>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: 'must be an object of property values' },
  )
  .superRefine((properties, check) => {
    const entries = Object.entries(properties);
    if (entries.length > propertiesMax) check.addIssue(`must not name more than ${propertiesMax} properties`);
    for (const [key, value] of entries) {
      if (!Key.safeParse(key).success) check.addIssue(`a property key has 1 to ${KEY_CHARS_MAX} characters`);
      const parsed = Value.safeParse(value);
      if (!parsed.success) {
        check.addIssue({
          code: 'custom',
          path: [key],
          message: `must be text of at most ${propertyValueCharsMax} characters, a number, a boolean or null`,
        });
      }
    }
  });

const EntityQuery = z
  .strictObject({
    category: Key.exactOptional(),
    state: Key.exactOptional(),
    number: Key.exactOptional(),
    guid: z.string().min(1).max(REF_CHARS_MAX).exactOptional(),
    q: z.string().min(1).max(KEY_CHARS_MAX).exactOptional(),
    where: Conditions.min(1).exactOptional(),
    limit: z.int().min(1).max(1000).exactOptional(),
    cursor: z.string().max(CURSOR_CHARS_MAX).exactOptional(),
  })
  .refine(({ limit: _limit, cursor: _cursor, ...conditions }) => Object.keys(conditions).length > 0, {
    error: 'must name at least one of category, state, number, guid, q, where',
  });

export const apiArguments = {
  getEntity: z.tuple([EntityRef]),
  findEntities: z.tuple([EntityQuery]),
  setProperties: z.tuple([EntityRef, Properties]),
  transition: z.tuple([
    EntityRef,
    Key,
    z.strictObject({ note: z.string().max(NOTE_CHARS_MAX).exactOptional() }).optional(),
  ]),
  getUses: z.tuple([EntityRef]),
  getWhereUsed: z.tuple([EntityRef]),
  getPositions: z.tuple([
    z.union([z.strictObject({ itemEntityId: EntityRef }), z.strictObject({ locationEntityId: EntityRef })]),
  ]),
  createEntity: z.tuple([
    z.strictObject({
      category: Key,
      name: z.string().min(1).max(entityLimits.nameCharsMax),
      number: Key.exactOptional(),
      E_Guid: z.string().min(1).max(REF_CHARS_MAX).exactOptional(),
      properties: Properties.exactOptional(),
    }),
  ]),
  'actions.raiseRequirement': z.tuple([builtInActions.raiseRequirement.settingsSchema]),
  'actions.draftOrder': z.tuple([builtInActions.draftOrder.settingsSchema]),
  'actions.setState': z.tuple([builtInActions.setState.settingsSchema]),
  'actions.setProperty': z.tuple([builtInActions.setProperty.settingsSchema]),
  'actions.notifyWebhook': z.tuple([builtInActions.notifyWebhook.settingsSchema]),
  'actions.sendMail': z.tuple([builtInActions.sendMail.settingsSchema]),
  'actions.printLabel': z.tuple([builtInActions.printLabel.settingsSchema]),
  'actions.startPlanningRun': z.tuple([builtInActions.startPlanningRun.settingsSchema]),
} satisfies Record<ApiMethod, z.ZodType<unknown[]>>;

/** The methods that lock what they write. */
const writeMethods = [
  'setProperties',
  'transition',
  'createEntity',
  ...actionNames.map((name) => `actions.${name}` as const),
] as const satisfies ApiMethod[];
export type WriteMethod = (typeof writeMethods)[number];

export function isWriteMethod(method: ApiMethod): method is WriteMethod {
  return (writeMethods as readonly ApiMethod[]).includes(method);
}

export const apiMethods = Object.freeze(Object.keys(apiArguments) as ApiMethod[]);
