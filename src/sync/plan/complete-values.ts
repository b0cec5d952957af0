/** Gives new entities the default values of their category, and warns of values that a later state needs. Written for a million elements: a category without either costs one look-up. */
import {
  categoryOf,
  type WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import type { PropertyValue } from '../../configuration/properties/property-value.ts';
import { defaultsOf, requiredOf } from '../../entities/required-properties.ts';
import { propertiesJson } from '../elements/coerce-properties.ts';
import type { SyncWarning } from '../elements/sync-result.ts';
import type { ComparedEntity } from './compare-elements.ts';

interface Expected {
  defaults: ReadonlyMap<string, PropertyValue>;
  /** Keys with the states that need them. */
  required: readonly { key: string; state: string }[];
}

const nothing: Expected = { defaults: new Map(), required: [] };
const NAMED_MAX = 10;
const known = new WeakMap<WorkspaceConfiguration, Map<string, Expected>>();

/** Returns the entities; those that are created or changed are completed. */
export function completeValues(
  compared: readonly ComparedEntity[],
  configuration: WorkspaceConfiguration,
): ComparedEntity[] {
  return compared.map((entity) => {
    const { stored } = entity;
    if (stored !== null && entity.changes.length === 0) return entity;
    const category = stored?.category ?? entity.carrier.element.categoryKey;
    const { defaults, required } = expectedOf(configuration, category);
    const full = stored === null && defaults.size > 0 ? withDefaults(entity, defaults) : entity;
    return required.length > 0 ? warnedOfMissing(full, required) : full;
  });
}

/** Keys of the properties that new entities of these categories may be given without being sent. */
export function defaultKeys(
  configuration: WorkspaceConfiguration,
  categories: ReadonlySet<string>,
): string[] {
  return [...categories].flatMap((key) => [...expectedOf(configuration, key).defaults.keys()]);
}

function expectedOf(configuration: WorkspaceConfiguration, key: string): Expected {
  const byCategory = known.get(configuration) ?? new Map<string, Expected>();
  const found = byCategory.get(key);
  if (found !== undefined) return found;
  const category = categoryOf(configuration, key);
  const defaults = defaultsOf(configuration, category);
  const required = requiredOf(configuration, category);
  const expected = defaults.size + required.length === 0 ? nothing : { defaults, required };
  known.set(configuration, byCategory.set(key, expected));
  return expected;
}

/** A value that the payload removes, or that could not be taken, is not replaced by the default. */
function withDefaults(entity: ComparedEntity, defaults: ReadonlyMap<string, PropertyValue>): ComparedEntity {
  const { keys, removed } = entity.carrier.properties;
  const { valuesJson, valueCount, warnings } = entity;
  if (warnings.some(({ code }) => code === 'more_warnings')) return entity;
  const refused = new Set(warnings.map(({ property }) => property));
  const missing = [...defaults].filter(
    ([key]) => !(keys.includes(key) || removed.includes(key) || refused.has(key)),
  );
  if (missing.length === 0) return entity;
  const json = propertiesJson(new Map(missing));
  return {
    ...entity,
    valuesJson: valuesJson === '{}' ? json : `${valuesJson.slice(0, -1)},${json.slice(1)}`,
    valueCount: valueCount + missing.length,
  };
}

function warnedOfMissing(entity: ComparedEntity, required: Expected['required']): ComparedEntity {
  const values = JSON.parse(entity.valuesJson) as Record<string, PropertyValue>;
  const missing = required.filter(({ key }) => !Object.hasOwn(values, key) || values[key] === '');
  if (missing.length === 0) return entity;
  const named = missing
    .slice(0, NAMED_MAX)
    .map(({ key, state }) => `${JSON.stringify(key)} (for the state ${JSON.stringify(state)})`);
  const more = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : '';
  const warning: SyncWarning = {
    code: 'value_required',
    message: `The entity has no value of ${named.join(', ')}${more}. It cannot enter ${missing.length === 1 ? 'this state' : 'these states'} without.`,
  };
  if (missing.length === 1) warning.property = missing[0]?.key ?? '';
  return { ...entity, warnings: [...entity.warnings, warning] };
}
