/** The filter of an automation: events that it leaves out start no script (contract §5.1). */
import { z } from 'zod';
import { entityLimits } from '../config.ts';
import { Key, Name } from '../configuration/text.schema.ts';
import { Conditions } from '../entities/conditions/condition.ts';

const NAMES_MAX = 100;
const CONDITIONS_MAX = 10;

const Value = z.union([z.string().max(entityLimits.propertyValueCharsMax), z.number(), z.boolean()]);

const Condition = z
  .strictObject({
    property: Key.meta({ description: 'Key of the property; `name` or `number` for those of the entity.' }),
    is: z
      .enum(['equal', 'notEqual', 'less', 'greater', 'containing', 'set', 'notSet'])
      .meta({ description: 'Comparison with `value`; `set` and `notSet` take none.', examples: ['greater'] }),
    value: Value.optional().meta({ description: 'Text, number or boolean.', examples: [5] }),
  })
  .superRefine(({ is, value }, check) => {
    const takesNone = is === 'set' || is === 'notSet';
    if (takesNone !== (value === undefined))
      check.addIssue({
        code: 'custom',
        path: ['value'],
        message: takesNone ? `"${is}" takes no value` : `"${is}" needs a value`,
      });
    if (is === 'containing' && value !== undefined && typeof value !== 'string')
      check.addIssue({ code: 'custom', path: ['value'], message: '"containing" needs a text' });
  })
  .meta({ id: 'AutomationCondition', description: 'A condition on a property of the entity.' });
export type Condition = z.output<typeof Condition>;

export const Filter = z
  .strictObject({
    categories: z
      .array(Key)
      .max(NAMES_MAX)
      .default([])
      .meta({ description: 'Keys of categories; all if empty.', examples: [['part']] }),
    states: z
      .array(Name)
      .max(NAMES_MAX)
      .default([])
      .meta({
        description: 'Names of states, for a transition of the new state; all if empty.',
        examples: [['Released']],
      }),
    properties: z
      .array(Condition)
      .max(CONDITIONS_MAX)
      .default([])
      .meta({
        description: `The older form of \`where\`: at most ${CONDITIONS_MAX} conditions, which must all hold. \`name\` and \`number\` are those of the entity.`,
      }),
    where: Conditions.min(1).optional(),
    changed: z.array(Key).max(NAMES_MAX).default([]).meta({
      description: 'Context type 4 only: keys of properties, of which one must have changed; any if empty.',
    }),
  })
  .describe(
    'Events that do not fit start no script and no run. The entity is looked at when the event is handled.',
  )
  .meta({ id: 'AutomationFilter' });
export type Filter = z.output<typeof Filter>;
