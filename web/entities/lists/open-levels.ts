/**
 * A structure that opens level by level: what is open, what was read of it, and the exact quantity that one of the root
 * takes at each row. Never more of it than was asked for.
 */
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { page } from '../../client/ask.ts';
import type { Use } from '../../client/operations.ts';
import { fromMillionths, multiplyExactly, toMillionths } from '../../components/forms/exact-quantity.ts';
import type { Configuration } from '../configuration-select.tsx';
import type { ReadUses } from '../uses/use-dialog.tsx';
import { linesOf, type UseLine, type UseOrder, usesInOrder } from '../uses/use-order.ts';

const PAGE_USES = 1000;
/**
 * Children of one level that are read before any is shown, so that all of them stand in their order. Of a larger level those
 * that were made first do, and the others follow as they were made: nothing may move under the eyes of who scrolls.
 */
export const ORDERED_USES_MAX = 20_000;
/** Rows that "open all" stops at. */
export const OPEN_ALL_ROWS_MAX = 2000;

export interface LevelRow {
  /** The place in the tree: places of entities (`placeOf`) from below the root, joined by slashes; further lines of a child have their find numbers behind. */
  path: string;
  level: number;
  use: UseLine;
  extended: number;
  isOpen: boolean | undefined;
}

interface Level {
  /** Put in order together. */
  items: readonly Use[];
  /** Behind them, page by page. */
  further: readonly Use[];
  nextCursor: string | null;
  state: 'reading' | 'read' | 'failed';
  /** How many have come of what is being read. */
  count: number;
  error?: unknown;
  /** Shown; a closed level keeps what was read. */
  open: boolean;
}

type Levels = Readonly<Record<string, Level>>;
type Act =
  | { type: 'reading'; path: string; count: number }
  | { type: 'read'; path: string; items: readonly Use[]; nextCursor: string | null; isFurther: boolean }
  | { type: 'failed'; path: string; error: unknown }
  | { type: 'shown'; path: string; open: boolean }
  | { type: 'reset' };

const unread: Level = { items: [], further: [], nextCursor: null, state: 'reading', count: 0, open: true };

function reduce(levels: Levels, act: Act): Levels {
  if (act.type === 'reset') return {};
  const before = levels[act.path] ?? unread;
  const become = (level: Partial<Level>) => ({ ...levels, [act.path]: { ...before, ...level } });
  switch (act.type) {
    case 'reading':
      return become({ state: 'reading', count: act.count });
    case 'read': {
      const read = act.isFurther
        ? { further: [...before.further, ...act.items] }
        : { items: act.items, further: [] };
      return become({ ...read, nextCursor: act.nextCursor, state: 'read', count: 0, error: undefined });
    }
    case 'failed':
      return become({ state: 'failed', error: act.error });
    case 'shown':
      return become({ open: act.open });
  }
}

export function useOpenLevels(rootId: string, order: UseOrder, configuration: Configuration = 'current') {
  const [levels, dispatch] = useReducer(reduce, {});
  const abort = useRef<AbortController>(null);

  /** A level from its beginning, or the page of it at the cursor. Null where it could not be read. */
  const read = useCallback(
    async (path: string, from?: string): Promise<readonly Use[] | null> => {
      const [id = rootId, revision] = path === '' ? [] : (path.split('/').at(-1) as string).split('@');
      const signal = abort.current?.signal;
      const items: Use[] = [];
      let cursor: string | null = from ?? null;
      try {
        do {
          dispatch({ type: 'reading', path, count: items.length });
          const range = { limit: PAGE_USES, cursor: cursor ?? undefined };
          const query = { configuration };
          const next =
            revision === undefined
              ? await page('listUses', { id, query }, range, signal)
              : await page('listRevisionUses', { id, n: Number(revision), query }, range, signal);
          if (signal?.aborted === true) return null;
          items.push(...next.items);
          cursor = next.nextCursor;
        } while (from === undefined && cursor !== null && items.length < ORDERED_USES_MAX);
        dispatch({ type: 'read', path, items, nextCursor: cursor, isFurther: from !== undefined });
        return items;
      } catch (error) {
        if (signal?.aborted !== true) dispatch({ type: 'failed', path, error });
        return null;
      }
    },
    [rootId, configuration],
  );
  const restart = useCallback(() => {
    abort.current?.abort();
    abort.current = new AbortController();
    dispatch({ type: 'reset' });
    void read('');
  }, [read]);
  useEffect(() => {
    restart();
    return () => abort.current?.abort();
  }, [restart]);
  /** The first level again, which alone is edited here: what is open below it stays open. */
  const refresh = useCallback(async (): Promise<ReadUses | null> => {
    const uses = await read('');
    return uses === null ? null : { uses, isWhole: uses.length < ORDERED_USES_MAX };
  }, [read]);

  const rows = useMemo(() => rowsOf(levels, order), [levels, order]);
  const toggle = (row: LevelRow) => {
    const level = levels[row.path];
    if (level === undefined) void read(row.path);
    else dispatch({ type: 'shown', path: row.path, open: !level.open });
  };
  /** Reads on where a level goes on below what is shown. */
  const readOn = () => {
    const path = Object.keys(levels).find(
      (one) => levels[one]?.nextCursor != null && levels[one]?.state === 'read',
    );
    const cursor = path === undefined ? null : levels[path]?.nextCursor;
    if (path !== undefined && cursor != null) void read(path, cursor);
  };
  const openAll = async () => {
    const queue = rows.filter(({ isOpen }) => isOpen === false);
    let count = rows.length;
    for (let at = 0; at < queue.length && count < OPEN_ALL_ROWS_MAX; at++) {
      const row = queue[at] as LevelRow;
      const known = levels[row.path];
      if (known !== undefined) dispatch({ type: 'shown', path: row.path, open: true });
      const items = known?.items ?? (await read(row.path)) ?? [];
      if (abort.current?.signal.aborted === true) return;
      count += items.length;
      queue.push(
        ...linesOf(items)
          .filter(mayOpen)
          .map((use) => childOf(row, use)),
      );
    }
  };
  const closeAll = () => {
    for (const path of Object.keys(levels)) if (path !== '') dispatch({ type: 'shown', path, open: false });
  };
  const top = levels[''];
  const items = top?.items ?? unread.items;
  const further = top?.further ?? unread.further;
  const nextCursor = top?.nextCursor ?? null;
  const first = useMemo(
    (): ReadUses | null =>
      items === unread.items ? null : { uses: [...items, ...further], isWhole: nextCursor === null },
    [items, further, nextCursor],
  );
  const states = Object.values(levels);
  return {
    rows,
    toggle,
    readOn,
    openAll,
    closeAll,
    restart,
    refresh,
    /** Null until it has been read: whoever adds a part has to know whether it is there already. */
    first,
    isReading: states.some(({ state }) => state === 'reading'),
    /** Children that have come of levels which are not shown yet. */
    readSoFar: states.reduce((sum, { count }) => sum + count, 0),
    /** Whether some level is too large to be put in order as a whole. */
    isCut: states.some(({ nextCursor, further }) => nextCursor !== null || further.length > 0),
    error: states.find(({ state }) => state === 'failed')?.error,
  };
}

/** Whether there may be something below it: where the service does not say, opening it will. */
function mayOpen(use: UseLine & { hasChildren?: boolean }): boolean {
  return use.total !== null && (use.hasChildren ?? true);
}

function childOf(parent: LevelRow, use: UseLine): LevelRow {
  return { path: `${parent.path}/${placeOf(use)}`, level: parent.level + 1, use, extended: 0, isOpen: false };
}

/** The id of an entity, with the number of its revision unless that is the current one. */
function placeOf({ entityId, revisionNumber }: Use): string {
  return revisionNumber === undefined ? entityId : `${entityId}@${revisionNumber}`;
}

function rowsOf(levels: Levels, order: UseOrder): LevelRow[] {
  const rows: LevelRow[] = [];
  const add = (path: string, level: number, factor: bigint) => {
    const own = levels[path] ?? unread;
    for (const use of [...usesInOrder(own.items, order), ...linesOf(own.further)]) {
      const child = path === '' ? placeOf(use) : `${path}/${placeOf(use)}`;
      const here = use.total === null ? `${child} ${use.line}` : child;
      const extended = multiplyExactly(factor, toMillionths(use.quantity));
      const below = levels[here];
      const isOpen = mayOpen(use) ? below?.open === true : undefined;
      rows.push({ path: here, level, use, extended: fromMillionths(extended), isOpen });
      if (isOpen === true)
        add(here, level + 1, multiplyExactly(factor, toMillionths(use.total ?? use.quantity)));
    }
  };
  add('', 0, 1_000_000n);
  return rows;
}
