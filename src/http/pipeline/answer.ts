/** Sends what a call is answered with, or why it is refused. */
import { refuse } from '../answers/refuse.ts';
import { sendAnswer } from '../answers/send-answer.ts';
import type { Wrapper } from './exchange.ts';

export const answer: Wrapper = (inner, { route }, { ctx }) => {
  const isGet = route.method === 'get';
  return async (exchange) => {
    const { req, res } = exchange;
    try {
      const made = await inner(exchange);
      if (made === null) return null;
      if (isGet) exchange.gone.throwIfAborted();
      const bytes = sendAnswer(req, res, made);
      const { caller } = exchange;
      if (caller !== null && isGet)
        ctx.longReads.note({ workspaceId: caller.workspace.id, operationId: route.operationId }, bytes);
    } catch (error) {
      await refuse(req, res, error);
    }
    return null;
  };
};
