/**
 * Several batches can give an entity what no single element could: its elements are refused before it carries more than
 * one may. One that carried too much before may change as long as it does not grow.
 */
import type { PreparedElements } from '../elements/prepare-elements.ts';
import { errorResult, type SyncResult } from '../elements/sync-result.ts';
import type { ComparedEntity, DataChange } from './compare-elements.ts';

type Limits = PreparedElements['limits'];

/** Returns the entities that have room for their properties, and results for the elements of the others. */
export function requireRoom(
  compared: readonly ComparedEntity[],
  limits: Limits,
): { fitting: ComparedEntity[]; refused: SyncResult[] } {
  const fitting: ComparedEntity[] = [];
  const refused: SyncResult[] = [];
  for (let i = 0; i < compared.length; i++) {
    const entity = compared[i] as ComparedEntity;
    const fault = faultOf(entity, limits);
    if (fault === null) {
      fitting.push(entity);
      continue;
    }
    for (const { index } of [entity.carrier.element, ...entity.others])
      refused.push(errorResult(index, entity.guid, 'invalid_entity', fault));
  }
  return { fitting, refused };
}

function faultOf({ valueCount, valuesJson, changes }: ComparedEntity, limits: Limits): string | null {
  const { propertiesMax, propertiesBytesMax } = limits;
  // A character has at most three bytes: nearly always that is answer enough.
  if (valueCount <= propertiesMax && valuesJson.length * 3 <= propertiesBytesMax) return null;
  const ofProperties = changes.filter(({ of }) => of === 'property');
  if (valueCount > propertiesMax && ofProperties.some(({ from }) => from === null)) {
    return `The entity would have ${valueCount} properties with those that it has already; at most ${propertiesMax} are allowed.`;
  }
  const bytes = Buffer.byteLength(valuesJson);
  if (bytes <= propertiesBytesMax || !grows(ofProperties)) return null;
  return `The properties of the entity would have ${bytes} bytes as JSON with those that it has already; at most ${propertiesBytesMax} are allowed.`;
}

function grows(changes: readonly DataChange[]): boolean {
  return (
    changes.reduce((sum, { property, from, to }) => sum + sizeOf(property, to) - sizeOf(property, from), 0) >
    0
  );
}

function sizeOf(key: string, value: DataChange['to']): number {
  return value === null ? 0 : Buffer.byteLength(JSON.stringify(key) + JSON.stringify(value)) + 2;
}
