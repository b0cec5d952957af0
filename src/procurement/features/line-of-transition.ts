/** The line that a feature works on. */
import type { Tx } from '../../db/transaction.ts';
import type { Transitioned } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { findLine } from '../find-line.ts';
import type { Line, LineType } from '../line.ts';

/** Throws `feature_failed` where the entity is no such line: the feature is attached to the wrong lifecycle. */
export async function lineOfTransition(
  tx: Tx,
  { entity }: Transitioned,
  types: readonly LineType[],
): Promise<Line> {
  const line = await findLine(tx, entity.id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'line_not_found') return null;
    throw error;
  });
  if (line !== null && types.includes(line.type)) return line;
  throw new AppError(
    'feature_failed',
    `It works on lines of type ${types.join(' or ')}, and ${entity.number ?? entity.id} is none: its category's lifecycle should not carry it.`,
  );
}
