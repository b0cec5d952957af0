/** The result of a script run in the form of the API (contract §5.3). */
import { z } from 'zod';
import { ContextTypeId } from './automation.schema.ts';

export const ScriptLogLine = z
  .object({
    level: z.enum(['info', 'warn', 'error']).meta({ examples: ['info'] }),
    message: z.string().meta({ examples: ['Released: PRT-000042'] }),
    line: z
      .int()
      .nullable()
      .meta({ description: 'Line of the script, from 1.', examples: [1] }),
  })
  .meta({ id: 'ScriptLogLine' });

export const ScriptFailure = z
  .object({
    kind: z.enum(['syntax', 'runtime', 'api', 'timeout', 'memory']).meta({ examples: ['runtime'] }),
    name: z.string().meta({ examples: ['TypeError'] }),
    code: z
      .string()
      .exactOptional()
      .meta({
        description: 'The code with which a call of `api` was refused.',
        examples: ['area_missing'],
      }),
    message: z.string().meta({ examples: ['cannot read property "id" of undefined'] }),
    line: z
      .int()
      .nullable()
      .meta({ description: 'From 1; null if unknown.', examples: [3] }),
    column: z
      .int()
      .nullable()
      .meta({ description: 'From 1, in UTF-16 code units.', examples: [7] }),
    snippet: z.string().nullable().meta({ description: 'The line and its neighbours.' }),
    stack: z.string().nullable().meta({ description: 'Frames of the script.' }),
  })
  .meta({ id: 'ScriptFailure' });

export const ScriptChange = z
  .object({
    entityId: z.uuid().meta({ examples: ['0199d0f0-0000-7000-8000-000000000001'] }),
    property: z.string().meta({
      description: 'Key of the property; `name`, `number`, `category` and `state` for those of the entity.',
      examples: ['Mass'],
    }),
    from: z.union([z.string(), z.number(), z.boolean(), z.null()]).meta({ examples: [1] }),
    to: z.union([z.string(), z.number(), z.boolean(), z.null()]).meta({ examples: [2] }),
  })
  .meta({ id: 'ScriptChange' });
export type ScriptChange = z.infer<typeof ScriptChange>;

export const ApiCallTrace = z
  .object({
    method: z.string().meta({ examples: ['getEntity'] }),
    line: z
      .int()
      .nullable()
      .meta({ examples: [2] }),
    ms: z.number().meta({ examples: [1.5] }),
    ok: z.boolean().meta({ examples: [true] }),
  })
  .meta({ id: 'ApiCallTrace' });

export const resultFields = {
  result: z.unknown().meta({ description: 'Return value of the script, as JSON.', examples: [null] }),
  logs: z.array(ScriptLogLine).meta({ description: 'In order.' }),
  error: ScriptFailure.nullable().meta({ description: 'Why it failed; null if it did not.' }),
  changes: z.array(ScriptChange).meta({ description: 'Its changes, in order.' }),
  apiCalls: z.array(ApiCallTrace).meta({ description: 'Its calls of `api`, in order.' }),
};

export const ScriptTest = z
  .strictObject({
    script: z
      .string()
      .max(1024 * 1024)
      .meta({ description: 'The script.', examples: ["api.log('Hello'); return 42;"] }),
    contextTypeId: ContextTypeId.optional(),
    context: z
      .custom<Record<string, unknown>>(
        (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
        { error: 'must be an object' },
      )
      .meta({
        override: { type: 'object' },
        description:
          '`context` of the script; missing `workspaceSlug` and, for a feature, `parameters` are filled in.',
        examples: [{ toState: 'Released' }],
      })
      .optional(),
  })
  .meta({ id: 'ScriptTest' });
export type ScriptTest = z.output<typeof ScriptTest>;

export const ScriptTestResult = z
  .object({
    ok: z.boolean().meta({ description: 'Whether the script ended without an error.', examples: [true] }),
    ...resultFields,
    changes: z
      .array(ScriptChange)
      .meta({ description: 'Changes that it would have written; they are undone.' }),
    durationMs: z.number().meta({ examples: [3.2] }),
    cpuMs: z.number().meta({ examples: [0.8] }),
  })
  .meta({ id: 'ScriptTestResult' });
export type ScriptTestResult = z.infer<typeof ScriptTestResult>;
