/**
 * Callers as the pipeline knows them. Who they are is found out by what implements `Callers` (src/access/callers.ts): the
 * pipeline itself knows no capability.
 */
import type { Request } from 'express';
import type { Actor, Workspace } from '../actor.ts';
import type { Area } from '../areas.ts';
import type { Tx } from '../db/transaction.ts';
import type { Access } from './route.ts';

/** Tells why a caller was turned away: for the log, never for the answer. */
export type Refusal =
  | 'missing'
  /** The cookie of a session, in a request that a page of another site caused. */
  | 'cross-site'
  | 'malformed'
  | 'mistyped'
  | 'unknown'
  | 'expired'
  | 'revoked'
  | 'weak'
  | 'foreign'
  /** The workspace is not worked on here, or not now. */
  | 'resting';

export interface Caller {
  actor: Actor;
  areas: readonly Area[];
  workspace: Workspace;
  /** The key or the session's token as it was presented: seals what is kept for replays (see idempotency/idempotency-key.ts). */
  credential: string;
  /** Whether the credential is a session's token. */
  isSession: boolean;
}

/** A link may read its table and no more: it is the actor of nothing that is kept. */
export interface LinkCaller {
  linkId: string;
  workspace: Workspace;
  /** The secret as it was shown. */
  credential: string;
}

/** The caller that a key had the last time, for reads that go out together with its look-up. */
export interface Expectation {
  /** Is null where nobody is expected. */
  readonly caller: Omit<Caller, 'credential'> | null;
  readonly credential: string;
  /** Reads beside the look-up of the caller, which `find` then waits for. Needs an expected caller. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Whether what was read may be handed to that caller. */
  isOf(caller: Caller): boolean;
}

/** The request of a caller, and the workspace that its path names. */
export interface Asking {
  req: Request;
  slug: string;
  expectation?: Expectation | null;
}

export interface Callers {
  /** The secret whose guesses are counted: the key of a header, or the secret of a link's path; null without one. */
  shownBy(access: Access, req: Request): string | null;
  /** Returns the key or the token of a session, which says in which line the call stands. It is empty without one. */
  lineOf(access: Access, req: Request): string;
  /** Lets the operator in, and nobody else. Returns the token as presented. */
  operatorOf(req: Request, refused: (why: Refusal) => void): string;
  /** The caller of a route of a workspace. Throws `unauthorized`, `forbidden`, `csv_link_not_found` and what a resting workspace says. */
  find(access: Access, asking: Asking, refused: (why: Refusal) => void): Promise<Caller | LinkCaller>;
  /** Returns null if the request shows no key in a header. */
  expect(asking: Asking): Expectation | null;
  /** A key was accepted. */
  noteUse(caller: Caller): void;
}
