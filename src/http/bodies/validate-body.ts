/**
 * Checks a body against its schema without keeping the loop: what is longer than its schema allows is refused before
 * anything in it is looked at, and the items of a long list are checked in slices, as far as findings are told.
 */
import { z } from 'zod';
import type { FieldError } from '../../errors.ts';
import type { Slices } from '../../fairness/slices.ts';
import { storageFaults } from '../check-stored.ts';
import { FINDINGS_MAX, findingsOf } from '../findings-of-issue.ts';
import { pointerOf } from '../json-pointer.ts';
import type { ParsedJson } from './parse-json.ts';
import { invalidInput } from './validate-input.ts';

/** Fields that a schema does not know, of one object, above which it is refused without naming all of them. */
const UNKNOWN_MAX = 100;
/** Items that are checked in one turn at least. */
const ITEMS_AT_ONCE = 20;

/** The checked value. Throws as `validateInput` does. */
export async function validateBody<S extends z.ZodType>(
  schema: S,
  { value, isSuspect }: ParsedJson,
  slices: Slices,
): Promise<z.output<S>> {
  if (isSuspect) {
    const faults = storageFaults(value);
    if (faults.length > 0) throw invalidInput(faults);
  }
  const { shell, lists, others } = shellOf(schema);
  refuseTooLarge(shell, value, []);
  if (slices.areDue) await slices.next();
  const given = lists.size === 0 ? null : asObject(value);
  if (given === null) return parsed(schema, value) as z.output<S>;
  const checked = Object.assign(Object.create(null), given) as Record<string, unknown>;
  const findings: FieldError[] = [];
  for (const [name, item] of lists) {
    const list = given[name];
    if (Array.isArray(list)) checked[name] = await checkItems(item, list, name, findings, slices);
  }
  if (findings.length > 0) {
    const issues = others.safeParse(value).error?.issues ?? [];
    throw invalidInput([...issues.flatMap(findingsOf), ...findings].slice(0, FINDINGS_MAX));
  }
  return parsed(shell, checked) as z.output<S>;
}

function parsed(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidInput(result.error.issues.flatMap(findingsOf));
}

async function checkItems(
  item: z.ZodType,
  list: readonly unknown[],
  name: string,
  findings: FieldError[],
  slices: Slices,
): Promise<unknown[]> {
  const checked: unknown[] = [];
  for (const [index, one] of list.entries()) {
    if (index % ITEMS_AT_ONCE === 0 && slices.areDue) await slices.next();
    refuseTooLarge(item, one, [name, index]);
    const result = item.safeParse(one);
    if (result.success) {
      checked.push(result.data);
      continue;
    }
    for (const finding of result.error.issues.flatMap(findingsOf)) {
      findings.push({ ...finding, pointer: pointerOf([name, index]) + finding.pointer });
    }
    if (findings.length >= FINDINGS_MAX) break;
  }
  return checked;
}

interface Shell {
  /** The schema, with nothing asked of the items of its lists. */
  shell: z.ZodType;
  /** Schema of the elements, by the name of the list. */
  lists: ReadonlyMap<string, z.ZodType>;
  /** The schema of the other fields, by themselves: without refinements, which see checked lists only. */
  others: z.ZodType;
}

const shells = new WeakMap<z.ZodType, Shell>();

/** A body's own lists are taken out of its schema; its refinements then see items that have been checked. */
function shellOf(schema: z.ZodType): Shell {
  const known = shells.get(schema);
  if (known !== undefined) return known;
  const lists = new Map<string, z.ZodType>();
  const shell = withoutItems(schema, lists);
  const others = withoutLists(schema, lists);
  const made = { shell: lists.size === 0 ? schema : shell, lists, others };
  shells.set(schema, made);
  return made;
}

function withoutItems(schema: z.ZodType, lists: Map<string, z.ZodType>): z.ZodType {
  if (isWrapper(schema)) {
    return clone(schema, { innerType: withoutItems(schema.def.innerType as z.ZodType, lists) });
  }
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape = Object.entries(schema.shape as z.ZodRawShape).map(([name, field]) => [
    name,
    withoutItem(field as z.ZodType, (item) => lists.set(name, item)),
  ]);
  return clone(schema, { shape: Object.fromEntries(shape) });
}

function withoutLists(schema: z.ZodType, lists: ReadonlyMap<string, z.ZodType>): z.ZodType {
  if (isWrapper(schema))
    return clone(schema, { innerType: withoutLists(schema.def.innerType as z.ZodType, lists) });
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape = Object.entries(schema.shape as z.ZodRawShape).map(([name, field]) => [
    name,
    lists.has(name) ? z.unknown().optional() : field,
  ]);
  return clone(schema, { shape: Object.fromEntries(shape), checks: [] });
}

function withoutItem(schema: z.ZodType, found: (item: z.ZodType) => void): z.ZodType {
  if (isWrapper(schema)) {
    return clone(schema, { innerType: withoutItem(schema.def.innerType as z.ZodType, found) });
  }
  if (!(schema instanceof z.ZodArray)) return schema;
  found(schema.def.element as z.ZodType);
  return clone(schema, { element: z.unknown() });
}

function clone(schema: z.ZodType, change: object): z.ZodType {
  return schema.clone({ ...schema.def, ...change } as typeof schema.def);
}

type Wrapper = z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodPrefault;

function isWrapper(schema: z.ZodType): schema is Wrapper {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  );
}

type Path = readonly (string | number)[];

/** Throws for the first list that is too long, or object with far too many fields, that validation would go through before it refuses it. */
function refuseTooLarge(schema: z.ZodType, value: unknown, path: Path): void {
  const fault = sizeFault(schema, value);
  if (fault !== null) {
    const { at, code, message } = fault;
    throw invalidInput([{ pointer: pointerOf([...path, ...at]), code, message }]);
  }
}

interface SizeFault {
  /** The path from the value that was looked at. */
  at: Path;
  code: string;
  message: string;
}

function sizeFault(schema: z.ZodType, value: unknown): SizeFault | null {
  if (typeof value !== 'object' || value === null) return null;
  if (isWrapper(schema)) return sizeFault(schema.def.innerType as z.ZodType, value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const most = schema._zod.bag.maximum;
    if (typeof most === 'number' && value.length > most) {
      return { at: [], code: 'too_big', message: `At most ${most} items; there are ${value.length}.` };
    }
    const element = schema.def.element as z.ZodType;
    for (const [index, one] of value.entries()) {
      const fault = sizeFault(element, one);
      if (fault !== null) return under(index, fault);
    }
    return null;
  }
  const given = asObject(value);
  return schema instanceof z.ZodObject && given !== null ? fieldsFault(schema, given) : null;
}

function fieldsFault(schema: z.ZodObject, given: Record<string, unknown>): SizeFault | null {
  const shape = schema.shape as Record<string, z.ZodType>;
  const names = Object.keys(given);
  if (schema.def.catchall instanceof z.ZodNever && names.length > UNKNOWN_MAX) {
    const unknown = names.filter((name) => !Object.hasOwn(shape, name));
    const [first] = unknown;
    if (first !== undefined && unknown.length > UNKNOWN_MAX) {
      const message = `There is no field "${first.slice(0, 100)}" here, nor ${unknown.length - 1} others.`;
      return { at: [first], code: 'unknown_field', message };
    }
  }
  for (const name of names) {
    if (typeof given[name] !== 'object' || !Object.hasOwn(shape, name)) continue;
    const fault = sizeFault(shape[name] as z.ZodType, given[name]);
    if (fault !== null) return under(name, fault);
  }
  return null;
}

function under(name: string | number, { at, ...fault }: SizeFault): SizeFault {
  return { ...fault, at: [name, ...at] };
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
