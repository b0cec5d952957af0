/** The writing half of `api`: the same operations as behind the HTTP interface, and what they changed. */
import type { Actor } from '../../actor.ts';
import type { Config } from '../../config.ts';
import { NIL_GUID, normaliseGuid } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { createEntity } from '../../entities/create-entity.ts';
import { findEntity } from '../../entities/find-entity.ts';
import { patchEntity } from '../../entities/patch-entity.ts';
import { showEntity } from '../../entities/show-entity.ts';
import { transitionEntity } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { moverOf } from '../../transition-effects.ts';
import type { ApiArguments, WriteMethod } from '../conductor/api.schema.ts';
import type { ScriptChange } from '../script-result.schema.ts';
import { resolveRef } from './resolve-ref.ts';

export interface Written {
  answer: unknown;
  changes: ScriptChange[];
}

type Writers = {
  [M in WriteMethod]: (writer: Writer, ...args: ApiArguments[M]) => Promise<Written>;
};

export interface Writer {
  tx: Tx;
  actor: Actor;
  config: Config;
}

export const writers: Writers = {
  setProperties: async ({ tx, actor, config }, ref, properties) => {
    const id = await resolveRef(tx, ref);
    const { changes } = await patchEntity(tx, actor, id, { properties }, { limits: config });
    return written(
      tx,
      id,
      changes.map((change) => ({ entityId: id, ...change })),
    );
  },

  transition: async ({ tx, actor }, ref, toState, options) => {
    const entity = await resolveRef(tx, ref);
    const wanted = { entity, toState, note: options?.note };
    const { fromState } = await transitionEntity(tx, moverOf(actor), wanted);
    return written(tx, entity, [{ entityId: entity, property: 'state', from: fromState, to: toState }]);
  },

  createEntity: async ({ tx, actor, config }, { E_Guid, ...values }) => {
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
    return written(
      tx,
      row.id,
      made.map(([property, to]) => ({ entityId: row.id, property, from: null, to })),
    );
  },
};

async function written(tx: Tx, id: string, changes: ScriptChange[]): Promise<Written> {
  return { answer: showEntity(await findEntity(tx, id)), changes };
}
