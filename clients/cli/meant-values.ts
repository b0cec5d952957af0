/** References to entities as people write them on a command line: by number, as in all other places. */

import { ApiError } from '../typescript/errors.ts';
import { listItems } from '../typescript/list-items.ts';
import { UsageError } from './exit-codes.ts';
import { nearNames } from './near-names.ts';
import { shown } from './output.ts';
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

/** Runs a call whose conditions name properties. For a person, the refusal of an unknown one names those that may be meant. */
export async function namingNear<Answer>(session: Session, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || session.output.form !== 'text') throw error;
    const [, unknown] = /defines no property "([^"]+)"/.exec(error.problem.detail ?? '') ?? [];
    if (unknown === undefined) throw error;
    const known = [...(await propertyTypes(session)).keys()];
    const near = nearNames(unknown.toLowerCase(), known, (key) => key.toLowerCase());
    if (near.length === 0) throw error;
    throw new UsageError(
      `The workspace defines no property "${shown(unknown)}". Did you mean ${near.map((key) => shown(key)).join(', ')}?`,
    );
  }
}
