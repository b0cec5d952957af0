/** Decides about entities that would get a number which another entity has: a warning, or a refusal where the category says so. */
import {
  categoryOf,
  type WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockTakenNumbers, refusesTaken, takenNumbers } from '../../entities/numbers/taken-numbers.ts';
import { errorResult, numberTaken, type SyncResult } from '../elements/sync-result.ts';
import type { ComparedEntity } from './compare-elements.ts';

export interface NumberJudgement {
  /** The entities that may be written. Those whose number is taken have a warning. */
  fitting: readonly ComparedEntity[];
  /** Results of all elements of the others. */
  refused: SyncResult[];
}

/** Returns the numbers of these elements that stored entities have: of an element that creates its entity, another one. */
export function numbersTakenAmong(
  tx: Tx,
  entities: readonly { carrier: ComparedEntity['carrier'] }[],
): Promise<ReadonlySet<string>> {
  const numbers = entities.flatMap(({ carrier: { element } }) =>
    element.number === '' ? [] : [element.number],
  );
  return takenNumbers(tx, numbers);
}

/** Facts about the numbers that are known before. */
interface KnownNumbers {
  /** The answer of `numbersTakenAmong`; null where it was not asked. */
  stored: ReadonlySet<string> | null;
  /** Places of all elements whose number another entity has or gets, where that was decided for the whole batch. */
  decided?: readonly number[] | null | undefined;
}

export async function judgeNumbers(
  tx: Tx,
  compared: readonly ComparedEntity[],
  configuration: WorkspaceConfiguration,
  { stored, decided = null }: KnownNumbers,
): Promise<NumberJudgement> {
  const numbered = compared.filter((entity) => getsNumber(entity, configuration));
  if (numbered.length === 0) return { fitting: compared, refused: [] };
  const isRefusing = numbered.some((entity) => refusesTaken(categoryOfEntity(entity, configuration)));
  if (isRefusing) await lockTakenNumbers(tx);
  const known = decided === null ? stored : new Set<string>();
  const given = new Set(known !== null && !isRefusing ? known : await numbersTakenAmong(tx, numbered));
  const isDecided = new Set(decided);
  const refused: SyncResult[] = [];
  const without = new Set<ComparedEntity>();
  // Of several in this chunk, the first in the payload has the number.
  for (const entity of numbered.sort(inPayloadOrder)) {
    const number = entity.number as string;
    if (!given.has(number) && !isDecided.has(entity.carrier.element.index)) {
      given.add(number);
      continue;
    }
    const taken = numberTaken(number);
    if (refusesTaken(categoryOfEntity(entity, configuration))) {
      without.add(entity);
      for (const { index } of [entity.carrier.element, ...entity.others])
        refused.push(errorResult(index, entity.guid, 'number_taken', taken.message));
    } else entity.warnings = [...entity.warnings, taken];
  }
  return { fitting: without.size === 0 ? compared : compared.filter((one) => !without.has(one)), refused };
}

const inPayloadOrder = (a: ComparedEntity, b: ComparedEntity) =>
  a.carrier.element.index - b.carrier.element.index;

export function categoryOfEntity({ stored, carrier }: ComparedEntity, configuration: WorkspaceConfiguration) {
  return categoryOf(configuration, stored?.category ?? carrier.element.categoryKey);
}

/** Whether the number of the element becomes that of its entity. */
export function getsNumber(entity: ComparedEntity, configuration: WorkspaceConfiguration): boolean {
  const { stored, unread, number } = entity;
  if (number === null || number === '' || unread !== null) return false;
  if (stored !== null) return stored.number === null;
  return categoryOfEntity(entity, configuration).numbering.source === 'payload';
}
