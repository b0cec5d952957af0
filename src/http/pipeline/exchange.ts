/** A request on its way through the pipeline, and the form that each step of the pipeline has. */
import type { Request, Response } from 'express';
import type { AnyTx } from '../../db/transaction.ts';
import type { Answer } from '../answer.ts';
import type { Caller, Callers, Expectation, LinkCaller } from '../callers.ts';
import type { Admissions } from '../guards/admissions.ts';
import type { LimitRate } from '../guards/limit-rate.ts';
import { goneOf } from '../requests/caller-gone.ts';
import type { Call, CsvLinkCall, WorkspaceCall } from '../route.ts';
import type { Input, Prepared } from './prepare.ts';

/** Objects that the mounted routes share while they serve. */
export interface Machinery {
  ctx: Call['ctx'];
  callers: Callers;
  limitRate: LimitRate;
  admissions: Admissions;
  /** Aborted when the service begins to stop: balancers are to look elsewhere. */
  draining: AbortSignal;
  /** Aborted when it takes nothing new: waits and streams end. */
  closing: AbortSignal;
}

export type AnyCall = Call & Partial<WorkspaceCall> & Partial<CsvLinkCall>;

export class Exchange {
  readonly req: Request;
  readonly res: Response;
  readonly slug: string;
  /** The parameters of the path, without the slug. */
  readonly path: Record<string, string>;
  /** Aborted when the caller has gone, or may not make the call any more. */
  readonly left: AbortController;
  /** Set by `takeTurn`: tells whose the call is, once that is known. */
  know: (workspaceId: string) => void = () => {};
  /** Set by `expectCaller`. */
  expectation: Expectation | null = null;
  early: { input: Input; read: Promise<Answer | null> } | null = null;
  /** Set by `authorise`; null for a route of no workspace. */
  caller: Caller | LinkCaller | null = null;
  /** Credential that the caller sent: its key, the operator's token, or nothing. */
  credential = '';
  /** Set by `readCall`. */
  call: AnyCall | null = null;
  /** Set by what opens the transaction. */
  tx: AnyTx | null = null;

  constructor(req: Request, res: Response) {
    const { slug = '', ...path } = req.params as Record<string, string>;
    this.req = req;
    this.res = res;
    this.slug = slug;
    this.path = path;
    this.left = goneOf(req, res);
  }

  get gone(): AbortSignal {
    return this.left.signal;
  }
}

/** Answers; null where the response has been written already. */
export type Serve = (exchange: Exchange) => Promise<Answer | null>;

/**
 * A step of the pipeline. It is made once for each route, and returns what stands inside it as it is where it has nothing to
 * do for that route.
 */
export type Wrapper = (inner: Serve, prepared: Prepared, machinery: Machinery) => Serve;
