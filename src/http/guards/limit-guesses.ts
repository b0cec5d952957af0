/**
 * Keys, tokens and CSV links that open nothing, limited by the address that they come from. Whoever shows a valid one is let in
 * whatever others at its address do: many callers stand behind one proxy. So a wrong one is answered 429 in place of
 * 401 or 404 from the limit on, and what an address over the limit shows is looked up one at a time.
 */
import { AppError } from '../../errors.ts';
import { nameShown } from '../../fairness/name-shown.ts';
import type { Attempts } from './limit-attempts.ts';

export interface GuessLimit {
  /**
   * Looks a credential up, and counts it where `look` throws `unauthorized` or `csv_link_not_found`: throws `rate_limited` in its place once
   * there were too many from that address.
   */
  check<T>(from: string, credential: string, look: () => Promise<T>): Promise<T>;
}

/** Credentials that were valid lately: they wait for nobody. */
const PROVEN_MAX = 10_000;
/** Addresses over the limit that are remembered, and look-ups that wait at one of them. */
const ADDRESSES_MAX = 10_000;
const WAITING_MAX = 200;
/** Maximum time to wait for Redis before a caller is refused. */
const COUNT_MS_MAX = 250;

interface Line {
  overUntil: number;
  length: number;
  last: Promise<unknown>;
}

export function openGuessLimit(failures: Attempts): GuessLimit {
  const proven = new Set<string>();
  const lines = new Map<string, Line>();

  const prove = (name: string) => {
    // The last one shown stands last: the first is the one that was not seen for longest.
    proven.delete(name);
    proven.add(name);
    if (proven.size > PROVEN_MAX) proven.delete(proven.values().next().value as string);
  };

  const markOver = (from: string, seconds: number) => {
    const overUntil = performance.now() + seconds * 1000;
    const line = lines.get(from) ?? { overUntil, length: 0, last: Promise.resolve() };
    line.overUntil = overUntil;
    lines.delete(from);
    lines.set(from, line);
    if (lines.size > ADDRESSES_MAX) lines.delete(lines.keys().next().value as string);
  };

  async function inLine<T>(line: Line, look: () => Promise<T>): Promise<T> {
    if (line.length >= WAITING_MAX) throw tooMany(1);
    line.length += 1;
    const turn = line.last.then(look);
    line.last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      line.length -= 1;
    }
  }

  return {
    check: async (from, credential, look) => {
      const name = nameShown(credential);
      const line = lines.get(from);
      const isOver = line !== undefined && line.overUntil > performance.now();
      if (line !== undefined && !isOver && line.length === 0) lines.delete(from);
      try {
        const found = await (isOver && !proven.has(name) ? inLine(line, look) : look());
        prove(name);
        return found;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // A key that is too weak, or of another workspace, is a key.
        if (error.code === 'forbidden' || error.code === 'area_missing') prove(name);
        if (error.code !== 'unauthorized' && error.code !== 'csv_link_not_found') throw error;
        proven.delete(name);
        // What is counted already is not counted again: until there is room, nobody else need be asked.
        const left = line === undefined ? 0 : line.overUntil - performance.now();
        if (left > 0) throw tooMany(Math.ceil(left / 1000));
        const seconds = await soon(failures.begin(from));
        if (seconds === null) throw error;
        markOver(from, seconds);
        throw tooMany(seconds);
      }
    },
  };
}

function tooMany(seconds: number): AppError {
  return new AppError('rate_limited', {
    detail: 'Too many keys or links that open nothing came from this address. A valid one is let in.',
    headers: { 'Retry-After': String(seconds) },
  });
}

async function soon(counted: Promise<number | null>): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, COUNT_MS_MAX, null);
  });
  try {
    return await Promise.race([counted, late]);
  } finally {
    clearTimeout(timer);
  }
}
