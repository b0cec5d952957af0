/** Whether and how a receipt builds its line from components. */
import type { ConsumeMode } from '../../configuration/categories/behaviour.ts';
import { AppError } from '../../errors.ts';
import type { BuildRequest } from '../builds/plan-build.ts';
import { isFinal, type Line } from '../records/line.ts';
import type { LineAct } from '../records/line-acts.ts';
import { refuseType } from '../records/refusals.ts';

interface LineRequest {
  act: LineAct;
  build?: BuildRequest | undefined;
}

/** Returns how a receipt of a line takes components; null: the line has none to take, or nothing says that it does. */
export function consumeOf(
  { act, build }: LineRequest,
  { type }: Line,
  byDefault: ConsumeMode | null,
): ConsumeMode | null {
  if (act !== 'receive' || type !== 'manufacturingOrder') return null;
  return build?.consume ?? byDefault;
}

/** Throws `line_not_open` where a call wants to build what is no manufacturing line, or to scrap what has ended. */
export function requireBuild(line: Line, build: BuildRequest | undefined): void {
  if (build === undefined) return;
  if (line.type !== 'manufacturingOrder') throw refuseType(line, 'built from components');
  if (build.scrap.amount === 0n || !isFinal(line.state)) return;
  throw new AppError('line_not_open', {
    detail: `Line ${line.number ?? line.id} is in state "${line.state}": nothing of it is built and scrapped any more.`,
    extensions: { state: line.state },
  });
}
