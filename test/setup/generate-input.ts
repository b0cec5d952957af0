/** Makes JSON values from a JSON schema: such as fit it, and such as nearly do. For the contract test. */
import fc from 'fast-check';

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema is read member by member
export type JsonSchema = any;
type Json = unknown;

export interface Document {
  /** What `$ref`s point into. */
  openApi: JsonSchema;
  /** Ids and keys that exist and that a field of that name may hold. */
  existing(field: string): readonly string[];
}

const DEPTH_MAX = 5;

/** Values that the schema allows (as far as it is understood: the service has the last word). */
export function fitting(document: Document, schema: JsonSchema, depth = 0): fc.Arbitrary<Json> {
  const known = resolve(document.openApi, schema);
  if (known.const !== undefined) return fc.constant(known.const);
  if (known.enum !== undefined) return fc.constantFrom(...known.enum);
  const made = generated(document, known, depth);
  // Examples get past what no schema says (a key that must exist); alone they would always say the same.
  return known.examples?.length > 0 ? fc.oneof(fc.constantFrom(...known.examples), made) : made;
}

function generated(document: Document, known: JsonSchema, depth: number): fc.Arbitrary<Json> {
  const go = (inner: JsonSchema) => fitting(document, inner, depth + 1);
  const choices = known.anyOf ?? known.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(go));
  if (known.allOf !== undefined) {
    return fc.tuple(...known.allOf.map(go)).map((parts: Json[]) => Object.assign({}, ...(parts as object[])));
  }
  const type = Array.isArray(known.type) ? fc.constantFrom(...known.type) : fc.constant(known.type);
  return type.chain((name: string) => ofType(known, name, go, depth, document));
}

function ofType(
  schema: JsonSchema,
  type: string,
  go: (inner: JsonSchema) => fc.Arbitrary<Json>,
  depth: number,
  document: Document,
): fc.Arbitrary<Json> {
  switch (type) {
    case 'string':
      return ofString(schema);
    case 'integer':
    case 'number': {
      const min = schema.minimum ?? -1000;
      const max = Math.min(schema.maximum ?? 1000, min + 100_000);
      return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(schema.items === undefined ? fc.constant(1) : go(schema.items), {
        minLength: schema.minItems ?? 0,
        maxLength:
          depth > DEPTH_MAX
            ? (schema.minItems ?? 0)
            : Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
      });
    case 'object': {
      const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).filter(
        ([, field]) => field.readOnly !== true,
      );
      const required: string[] = schema.required ?? [];
      const named = fc.record(
        Object.fromEntries(fields.map(([name, field]) => [name, ofField(document, name, go(field))])),
        {
          requiredKeys: fields.map(([name]) => name).filter((name) => required.includes(name)),
        },
      );
      if (typeof schema.additionalProperties !== 'object') return named;
      const more = fc.dictionary(
        fc.string({ minLength: 1, maxLength: 10 }),
        go(schema.additionalProperties),
        { maxKeys: 3 },
      );
      return fc.tuple(named, more).map(([known, further]) => ({ ...further, ...known }));
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Mostly something that exists, where the field names such a thing. */
function ofField(document: Document, name: string, made: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const existing = document.existing(name);
  if (existing.length === 0) return made;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: made });
}

const strings = new Map<string, fc.Arbitrary<string>>();

/** Made once for each kind of string: what generates by a pattern takes a hundred times longer to make than to use. */
function ofString({ format, pattern, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
  const key = JSON.stringify([format, pattern, minLength, maxLength]);
  const known = strings.get(key) ?? makeString({ format, pattern, minLength, maxLength });
  strings.set(key, known);
  return known;
}

function makeString(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date-time') {
    return fc
      .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  if (schema.format === 'date') return fc.constantFrom('2026-11-20', '2000-02-29');
  if (schema.pattern !== undefined) {
    try {
      return fc
        .stringMatching(new RegExp(schema.pattern, 'u'))
        .filter((text) => text.length <= (schema.maxLength ?? 300));
    } catch {
      // A pattern that the generator cannot follow: any text will do.
    }
  }
  return fc.string({
    unit: 'grapheme',
    minLength: schema.minLength ?? 0,
    maxLength: Math.min(schema.maxLength ?? 40, 40),
  });
}

const hostile: Json[] = [
  null,
  true,
  0,
  -1,
  1e308,
  -1e-308,
  2 ** 53 + 2,
  1e21,
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  '\udfff!',
  '💥'.repeat(300),
  'x'.repeat(40_000),
  "'; drop table entity; --",
  '%00',
  '../../etc/passwd',
  '9999-99-99',
  '0000-01-01',
  '+275760-09-13T00:00:00Z',
  '0000-01-01T00:00:00Z',
  'Infinity',
  [],
  [[]],
  {},
  { __proto__: null },
  JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
  Array(200).fill({}),
  JSON.parse('['.repeat(500) + ']'.repeat(500)),
];

export const hostileValue: fc.Arbitrary<Json> = fc.constantFrom(...hostile);

/** A fitting value with one part replaced, removed or added. */
export function nearlyFitting(document: Document, schema: JsonSchema): fc.Arbitrary<Json> {
  return fc
    .tuple(fitting(document, schema), hostileValue, fc.nat(), fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, bad, seed, how]) => mutate(value, bad, seed, how));
}

function mutate(value: Json, bad: Json, seed: number, how: string): Json {
  if (typeof value !== 'object' || value === null) return bad;
  const copy = structuredClone(value) as Record<string, Json>;
  const keys = Object.keys(copy);
  const key = keys[seed % Math.max(keys.length, 1)];
  if (key === undefined || how === 'add') {
    if (Array.isArray(copy)) copy.push(bad);
    else copy[['extra', '', 'a/b~', 'toString', '\ud800'][seed % 5] as string] = bad;
    return copy;
  }
  const inner = copy[key];
  if (typeof inner === 'object' && inner !== null && seed % 3 > 0)
    copy[key] = mutate(inner, bad, seed >> 2, how);
  else if (how === 'remove') delete copy[key];
  else copy[key] = bad;
  return copy;
}

/** The schema behind `$ref`s. */
export function resolve(openApi: JsonSchema, schema: JsonSchema): JsonSchema {
  let at = schema ?? {};
  while (at.$ref !== undefined) {
    const path = at.$ref.replace('#/', '').split('/');
    at = path.reduce(
      (inner: JsonSchema, part: string) => inner[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      openApi,
    );
  }
  return at;
}
