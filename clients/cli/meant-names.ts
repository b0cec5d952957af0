/** Finds the state or supplier that a person means by a name. The name need not be exact; if none fits, the error lists those that exist. */
import type { Category } from '../typescript/generated/types.ts';
import { listItems } from '../typescript/list-items.ts';
import { UsageError } from './exit-codes.ts';
import { nearNames } from './near-names.ts';
import { shown } from './output.ts';
import type { Session } from './session.ts';

/** So many names are still read. */
const NAMED_MAX = 12;

/** The state as the lifecycles of those categories write it; `what` is what would be in it. */
export async function stateMeant(
  session: Session,
  text: string,
  what: string,
  isOf: (category: Category) => boolean,
): Promise<string> {
  const { partbook } = session;
  const followed = new Set<string>();
  for await (const category of listItems(partbook, 'GET /categories', {}, session))
    if (isOf(category)) followed.add(category.lifecycle);
  const states = new Set<string>();
  for await (const { key, states: its } of listItems(partbook, 'GET /lifecycles', {}, session))
    if (followed.has(key)) for (const { name } of its) states.add(name);
  // No category fits: the list will be empty and says so.
  if (states.size === 0 || states.has(text)) return text;
  const alike = [...states].filter((name) => plainName(name) === plainName(text));
  const [only, ...others] = alike;
  if (only !== undefined && others.length === 0) return only;
  if (isForProgram(session)) return text;
  throw new UsageError(
    only === undefined
      ? `No ${what} can be in the state "${shown(text)}". Its states: ${named([...states])}.`
      : `Several states are called "${shown(text)}": ${named(alike)}.`,
  );
}

/** Returns the id of a saved view of entities, by its name or id. A view of the caller wins over a shared one of the same name. */
export async function viewMeant(session: Session, text: string): Promise<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  const views = [];
  const query = { list: 'entities' as const };
  for await (const view of listItems(session.partbook, 'GET /views', { query }, session)) views.push(view);
  const alike = views.filter(({ name }) => plainName(name) === plainName(text));
  const own = alike.filter(({ mine }) => mine);
  const [only, ...others] = own.length > 0 ? own : alike;
  if (only !== undefined && others.length === 0) return only.id;
  const asked = `"${shown(text)}"`;
  if (only !== undefined)
    throw new UsageError(`Several saved views are called ${asked}: name one by its id (partbook views).`);
  const names = views.map(({ name }) => name);
  const there = names.length === 0 ? 'There are none.' : `There are ${named(names)}.`;
  throw new UsageError(`There is no saved view ${asked}. ${there}`);
}

/** Finds a supplier by the whole name, or by a part that only one has. */
export async function supplierMeant(session: Session, text: string): Promise<string> {
  const wanted = plainName(text);
  const [names, having]: [string[], string[]] = [[], []];
  for await (const { name } of listItems(session.partbook, 'GET /suppliers', {}, session)) {
    const plain = plainName(name);
    if (plain === wanted) return name;
    names.push(name);
    if (plain.includes(wanted)) having.push(name);
  }
  const [only, ...others] = having;
  if (only !== undefined && others.length === 0) return only;
  if (isForProgram(session)) return text;
  const asked = `"${shown(text)}"`;
  if (only !== undefined)
    throw new UsageError(
      `Several suppliers have ${asked} in their name: ${named(having)}. Write the whole name of one.`,
    );
  if (names.length === 0) throw new UsageError(`The workspace has no suppliers: not ${asked} either.`);
  const near = nearNames(wanted, names, plainName);
  const there = near.length > 0 ? `Is it ${named(near)}?` : `There are ${named(names)}.`;
  throw new UsageError(`There is no supplier ${asked}. ${there}`);
}

/** A program that reads JSON gets an empty list for an unknown name: the service is asked for the name as it is. */
function isForProgram({ output }: Session): boolean {
  return output.form !== 'text';
}

/** As the service compares suppliers: capitals and spaces aside. */
function plainName(name: string): string {
  return name.trim().replaceAll(/\s+/gu, ' ').normalize('NFC').toLowerCase();
}

function named(names: readonly string[]): string {
  const some = names.slice(0, NAMED_MAX).map((name) => shown(name));
  return names.length > NAMED_MAX
    ? `${some.join(', ')} and ${names.length - NAMED_MAX} more`
    : some.join(', ');
}
