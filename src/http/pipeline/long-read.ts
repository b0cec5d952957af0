/** Writes the answer; in its turn among the long reads of its workspace, where it is long. */
import { Slices } from '../../fairness/slices.ts';
import { serialiseAnswer } from '../answers/serialise-answer.ts';
import type { Exchange, Wrapper } from './exchange.ts';

export const readLong: Wrapper = (inner, { route }, { ctx }) => {
  const written = async (exchange: Exchange) => {
    const answer = await inner(exchange);
    return answer === null ? null : serialiseAnswer(answer, new Slices(exchange.gone));
  };
  const isLong = route.readsMuch === true;
  if (!isLong && (route.method !== 'get' || route.transaction !== 'read')) return written;
  return (exchange) => {
    const { caller, gone } = exchange;
    if (caller === null) return written(exchange);
    const read = {
      workspaceId: caller.workspace.id,
      operationId: route.operationId,
      isLong,
      isSent: route.transaction === 'none',
    };
    return ctx.longReads.run(read, () => written(exchange), gone);
  };
};
