/** An object with any keys, in a request. zod's own record drops `__proto__` without a word; here it is a key. */
import { z } from 'zod';

/**
 * A map whose values fit `value`. Keys are ordinary whatever they are called (contract §2.4); more than
 * `keysMax` of them are refused. Read it by `Object.entries` or `Object.hasOwn`. For answers take `z.record`.
 */
export function mapOf<Value extends z.ZodType>(value: Value, keysMax = 10_000) {
  const { $schema: _, ...schema } = z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' });
  const values: object = schema;
  return z
    .custom<Record<string, z.input<Value>>>(isObject, { error: 'Must be an object' })
    .meta({ override: { type: 'object', additionalProperties: values, maxProperties: keysMax } })
    .transform((given, context): Record<string, z.output<Value>> => {
      const entries = Object.entries(given);
      if (entries.length > keysMax) {
        context.addIssue({
          code: 'too_big',
          origin: 'map',
          maximum: keysMax,
          message: `At most ${keysMax} keys`,
        });
        return z.NEVER;
      }
      const checked = entries.map(([key, member]): [string, z.output<Value>] => {
        const result = value.safeParse(member);
        if (result.success) return [key, result.data];
        for (const issue of result.error.issues) {
          context.issues.push({ ...issue, input: member, path: [key, ...issue.path] } as never);
        }
        return [key, undefined as z.output<Value>];
      });
      // Unlike an assignment, this makes `__proto__` a property of its own.
      return Object.fromEntries(checked);
    });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
