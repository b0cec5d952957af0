/**
 * Reads that are one look at one thing are made in the burst that looks their caller up (`CallerReads`). Everything else
 * stays as it is: who is not let in is refused in the same order and for the same reasons, and gets nothing of what was read.
 */
import type { Request, Response } from 'express';
import { type Caller, credentialOf, type FindKeyRow } from '../../access/authenticate.ts';
import { lookupsOf } from '../../access/caller-lookups.ts';
import { hashKey } from '../../access/key-text.ts';
import { isAsExpected, type ReadAsCaller } from '../../access/read-as-caller.ts';
import { AppError } from '../../errors.ts';
import { ShareError } from '../../fairness/fair-share.ts';
import { Slices } from '../../fairness/slices.ts';
import { currentTraceparent } from '../../telemetry/tracing.ts';
import type { Answer } from '../answer.ts';
import { serialiseAnswer } from '../answers/serialise-answer.ts';
import type { Machinery } from '../guards/machinery.ts';
import { inputOf, makeCall, type Prepared } from './make-call.ts';

export interface EarlyRead {
  /** What is asked for, where it has been looked at and nothing is wrong with it. */
  input: ReturnType<typeof inputOf> | null;
  /** Looks the caller up, and reads beside it. Absent where nobody is expected. */
  find?: FindKeyRow;
  /** What was read, for the caller that it was read for; what `plain` answers for any other, and where it failed. */
  answer(caller: Caller, plain: () => Promise<Answer | null>): Promise<Answer | null>;
  /** The caller was not let in. */
  forget(): void;
}

/** Null where the route is no such read, or the caller shows no key. */
export function readEarly(
  machinery: Machinery,
  prepared: Prepared,
  { slug, path, gone }: { slug: string; path: Record<string, string>; gone: AbortSignal },
  req: Request,
  res: Response,
): EarlyRead | null {
  const { ctx, callerReads } = machinery;
  const { route } = prepared;
  const key = route.readsOne === true ? credentialOf(req.headers) : null;
  // A burst of several callers has no place in the trace of one.
  if (key === null || currentTraceparent() !== null) return null;
  const hash = hashKey(key);
  const expected = callerReads.expect(hash, slug);
  const input = expected === null ? null : inputOrNull(prepared, path, req);
  let reading: ReadAsCaller<Answer | null> | null = null;
  return {
    input,
    ...(expected === null || input === null
      ? {}
      : {
          find: () => {
            const given = {
              caller: expected,
              credential: key,
              ...input,
              body: undefined,
              idempotency: null,
              gone,
            };
            const call = makeCall(machinery, given, req, res);
            reading = callerReads.read(expected, hash, async (tx) => route.handle(call, tx));
            return reading.row.catch(() => lookupsOf(ctx.db).find(hash, slug));
          },
        }),
    answer: async (caller, plain) => {
      callerReads.note(hash, caller);
      if (reading === null || expected === null || !isAsExpected(expected, caller)) return plain();
      try {
        const answer = await reading.value;
        return answer === null ? null : await serialiseAnswer(answer, new Slices(gone));
      } catch (error) {
        if (error instanceof AppError || error instanceof ShareError) throw error;
        // It shared the fate of what stood before it in the burst; if it was its own, it meets it again.
        return plain();
      }
    },
    forget: () => callerReads.forget(hash, slug),
  };
}

/** Null where something is wrong with it: who calls is asked first, and only whoever is let in is told. */
function inputOrNull(prepared: Prepared, path: Record<string, string>, req: Request) {
  try {
    return inputOf(prepared, path, req);
  } catch {
    return null;
  }
}
