/** The built-in actions of an automation as the interface shows and takes them (contract §5.1). */
import { z } from 'zod';
import { contextTypes } from '../../events/record-events.ts';
import { actionNames, builtInAction } from './registry.ts';

export const ACTIONS_MAX = 10;

const exampleSettings = { project: 'PRJ-0001', quantity: 10 };

export const AttachedAction = z
  .strictObject({
    action: z
      .enum(actionNames)
      .meta({ description: 'Name of the built-in action.', examples: ['raiseRequirement'] }),
    settings: z
      .custom<Record<string, unknown>>(
        (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
        { error: 'must be an object' },
      )
      .meta({
        override: { type: 'object' },
        description:
          'Settings by the `settingsSchema` of the action. In texts, `{entityNumber}` inserts that field of the event, and `{parameters.reason}` a field in it.',
        examples: [exampleSettings],
      })
      .default({}),
  })
  .superRefine(({ action, settings }, check) => {
    const result = builtInAction(action).settingsSchema.safeParse(settings);
    for (const issue of result.error?.issues ?? [])
      check.addIssue({ ...issue, path: ['settings', ...issue.path] });
  })
  .meta({ id: 'AutomationAction', description: 'A built-in action of an automation, with its settings.' });
export type AttachedAction = z.output<typeof AttachedAction>;

/** Context types whose events have no entity. */
const withoutEntity: ReadonlySet<number> = new Set([
  contextTypes.importCompleted,
  contextTypes.schedule,
  contextTypes.importNotClean,
  contextTypes.planningFinished,
]);

/** Returns the setting that the action needs because the event has no entity; null if it needs none. */
export function missingSubject(
  { action, settings }: AttachedAction,
  contextTypeId: number,
  isOfView: boolean,
): string | null {
  const { subject } = builtInAction(action);
  return subject !== null && (isOfView || withoutEntity.has(contextTypeId)) && settings[subject] === undefined
    ? subject
    : null;
}

export const BuiltInActions = z
  .object({
    items: z
      .array(
        z.object({
          action: z.enum(actionNames).meta({ examples: ['raiseRequirement'] }),
          name: z.string().meta({ description: 'Its name.', examples: ['Raise requirement'] }),
          description: z.string().meta({ description: 'Description of its effect.' }),
          settingsSchema: z.record(z.string(), z.unknown()).meta({
            description:
              'JSON Schema of its settings. `x-picks` of a text says what it names: `entity`, `item`, `location`, `project`, `state`, `property` or `supplier`. `x-labels` of a choice has a label for each value.',
            examples: [{ type: 'object', properties: {} }],
          }),
        }),
      )
      .meta({ description: 'All of them.' }),
  })
  .meta({ id: 'BuiltInActions', description: 'The built-in actions.' });

export function showBuiltInActions(): z.output<typeof BuiltInActions> {
  const items = actionNames.map((action) => {
    const { name, description, settingsSchema } = builtInAction(action);
    return {
      action,
      name,
      description,
      settingsSchema: { ...z.toJSONSchema(settingsSchema, { io: 'input' }) },
    };
  });
  return { items };
}
