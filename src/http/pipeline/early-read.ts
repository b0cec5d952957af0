/**
 * Makes reads of one thing in the burst of statements that looks their caller up. Everything else stays as it is: who is not
 * let in is refused in the same order and for the same reasons, and gets nothing of what was read.
 */
import { AppError } from '../../errors.ts';
import { ShareError } from '../../fairness/fair-share.ts';
import { Slices } from '../../fairness/slices.ts';
import { currentTraceparent } from '../../telemetry/tracing.ts';
import { serialiseAnswer } from '../answers/serialise-answer.ts';
import type { Wrapper } from './exchange.ts';
import { handle } from './handle.ts';
import { makeCall } from './make-call.ts';
import { type Input, inputOf, type Prepared } from './prepare.ts';

/** Stands before `authorise`: begins to read for the caller that is expected. */
export const expectCaller: Wrapper = (inner, prepared, machinery) => {
  const { route } = prepared;
  if (route.readsOne !== true) return inner;
  return (exchange) => {
    const { req, res, gone } = exchange;
    // A burst of several callers has no place in the trace of one.
    const expectation = currentTraceparent() === null ? machinery.callers.expect(exchange) : null;
    exchange.expectation = expectation;
    const caller = expectation?.caller ?? null;
    const input = caller === null ? null : inputOrNull(prepared, exchange.path, req);
    if (expectation === null || input === null) return inner(exchange);
    const { credential } = expectation;
    const given = { caller, credential, ...input, body: undefined, idempotency: null, gone };
    const call = makeCall(machinery, given, req, res);
    exchange.early = { input, read: expectation.read((tx) => handle(route, call, tx)) };
    return inner(exchange);
  };
};

/** Stands where the call is known: answers with what was read, if the caller is the one that it was read for. */
export const answerEarly: Wrapper = (inner, { route }) => {
  if (route.readsOne !== true) return inner;
  return async (exchange) => {
    const { caller, early, expectation, gone } = exchange;
    if (caller === null || 'linkId' in caller || early === null || expectation?.isOf(caller) !== true)
      return inner(exchange);
    try {
      const answer = await early.read;
      return answer === null ? null : await serialiseAnswer(answer, new Slices(gone));
    } catch (error) {
      if (error instanceof AppError || error instanceof ShareError) throw error;
      // It shared the fate of what stood before it in the burst; if the fault was its own, it meets it again.
      return inner(exchange);
    }
  };
};

/** Returns null if something is wrong with the input: the caller is found out first, and only a caller who is let in is told. */
function inputOrNull(
  prepared: Prepared,
  path: Record<string, string>,
  req: Parameters<typeof inputOf>[2],
): Input | null {
  try {
    return inputOf(prepared, path, req);
  } catch {
    return null;
  }
}
