/** Automations as the interface shows and takes them (contract §5.1). */
import { z } from 'zod';
import { Name } from '../configuration/text.schema.ts';
import { contextTypeNames } from '../events/record-events.ts';
import { ListQuery } from '../http/list.ts';
import { readOnly } from '../http/read-only.ts';

const exampleScript = "if (context.toState === 'Released') api.log('Released:', context.entityNumber);";
/** Bytes are limited by SCRIPT_SOURCE_BYTES_MAX; this bounds what is looked at. */
const SCRIPT_CHARS_MAX = 1024 * 1024;

export const ContextTypeId = z
  .int()
  .min(1)
  .max(5)
  .describe('1 lifecycle transition, 2 import completed, 3 entity created, 4 entity updated, 5 feature.')
  .meta({ examples: [1] });

export const AutomationId = z
  .uuid()
  .describe('Id of the automation.')
  .meta({ examples: ['0199d0f0-0000-7000-8000-000000000010'] });

const Moment = z.iso.datetime().meta({ examples: ['2026-11-20T09:30:00.000Z'] });

export const Automation = z
  .object({
    id: AutomationId,
    kind: z
      .enum(['system', 'custom'])
      .describe(
        'System automations come with the service and are read-only: clone one to change and enable it.',
      )
      .meta({ examples: ['custom'] }),
    name: z.string().meta({ description: 'Name.', examples: ['Tell of releases'] }),
    description: z.string().meta({ description: 'Its purpose.', examples: ['Logs every release.'] }),
    contextTypeId: ContextTypeId,
    contextType: z
      .enum(contextTypeNames)
      .describe('The same by name.')
      .meta({ examples: ['lifecycleTransition'] }),
    script: z
      .string()
      .describe('JavaScript: the body of an async function with `api`, `context` and `console`.')
      .meta({ examples: [exampleScript] }),
    scriptVersion: z
      .int()
      .describe('Version of the script, from 1; every run names the version that it used.')
      .meta({ examples: [1] }),
    enabled: z
      .boolean()
      .describe('A disabled automation is kept but does not run.')
      .meta({ examples: [true] }),
    createdAt: Moment.describe('When it was created, UTC.'),
    updatedAt: Moment.describe('When it was last changed, UTC.'),
  })
  .describe('A script that runs on events of its context type.')
  .meta({ id: 'Automation' });
export type Automation = z.infer<typeof Automation>;

export const ListedAutomation = Automation.extend({
  recentRuns: z
    .array(
      z.object({
        id: z.uuid().meta({ description: 'Id of the run.' }),
        status: z.enum(['queued', 'succeeded', 'failed', 'suppressed']).meta({ examples: ['succeeded'] }),
        finishedAt: Moment.nullable().describe('UTC; null while it is queued.'),
      }),
    )
    .describe('Its last ten runs, newest first.'),
}).meta({ id: 'ListedAutomation' });
export type ListedAutomation = z.infer<typeof ListedAutomation>;

export const AutomationParams = z.strictObject({ id: AutomationId });

export const AutomationQuery = ListQuery.extend({
  contextTypeId: z.coerce.number().int().min(1).max(5).optional().meta({
    description: 'Only automations of this context type.',
  }),
});

const script = z
  .string()
  .max(SCRIPT_CHARS_MAX)
  .describe('JavaScript; refused as `script_syntax_error` where it does not compile.')
  .meta({ examples: [exampleScript] });

const fields = {
  name: Name.describe('Name, 1 to 255 characters.').meta({ examples: ['Tell of releases'] }),
  description: z
    .string()
    .max(4000)
    .default('')
    .describe('Description, at most 4000 characters.')
    .meta({ examples: ['Logs every release.'] }),
  contextTypeId: ContextTypeId,
  script,
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether it is enabled.')
    .meta({ examples: [true] }),
};

export const NewAutomation = z.strictObject(fields).meta({ id: 'NewAutomation' });
export type NewAutomation = z.output<typeof NewAutomation>;

export const AutomationReplacement = z
  .strictObject({
    ...fields,
    ...readOnly(Automation, ['id', 'kind', 'contextType', 'scriptVersion', 'createdAt', 'updatedAt'], {
      drifting: ['scriptVersion', 'updatedAt'],
    }),
    // As the list shows it.
    ...readOnly(ListedAutomation, ['recentRuns'], { drifting: ['recentRuns'] }),
  })
  .meta({ id: 'AutomationReplacement' });
export type AutomationReplacement = z.output<typeof AutomationReplacement>;

export const AutomationClone = z
  .strictObject({
    name: Name.optional().describe('Name of the copy; "Copy of …" by default.'),
  })
  .prefault({})
  .meta({ id: 'AutomationClone' });

export const ScriptVersion = z
  .object({
    version: z.int().meta({ description: 'Version, from 1.', examples: [1] }),
    script: z.string().meta({ description: 'The script of this version.', examples: [exampleScript] }),
    createdAt: Moment.describe('When it was saved, UTC.'),
    createdBy: z
      .object({
        type: z.enum(['apiKey', 'operator', 'automation', 'system']).meta({ examples: ['apiKey'] }),
        id: z.string().meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
        name: z.string().meta({ examples: ['CAD connector'] }),
      })
      .describe('The caller that saved it.'),
  })
  .meta({ id: 'ScriptVersion' });
export type ScriptVersion = z.infer<typeof ScriptVersion>;
