/** Knows which properties an entity of a category has, needs in a state, and begins with. */
import type {
  CategoryConfiguration,
  PropertyConfiguration,
  WorkspaceConfiguration,
} from '../configuration/current/workspace-configuration.ts';
import type { PropertyValue } from '../configuration/properties/property-value.ts';
import { AppError } from '../errors.ts';

type Properties = Pick<WorkspaceConfiguration, 'properties'>;

/** A category that lists no properties has all of them if its entities are items; orders and locations then need none. */
function propertiesOf({ properties }: Properties, category: CategoryConfiguration): PropertyConfiguration[] {
  if (category.properties.length > 0) return category.properties.flatMap((key) => properties.get(key) ?? []);
  const isItem = category.role === 'item' || category.role === 'itemAndLocation';
  return isItem && category.behaviour === 'none' ? [...properties.values()] : [];
}

/** Returns the values that a new entity gets where none are said. */
export function defaultsOf(
  configuration: Properties,
  category: CategoryConfiguration,
): ReadonlyMap<string, PropertyValue> {
  const found = propertiesOf(configuration, category);
  return new Map(found.flatMap(({ key, default: value }) => (value === null ? [] : [[key, value] as const])));
}

/** Returns the properties that an entity needs in one of the states of its lifecycle, with that state. */
export function requiredOf(
  configuration: Properties,
  category: CategoryConfiguration,
): { key: string; state: string }[] {
  const states = new Set(category.lifecycle.states.map(({ name }) => name));
  return propertiesOf(configuration, category).flatMap(({ key, requiredFrom: state }) =>
    state !== null && states.has(state) ? [{ key, state }] : [],
  );
}

/** Throws `properties_required` with the keys that lack a value for the state. */
export function requirePropertiesFor(
  state: string,
  configuration: Properties,
  category: CategoryConfiguration,
  values: Readonly<Record<string, PropertyValue>>,
): void {
  const missing = propertiesOf(configuration, category)
    .filter(({ requiredFrom }) => requiredFrom === state)
    .filter(({ key }) => !Object.hasOwn(values, key) || values[key] === '');
  if (missing.length === 0) return;
  const keys = missing.map(({ key }) => key);
  throw new AppError('properties_required', {
    detail: `The state "${state}" needs a value of ${keys.map((key) => JSON.stringify(key)).join(', ')}. Set ${keys.length === 1 ? 'it' : 'them'} first.`,
    extensions: { missing: keys },
  });
}
