/** The writing half of `api`: the same operations as behind the HTTP interface, and what they changed. */
import { NIL_GUID, normaliseGuid } from '../../db/ids.ts';
import { createEntity } from '../../entities/create-entity.ts';
import { requireAreaOfCategory } from '../../entities/require-area.ts';
import { AppError } from '../../errors.ts';
import type { ActionRun, Performed } from '../built-in/built-in-action.ts';
import { performed, setProperties, setState } from '../built-in/change-entity.ts';
import { type ActionName, builtInAction } from '../built-in/registry.ts';
import { resolveRef } from '../built-in/resolve-ref.ts';
import type { ActionMethod, ApiArguments, WriteMethod } from '../conductor/api.schema.ts';

type EntityMethod = Exclude<WriteMethod, ActionMethod>;
type Writers = {
  [M in EntityMethod]: (run: ActionRun, ...args: ApiArguments[M]) => Promise<Performed>;
};

const writers: Writers = {
  setProperties: async (run, ref, properties) =>
    setProperties(run, await resolveRef(run.tx, ref), properties),

  transition: async (run, ref, toState, options) =>
    setState(run, await resolveRef(run.tx, ref), toState, options?.note),

  createEntity: async ({ tx, actor, areas, config }, { E_Guid, ...values }) => {
    await requireAreaOfCategory(tx, { areas }, values.category);
    const guid = E_Guid === undefined ? null : normaliseGuid(E_Guid);
    if (E_Guid !== undefined && (guid === null || guid === NIL_GUID)) {
      throw new AppError('validation_failed', `"${E_Guid}" is not the GUID of an object.`);
    }
    const row = await createEntity(tx, actor, { ...values, guid, byHand: true }, config);
    const made = Object.entries({
      category: row.category,
      number: row.number ?? null,
      name: row.name,
      ...row.properties,
    });
    return performed(
      tx,
      row.id,
      made.map(([property, to]) => ({ entityId: row.id, property, from: null, to })),
    );
  },
};

const ACTIONS = 'actions.';

/** The arguments have been checked. */
export function writeForScript(run: ActionRun, method: WriteMethod, args: unknown[]): Promise<Performed> {
  if (method.startsWith(ACTIONS))
    return builtInAction(method.slice(ACTIONS.length) as ActionName).perform(run, args[0]);
  const write = writers[method as EntityMethod] as (run: ActionRun, ...args: unknown[]) => Promise<Performed>;
  return write(run, ...args);
}
