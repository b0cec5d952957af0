/**
 * A structure that opens level by level: what is open, what was read of it page by page, and the exact quantity that
 * one of the root takes at each row. Never more of it than was asked for.
 */
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { inReadingOrder } from '../../clients/typescript/reading-order.ts';
import { page } from '../client/ask.ts';
import type { Use } from '../client/operations.ts';
import { fromMillionths, multiplyExactly, toMillionths } from '../components/exact-quantity.ts';

/** As many as the service gives at once: a level is put in the order in which it is read where all of it has come. */
const PAGE_USES = 1000;
/** Rows that "open all" stops at. */
export const OPEN_ALL_ROWS_MAX = 2000;

export interface LevelRow {
  /** The place in the tree: ids from below the root, joined by slashes. */
  path: string;
  level: number;
  use: Use;
  extended: number;
  isOpen: boolean | undefined;
}

interface Level {
  items: readonly Use[];
  nextCursor: string | null;
  state: 'reading' | 'read' | 'failed';
  error?: unknown;
  /** Shown; a closed level keeps what was read. */
  open: boolean;
}

type Levels = Readonly<Record<string, Level>>;
type Act =
  | { type: 'reading'; path: string }
  | { type: 'read'; path: string; items: readonly Use[]; nextCursor: string | null }
  | { type: 'failed'; path: string; error: unknown }
  | { type: 'shown'; path: string; open: boolean }
  | { type: 'reset' };

function reduce(levels: Levels, act: Act): Levels {
  if (act.type === 'reset') return {};
  const before = levels[act.path] ?? { items: [], nextCursor: null, state: 'reading', open: true };
  // A level that goes on stays in the order of its pages: nothing may move under the eyes of who scrolls.
  const isWhole = act.type === 'read' && before.items.length === 0 && act.nextCursor === null;
  switch (act.type) {
    case 'reading':
      return { ...levels, [act.path]: { ...before, state: 'reading', open: true } };
    case 'read':
      return {
        ...levels,
        [act.path]: {
          items: isWhole ? inReadingOrder(act.items) : [...before.items, ...act.items],
          nextCursor: act.nextCursor,
          state: 'read',
          open: before.open,
        },
      };
    case 'failed':
      return { ...levels, [act.path]: { ...before, state: 'failed', error: act.error } };
    case 'shown':
      return { ...levels, [act.path]: { ...before, open: act.open } };
  }
}

export function useOpenLevels(rootId: string) {
  const [levels, dispatch] = useReducer(reduce, {});
  const abort = useRef<AbortController>(null);

  const read = useCallback(
    async (path: string, cursor: string | undefined) => {
      const id = path === '' ? rootId : (path.split('/').at(-1) as string);
      const signal = abort.current?.signal;
      dispatch({ type: 'reading', path });
      try {
        const { items, nextCursor } = await page('listUses', { id }, { limit: PAGE_USES, cursor }, signal);
        if (signal?.aborted !== true) dispatch({ type: 'read', path, items, nextCursor });
        return items;
      } catch (error) {
        if (signal?.aborted !== true) dispatch({ type: 'failed', path, error });
        return [];
      }
    },
    [rootId],
  );
  const restart = useCallback(() => {
    abort.current?.abort();
    abort.current = new AbortController();
    dispatch({ type: 'reset' });
    void read('', undefined);
  }, [read]);
  useEffect(() => {
    restart();
    return () => abort.current?.abort();
  }, [restart]);

  const rows = rowsOf(levels);
  const toggle = (row: LevelRow) => {
    const level = levels[row.path];
    if (level === undefined) void read(row.path, undefined);
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
      const items = known?.items ?? (await read(row.path, undefined));
      if (abort.current?.signal.aborted === true) return;
      count += items.length;
      queue.push(...items.filter(mayOpen).map((use) => childOf(row, use)));
    }
  };
  const closeAll = () => {
    for (const path of Object.keys(levels)) if (path !== '') dispatch({ type: 'shown', path, open: false });
  };
  const states = Object.values(levels);
  return {
    rows,
    toggle,
    readOn,
    openAll,
    closeAll,
    restart,
    isReading: states.some(({ state }) => state === 'reading'),
    goesOn: states.some(({ nextCursor }) => nextCursor !== null),
    error: states.find(({ state }) => state === 'failed')?.error,
  };
}

/** Whether there may be something below it: where the service does not say, opening it will. */
function mayOpen(use: Use & { hasChildren?: boolean }): boolean {
  return use.hasChildren ?? true;
}

function childOf(parent: LevelRow, use: Use): LevelRow {
  return { path: `${parent.path}/${use.entityId}`, level: parent.level + 1, use, extended: 0, isOpen: false };
}

function rowsOf(levels: Levels): LevelRow[] {
  const rows: LevelRow[] = [];
  const add = (path: string, level: number, factor: bigint) => {
    for (const use of levels[path]?.items ?? []) {
      const here = path === '' ? use.entityId : `${path}/${use.entityId}`;
      const extended = multiplyExactly(factor, toMillionths(use.quantity));
      const below = levels[here];
      const isOpen = mayOpen(use) ? below?.open === true : undefined;
      rows.push({ path: here, level, use, extended: fromMillionths(extended), isOpen });
      if (isOpen === true) add(here, level + 1, extended);
    }
  };
  add('', 0, 1_000_000n);
  return rows;
}
