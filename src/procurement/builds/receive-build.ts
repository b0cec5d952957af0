/** Receives the rest of a manufacturing line as a part of a transition, with its components. */
import type { ConsumeMode } from '../../configuration/categories/behaviour.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { startRecording } from '../../stock/movements/record-requests.ts';
import { AvailableStock } from '../records/available-stock.ts';
import { EntityMoves } from '../records/entity-moves.ts';
import type { Line } from '../records/line.ts';
import { refuseLineMovements } from '../records/refusals.ts';
import { reserveArrived } from '../records/reserve-arrived.ts';
import type { Build } from './components.ts';
import { lockBuilds, lockStock } from './open-builds.ts';
import { movementsOf, noteTaken, planConsumption, refuseShortages } from './plan-build.ts';
import { endComponents } from './settle-components.ts';

/** The line is locked. Throws `insufficient_stock`, `tree_too_large`. */
export async function receiveBuild(
  tx: Tx,
  by: Mover,
  line: Line,
  {
    movements,
    consume,
    reserves,
  }: { movements: readonly Movement[]; consume: ConsumeMode; reserves: boolean },
): Promise<void> {
  const note = movements[0]?.note ?? null;
  const facts = { note, bookingId: newId() };
  const opened = await lockBuilds(tx, [line], { from: null, requiredBy: by.actor });
  const { positions, stock } = await lockStock(tx, opened, movements);
  const planned = planConsumption(opened.builds.get(line.id) as Build, stock, consume, {
    good: movements.reduce((sum, { amount }) => sum + amount, 0n),
    scrap: 0n,
  });
  if (planned.shortages.length > 0) throw refuseShortages(planned);
  const recording = await startRecording(tx, positions);
  const output = movements.map((movement) => ({
    ...movement,
    ...facts,
    consume,
    itemRevision: line.itemRevision,
  }));
  const available = new AvailableStock((position) => recording.balanceOf(position));
  const reserved = reserves ? reserveArrived(output, output, available) : [];
  const { refusals } = await recording.decide({
    actor: by.actor,
    movements: [...output, ...reserved, ...movementsOf(planned, 'issue', facts)],
  });
  if (refusals !== null) throw refuseLineMovements(refusals, [{ line, index: null }]);
  const moves = new EntityMoves(tx, [by]);
  noteTaken(tx, by, opened.requirements, planned);
  opened.requirements.keep(moves);
  await recording.write();
  await moves.write();
  await endComponents(tx, by, line, note);
}
