/** Tests of scripts, one at a time for each workspace: nobody's looping script keeps the others' waiting. */
import { AppError } from '../errors.ts';

export interface Places {
  /** Does the work when it is the key's turn. Throws `scripts_busy` where too many wait already. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function openPlaces(waitingMax: number): Places {
  const lines = new Map<string, { length: number; last: Promise<unknown> }>();
  return {
    take: async (key, work) => {
      const line = lines.get(key) ?? { length: 0, last: Promise.resolve() };
      if (line.length > waitingMax) {
        throw new AppError('scripts_busy', {
          detail: `${line.length} scripts of this workspace are being tested already. Wait for one of them to end.`,
          headers: { 'Retry-After': '1' },
        });
      }
      lines.set(key, line);
      line.length += 1;
      const turn = line.last.then(work);
      line.last = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        line.length -= 1;
        if (line.length === 0) lines.delete(key);
      }
    },
  };
}
