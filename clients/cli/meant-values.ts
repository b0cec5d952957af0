/** References to entities as people write them on a command line: by number, as in all other places. */
import { listItems } from '../typescript/list-items.ts';
import { entityId, type Session } from './session.ts';

/** Returns the type of each property that the workspace defines. */
export async function propertyTypes(session: Session): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>();
  for await (const { key, type } of listItems(session.partbook, 'GET /property-definitions', {}, session))
    types.set(key, type);
  return types;
}

/** A condition that compares: the key may hold colons, and so may the value. */
const comparing = /^(.+?):(eq|ne):(.+)$/s;

/** The conditions, in which numbers of entities become ids where the property is a reference. */
export async function conditionsMeant(
  session: Session,
  conditions: readonly string[],
): Promise<readonly string[]> {
  if (!conditions.some((condition) => comparing.test(condition))) return conditions;
  const types = await propertyTypes(session);
  const meant: string[] = [];
  for (const condition of conditions) {
    const [, key = '', operator, value = ''] = comparing.exec(condition) ?? [];
    meant.push(
      types.get(key) === 'reference' ? `${key}:${operator}:${await entityId(session, value)}` : condition,
    );
  }
  return meant;
}
