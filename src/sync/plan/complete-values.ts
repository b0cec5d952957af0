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

/** Completes those that are created or changed. An entity whose large properties are not read yet is left as it is. */
export function completeValues(
  compared: readonly ComparedEntity[],
  configuration: WorkspaceConfiguration,
): void {
  for (let i = 0; i < compared.length; i++) {
    const entity = compared[i] as ComparedEntity;
    const { stored } = entity;
    if (stored !== null && (entity.changes.length === 0 || entity.unread !== null)) continue;
    const category = stored?.category ?? entity.carrier.element.categoryKey;
    const { defaults, required } = expectedOf(configuration, category);
    if (stored === null && defaults.size > 0) addDefaults(entity, defaults);
    if (required.length > 0) warnOfMissing(entity, required);
  }
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
function addDefaults(entity: ComparedEntity, defaults: ReadonlyMap<string, PropertyValue>): void {
  const { keys, removed } = entity.carrier.properties;
  const warnings = entity.warnings;
  if (warnings.some(({ code }) => code === 'more_warnings')) return;
  const refused = new Set(warnings.map(({ property }) => property));
  const missing = [...defaults].filter(
    ([key]) => !(keys.includes(key) || removed.includes(key) || refused.has(key)),
  );
  if (missing.length === 0) return;
  const json = propertiesJson(new Map(missing));
  entity.valuesJson =
    entity.valuesJson === '{}' ? json : `${entity.valuesJson.slice(0, -1)},${json.slice(1)}`;
  entity.valueCount += missing.length;
}

function warnOfMissing(entity: ComparedEntity, required: Expected['required']): void {
  const values = JSON.parse(entity.valuesJson) as Record<string, PropertyValue>;
  const missing = required.filter(({ key }) => !Object.hasOwn(values, key) || values[key] === '');
  if (missing.length === 0) return;
  const named = missing
    .slice(0, NAMED_MAX)
    .map(({ key, state }) => `${JSON.stringify(key)} (for the state ${JSON.stringify(state)})`);
  const more = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : '';
  const warning: SyncWarning = {
    code: 'value_required',
    message: `The entity has no value of ${named.join(', ')}${more}. It cannot enter ${missing.length === 1 ? 'this state' : 'these states'} without.`,
  };
  if (missing.length === 1) warning.property = missing[0]?.key ?? '';
  entity.warnings = [...entity.warnings, warning];
}
