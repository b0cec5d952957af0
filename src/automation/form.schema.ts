/** A form of a few fields, as a bounded part of JSON Schema, and the check of what somebody fills in. */
import { z } from 'zod';
import { AppError, type FieldError } from '../errors.ts';
import { pointerOf } from '../http/json-pointer.ts';

const FIELDS_MAX = 20;
const CHOICES_MAX = 100;
const TEXT_CHARS_MAX = 4000;
const FORM_CHARS_MAX = 16 * 1024;

const FieldName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, {
  error: 'must be a letter, followed by at most 63 letters, digits and underscores',
});

const described = {
  title: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Label of the field.', examples: ['Copies'] }),
  description: z.string().max(500).optional().meta({ description: 'Help below the field.' }),
};
const length = z.int().min(0).max(TEXT_CHARS_MAX).optional();

const TextField = z.strictObject({
  type: z.literal('string'),
  ...described,
  enum: z
    .array(z.string().min(1).max(255))
    .min(1)
    .max(CHOICES_MAX)
    .optional()
    .meta({ description: 'The values to choose from.' }),
  format: z.literal('date').optional().meta({ description: 'A date, YYYY-MM-DD.' }),
  minLength: length,
  maxLength: length,
  default: z.string().max(TEXT_CHARS_MAX).optional(),
});
const numeric = {
  ...described,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.number().optional(),
};
const FormField = z
  .discriminatedUnion('type', [
    TextField,
    z.strictObject({ type: z.literal('number'), ...numeric }),
    z.strictObject({ type: z.literal('integer'), ...numeric }),
    z.strictObject({ type: z.literal('boolean'), ...described, default: z.boolean().optional() }),
  ])
  .meta({ id: 'FormField', description: 'A field of a form, as JSON Schema.' });

/** The parts of JSON Schema that forms have are all known to the converter. */
function checkerOf(schema: object): z.ZodType {
  return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
}

export const Form = z
  .strictObject({
    type: z.literal('object'),
    properties: z
      .record(FieldName, FormField)
      .refine((fields) => Object.keys(fields).length <= FIELDS_MAX, {
        error: `must not have more than ${FIELDS_MAX} fields`,
      })
      .meta({ description: `At most ${FIELDS_MAX} fields by name, in their order.` }),
    required: z
      .array(FieldName)
      .max(FIELDS_MAX)
      .default([])
      .meta({ description: 'Names of the fields that must be filled in.' }),
  })
  .superRefine((form, check) => {
    if (JSON.stringify(form).length > FORM_CHARS_MAX)
      check.addIssue(`must not have more than ${FORM_CHARS_MAX} characters as JSON`);
    for (const name of form.required)
      if (!Object.hasOwn(form.properties, name))
        check.addIssue({ code: 'custom', path: ['required'], message: `there is no field "${name}"` });
    for (const [name, { default: proposed, ...field }] of Object.entries(form.properties)) {
      const path = ['properties', name];
      if ('minimum' in field && (field.minimum ?? -Infinity) > (field.maximum ?? Infinity))
        check.addIssue({ code: 'custom', path, message: 'minimum is above maximum' });
      if ('minLength' in field && (field.minLength ?? 0) > (field.maxLength ?? Infinity))
        check.addIssue({ code: 'custom', path, message: 'minLength is above maxLength' });
      if (proposed !== undefined && !checkerOf(field).safeParse(proposed).success)
        check.addIssue({ code: 'custom', path: [...path, 'default'], message: 'is no value of the field' });
    }
  })
  .meta({
    id: 'Form',
    description:
      'A form as JSON Schema: an object of text, number, integer, boolean, date and choice fields.',
    examples: [
      {
        type: 'object',
        properties: { copies: { type: 'integer', title: 'Copies', minimum: 1, maximum: 100, default: 1 } },
        required: ['copies'],
      },
    ],
  });
export type Form = z.output<typeof Form>;

/**
 * Returns the values with the defaults of fields that are absent. `at` is the path of the values in the body, for the error.
 * Throws `validation_failed`.
 */
export function fillIn(form: Form, values: Record<string, unknown>, at: readonly string[]) {
  // Without what every object inherits: a field may be named `constructor`.
  const own = Object.assign(Object.create(null), values);
  const filled = checkerOf({ ...form, additionalProperties: false }).safeParse(own);
  if (filled.success) return filled.data as Record<string, unknown>;
  const errors: FieldError[] = filled.error.issues.slice(0, FIELDS_MAX).map((issue) => ({
    pointer: pointerOf([...at, ...issue.path]),
    code: issue.code ?? 'invalid',
    message: issue.message,
  }));
  const [first] = errors;
  throw new AppError('validation_failed', {
    detail: `The form is not filled in correctly: ${first?.pointer ?? ''}: ${first?.message ?? 'not valid'}.`,
    errors,
  });
}
