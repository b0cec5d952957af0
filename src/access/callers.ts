/** Finds out for the pipeline who is calling: by a key, a session, a CSV link or the operator's token. */
import type { Request } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Tx } from '../db/transaction.ts';
import type { Asking, Callers, Expectation } from '../http/callers.ts';
import type { Access } from '../http/route.ts';
import type { Shown } from './authenticate.sql.ts';
import { authenticateCaller, authenticateOperator, credentialOf, type FindKeyRow } from './authenticate.ts';
import { lookupsOf } from './caller-lookups.ts';
import { authenticateCsvLink, csvLinkToken } from './csv-link-caller.ts';
import { hashKey } from './key-text.ts';
import { openKeyUses } from './note-key-use.ts';
import { personTokenOf } from './person-cookie.ts';
import { CallerReads, isAsExpected } from './read-as-caller.ts';
import { cookieCounts, tokenOf } from './session-cookie.ts';

interface CallerResources {
  db: Db;
  log: Logger;
  config: Pick<Config, 'SESSION_HOURS'>;
  operatorToken: string;
}

export interface OpenCallers extends Callers {
  /** Writes what is still held back. */
  close(): Promise<void>;
}

export function openCallers({ db, log, config, operatorToken }: CallerResources): OpenCallers {
  const keyUses = openKeyUses(db, log);
  const reads = new CallerReads(db);
  const shownBy = (access: Access, req: Request) =>
    access === 'csvLink' ? csvLinkToken(String(req.params.token)) : credentialOf(req.headers);
  return {
    shownBy,
    lineOf: (access, req) => shownBy(access, req) ?? tokenOf(req) ?? personTokenOf(req) ?? '',
    operatorOf: (req, refused) => authenticateOperator(operatorToken, req.headers, refused),
    find: async (access, { req, slug, expectation }, refused) => {
      if (access === 'csvLink') return authenticateCsvLink(db, shownBy(access, req) ?? '', slug, refused);
      if (access === 'operator' || access === 'public') throw new Error(`nobody calls as ${access}`);
      const { method, headers, host, secure } = req;
      const beside = expectation instanceof ExpectedCaller ? expectation : null;
      const find: FindKeyRow | undefined =
        beside === null ? undefined : (hash, wanted) => beside.find(hash, wanted);
      const credentials = { method, headers, host, secure, sessionHours: config.SESSION_HOURS, find };
      try {
        const caller = await authenticateCaller(db, credentials, slug, access, refused);
        if (beside !== null) reads.note(beside.hash, caller);
        return caller;
      } catch (error) {
        if (beside !== null) reads.forget(beside.hash, slug);
        throw error;
      }
    },
    expect: ({ req, slug }: Asking) => {
      const key = credentialOf(req.headers);
      if (key !== null) return new ExpectedCaller(db, reads, { shown: 'apiKey', text: key }, slug);
      const token = personTokenOf(req);
      const { method, headers, host, secure } = req;
      // The session of a key goes before that of a person.
      if (token === null || tokenOf(req) !== null || !cookieCounts({ method, headers, host, secure }))
        return null;
      return new ExpectedCaller(db, reads, { shown: 'member', text: token }, slug);
    },
    noteUse: ({ workspace, actor }) => {
      if (actor.type === 'apiKey') keyUses.note(workspace.id, actor.id);
    },
    close: () => keyUses.close(),
  };
}

/** The caller that a key or the session of a person had the last time; what is read for it goes out with the look-up. */
class ExpectedCaller implements Expectation {
  readonly caller: Expectation['caller'];
  readonly credential: string;
  readonly hash: Buffer;
  readonly #db: Db;
  readonly #reads: CallerReads;
  readonly #shown: Shown;
  #row: ReturnType<FindKeyRow> | null = null;

  constructor(db: Db, reads: CallerReads, { shown, text }: { shown: Shown; text: string }, slug: string) {
    this.#db = db;
    this.#reads = reads;
    this.#shown = shown;
    this.credential = text;
    this.hash = hashKey(text);
    this.caller = reads.expect(this.hash, slug);
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.caller === null) throw new Error('nobody is expected');
    const reading = this.#reads.read(this.caller, this.hash, work);
    this.#row = reading.row;
    return reading.value;
  }

  find(hash: Buffer, slug: string): ReturnType<FindKeyRow> {
    const alone = () => lookupsOf(this.#db, this.#shown).find(hash, slug);
    return this.#row === null ? alone() : this.#row.catch(alone);
  }

  isOf(caller: Parameters<Expectation['isOf']>[0]): boolean {
    return this.caller !== null && this.#row !== null && isAsExpected(this.caller, caller);
  }
}
