/** Acts on chosen rows, or on all that the filter finds. It shows the number first, and refusals and warnings at the end. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { type ItemOf, type ListName, page } from '../../client/ask.ts';
import type { Input } from '../../client/request.ts';
import { isUnanswered } from '../../client/unanswered.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { notify } from '../notices.tsx';
import { refresh } from '../refresh.ts';
import { countText } from '../words.tsx';
import styles from './bulk-bar.module.css';
import type { Selection } from './use-selection.ts';

export type BulkAction<Row> = RowByRow<Row> | Together<Row>;

/** All of them in one act, which asks for itself what it must know. */
interface Together<Row> {
  label: string;
  begin: (rows: readonly Row[]) => void;
  /** Acts on all that the filter finds without reading them first. */
  beginAll?: () => void;
}

interface RowByRow<Row> {
  label: string;
  /** What it will do, for the question: "Release {n} parts". */
  explain: (count: number) => string;
  grave?: boolean;
  /** Acts on one row, and may return warnings. A refusal is noted, and the next row follows. */
  run: (row: Row, signal: AbortSignal) => Promise<readonly string[]>;
}

export interface BulkBarProps<Name extends ListName> {
  name: Name;
  input: Input<Name>;
  noun: readonly [string, string];
  actions: readonly BulkAction<ItemOf<Name>>[];
  rows: readonly ItemOf<Name>[];
  rowKey: (row: ItemOf<Name>) => string;
  selection: Selection;
  /** The list goes on below what is loaded. */
  more: boolean;
}

/** What one bulk action may touch; beyond that an import or an automation is the tool. */
const BULK_ROWS_MAX = 10_000;
const MESSAGES_SHOWN_MAX = 20;

export function BulkBar<Name extends ListName>(props: BulkBarProps<Name>) {
  type Row = ItemOf<Name>;
  const { selection, noun, rows, rowKey } = props;
  const client = useQueryClient();
  const [pending, setPending] = useState<{
    action: RowByRow<Row>;
    rows: readonly Row[];
    cut: boolean;
  } | null>(null);
  const [done, setDone] = useState<number | null>(null);
  const [refusals, setRefusals] = useState<string[]>([]);
  const [warnings, setWarnings] = useState<string[]>([]);
  const [gathering, setGathering] = useState(false);
  const stop = useRef<AbortController | null>(null);

  const begin = (action: BulkAction<Row>, chosen: readonly Row[], cut: boolean) => {
    if ('begin' in action) action.begin(chosen);
    else setPending({ action, rows: chosen, cut });
  };
  const choose = (action: BulkAction<Row>) =>
    begin(
      action,
      rows.filter((row) => selection.isSelected(rowKey(row))),
      false,
    );
  const chooseAll = async (action: BulkAction<Row>) => {
    if ('beginAll' in action && action.beginAll !== undefined) return action.beginAll();
    setGathering(true);
    const found: Row[] = [];
    let cursor: string | undefined;
    do {
      const next = await page(props.name, props.input, { limit: 1000, cursor });
      found.push(...next.items);
      cursor = next.nextCursor ?? undefined;
    } while (cursor !== undefined && found.length < BULK_ROWS_MAX);
    setGathering(false);
    begin(action, found, cursor !== undefined);
  };
  const leave = () => {
    stop.current?.abort();
    setPending(null);
    setDone(null);
    setRefusals([]);
    setWarnings([]);
  };
  const run = async () => {
    if (pending === null) return;
    const abort = new AbortController();
    stop.current = abort;
    const refused: string[] = [];
    const warned: string[] = [];
    for (const [at, row] of pending.rows.entries()) {
      if (abort.signal.aborted) break;
      setDone(at);
      try {
        warned.push(...(await pending.action.run(row, abort.signal)));
        setWarnings([...warned]);
      } catch (error) {
        refused.push(refusalText(error));
        setRefusals([...refused]);
      }
    }
    await refresh(client, [props.name]);
    if (abort.signal.aborted) return;
    const succeeded = pending.rows.length - refused.length;
    if (refused.length === 0 && warned.length === 0) {
      notify(`${pending.action.label}: ${countText(succeeded, ...noun)}.`);
      selection.clear();
      leave();
    } else {
      setDone(pending.rows.length);
    }
  };
  return (
    <SelectionBar count={selection.count} noun={noun} onClear={selection.clear}>
      {props.actions.map((action) => (
        <Button key={action.label} size="xs" variant="default" onClick={() => choose(action)}>
          {action.label}
        </Button>
      ))}
      {selection.all &&
        props.more &&
        props.actions.map((action) => (
          <Button
            key={action.label}
            size="xs"
            variant="default"
            loading={gathering}
            onClick={() => void chooseAll(action)}
          >
            {action.label}: all results of this filter
          </Button>
        ))}
      {pending !== null && (
        <Dialog
          title={pending.action.label}
          submit={done === null ? pending.action.label : 'Done'}
          onClose={leave}
          onSubmit={() => (done === pending.rows.length ? leave() : void run())}
          busy={done !== null && done < pending.rows.length}
          grave={pending.action.grave}
        >
          <p>{pending.action.explain(pending.rows.length)}</p>
          {pending.cut && (
            <p>The filter finds more than {countText(BULK_ROWS_MAX, 'row')}: these are the first of them.</p>
          )}
          {done !== null && (
            <>
              <progress
                className={styles.progress}
                value={done}
                max={pending.rows.length}
                aria-label="Progress"
              />
              <p role="status">
                {countText(done, ...noun)} of {pending.rows.length}
                {refusals.length > 0 && `, ${refusals.length} rejected or unanswered`}
                {warnings.length > 0 && `, ${countText(warnings.length, 'warning')}`}
              </p>
            </>
          )}
          <Messages of={refusals} />
          <Messages of={warnings} />
        </Dialog>
      )}
    </SelectionBar>
  );
}

/** Lists messages, equal ones together. */
function Messages({ of: messages }: { of: readonly string[] }) {
  if (messages.length === 0) return null;
  return (
    <ul className={styles.refusals}>
      {[...Map.groupBy(messages, (text) => text)].slice(0, MESSAGES_SHOWN_MAX).map(([text, same]) => (
        <li key={text}>
          {same.length > 1 && `${same.length} × `}
          {text}
        </li>
      ))}
    </ul>
  );
}

export interface SelectionBarProps {
  count: number;
  noun: readonly [string, string];
  onClear: () => void;
  /** The buttons of what can be done with the chosen rows. */
  children: ReactNode;
}

/** Says how many rows are chosen, with what can be done with them. */
export function SelectionBar({ count, noun, onClear, children }: SelectionBarProps) {
  return (
    <div className={`${styles.bar} no-print`}>
      <strong>{countText(count, ...noun)} selected</strong>
      {children}
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}

function refusalText(error: unknown): string {
  if (isUnanswered(error)) return 'No answer came: it may have been done. Check before you try again.';
  return error instanceof Error ? error.message : String(error);
}
