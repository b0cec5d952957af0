/** How a property is named in forms and heads of columns. */
import type { PropertyDefinition } from '../client/operations.ts';

/** The name, with the unit unless the name says it. */
export function labelOf({ name, unit }: Pick<PropertyDefinition, 'name' | 'unit'>): string {
  return unit === null || name.includes(unit) ? name : `${name} (${unit})`;
}
