/**
 * Fields that a resource shows and nobody sets. A PUT or PATCH takes them as they were read, so that what GET gave can be
 * sent back, and refuses another value: one that is taken and not kept would look like a change (contract §1.12).
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AppError, type FieldError } from '../errors.ts';
import { pointerOf } from './json-pointer.ts';

interface ReadOnlyField {
  /** Whether what was sent passes for what was read. */
  accepts(sent: unknown, present: unknown): boolean;
  drifts: boolean;
}

const readOnlyFields = z.registry<ReadOnlyField>();
/** Names of read-only fields, by the resource that shows them. */
const shownFields = z.registry<{ names: readonly string[] }>();

type ReadOnly<Name extends string> = Record<Name, z.ZodOptional<z.ZodUnknown>>;

/**
 * To be spread into the strict object of a body: those fields of the resource, which `requireAsRead` then compares. Those
 * that drift are changed by the service without anybody's edit: what was read a moment ago may be another value by now.
 */
export function readOnly<Shape extends z.ZodRawShape, const Name extends keyof Shape & string>(
  resource: z.ZodObject<Shape>,
  names: readonly Name[],
  { drifting = [] }: { drifting?: readonly NoInfer<Name>[] } = {},
): ReadOnly<Name> {
  const fields: Partial<ReadOnly<Name>> = {};
  shownFields.add(resource, { names: [...readOnlyNames(resource), ...names] });
  for (const name of names) {
    const shown = z.pipe(z.unknown(), resource.shape[name] as Shape[Name]);
    const form = formOf(shown);
    const drifts = drifting.includes(name);
    const how = drifts ? 'ignored' : 'taken as it was read';
    fields[name] = z
      .unknown()
      .optional()
      .meta({
        description: `${form.description ?? ''} Read-only: ${how}.`.trim(),
        override: ({ jsonSchema }) => {
          Object.assign(jsonSchema, { ...form, ...jsonSchema, readOnly: true });
        },
      })
      .register(readOnlyFields, {
        drifts,
        accepts: drifts
          ? (sent) => shown.safeParse(sent).success
          : (sent, present) => isDeepStrictEqual(sent, present),
      });
  }
  return fields as ReadOnly<Name>;
}

/** The fields of a resource that nobody sets, for the document. */
export function readOnlyNames(schema: z.core.$ZodType): readonly string[] {
  return shownFields.get(schema)?.names ?? [];
}

/** Returns the schema as in the document: schemas with a name of their own are among its components. */
function formOf(shown: z.ZodType): Record<string, unknown> {
  const { $schema: _, $defs: __, ...form } = z.toJSONSchema(shown, { io: 'output' });
  return JSON.parse(JSON.stringify(form).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** Whether a body takes read-only fields. */
export function takesReadOnly(body: z.ZodType | undefined): boolean {
  return body instanceof z.ZodObject && fieldsOf(body).length > 0;
}

/**
 * `body` was read by `schema`; `present` is the resource as GET shows it, under the lock of the change. Throws
 * `read_only_field`.
 */
export function requireAsRead(schema: z.ZodObject, body: object, present: object): void {
  const given = new Map<string, unknown>(Object.entries(body));
  const shown = new Map<string, unknown>(Object.entries(present));
  const errors = fieldsOf(schema).flatMap(([name, { accepts, drifts }]) => {
    const value = given.get(name);
    if (value === undefined) return [];
    const present = shown.get(name);
    return accepts(value, present) ? [] : [faultOf(name, present, drifts)];
  });
  const [first] = errors;
  if (first === undefined) return;
  throw new AppError('read_only_field', { detail: `The request is not valid. ${first.message}`, errors });
}

const SHOWN_CHARS_MAX = 100;

function faultOf(name: string, present: unknown, drifts: boolean): FieldError {
  const text = JSON.stringify(present) ?? 'absent';
  const shown = text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
  const what = drifts ? 'and has another form' : `and is ${shown.toWellFormed()}`;
  return {
    pointer: pointerOf([name]),
    code: 'read_only_field',
    message: `"${name}" is read-only ${what}: leave it out, or send it as it was read.`,
  };
}

function fieldsOf(schema: z.ZodObject): [name: string, field: ReadOnlyField][] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const declared = readOnlyFields.get(field as z.ZodType);
    return declared === undefined ? [] : [[name, declared]];
  });
}
