/**
 * A form over something that others may save too. Before a save the thing is read again. If somebody else has changed a field of the
 * form, nothing is sent: the form says what changed and keeps what was typed. Otherwise the change names the tag that was just read
 * (If-Match). When only something else of the thing changes in between (412), the form reads and sends again by itself.
 */
import { useEffect, useRef, useState } from 'react';
import { type Answer, callWithTag, type Input, type OperationName, Refusal } from '../../client/request.ts';
import { type ActionOptions, useAction } from '../use-action.ts';
import { isSame, keyOf, type MeanwhileChange, merged } from './meanwhile-changes.ts';

/** The number of times that a change is sent when others keep changing what the form does not show. */
const ATTEMPTS_MAX = 5;

export type ReadFields<Fields> = () => Promise<{ fields: Fields; tag: string | null }>;

/** Reads by an operation; null for a new thing, which has no input. */
export function readBy<Read extends OperationName, Fields>(
  operation: Read,
  input: Input<Read> | null,
  fieldsOf: (answer: Answer<Read>) => Fields,
): ReadFields<Fields> | null {
  if (input === null) return null;
  return async () => {
    const { answer, tag } = await callWithTag(operation, input);
    return { fields: fieldsOf(answer), tag };
  };
}

export interface SavedFormOptions<Change extends OperationName, Fields extends object>
  extends Omit<ActionOptions<Change>, 'headers'> {
  /** The fields as the page shows them. A newer value replaces the form as long as nothing was typed. */
  shown: Fields;
  /** Reads the fields with the tag of the thing; null for a new thing. */
  read: ReadFields<Fields> | null;
  /** Names the differences between two versions, for people. */
  tell: (from: Fields, to: Fields) => MeanwhileChange[];
  /** Called when somebody else was first, to read again what the page shows. */
  onTheirs?: () => unknown;
  /** The fields of the answer, for a form that stays open after it was saved. */
  savedFields?: (answer: Answer<Change>) => Fields;
}

export interface SavedForm<Change extends OperationName, Fields extends object> {
  form: Fields;
  set: (patch: Partial<Fields>) => void;
  /** The version that the typing began from. */
  begun: Fields;
  isTyped: boolean;
  /** Sends the change. While changes of somebody else are shown, it saves over exactly these. */
  save: (input: Input<Change>) => void;
  isPending: boolean;
  error: Error | null;
  /** What somebody else has changed since the typing began; null when nothing is known. */
  meanwhile: MeanwhileChange[] | null;
  /** The version that somebody else has saved. */
  theirs: Fields | null;
  /** Goes on from their version with what was typed over it. */
  keepMine: () => void;
  takeTheirs: () => void;
  /** Begins from another version and keeps what was typed. */
  restart: (from: Fields) => void;
}

export function useSavedForm<Change extends OperationName, Fields extends object>(
  change: Change,
  { shown, read, tell, onTheirs, savedFields, ...options }: SavedFormOptions<Change, Fields>,
): SavedForm<Change, Fields> {
  const [form, setForm] = useState(shown);
  const [begun, setBegun] = useState(shown);
  const [theirs, setTheirs] = useState<Fields | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const tag = useRef<string | null>(null);
  const sent = useRef(form);
  const action = useAction(change, {
    ...options,
    headers: (): Record<string, string> => (tag.current === null ? {} : { 'If-Match': tag.current }),
    onDone: (answer, client) => {
      if (savedFields !== undefined) {
        const [saved, from] = [savedFields(answer), sent.current];
        setForm((typed) => merged(typed, from, saved));
        setBegun(saved);
        setTheirs(null);
      }
      options.onDone?.(answer, client);
    },
  });
  const restart = (from: Fields) => {
    setForm((typed) => merged(typed, begun, from));
    setBegun(from);
    setTheirs(null);
    setFailure(null);
    action.reset();
  };
  const isTyped = !isSame(form, begun);
  const isPending = isReading || action.isPending;
  const follow = useRef(restart);
  follow.current = (now) => {
    if (isSame(now, begun)) return;
    if (isTyped && !isSame(form, now)) setTheirs(now);
    else restart(now);
  };
  const latest = useRef(shown);
  latest.current = shown;
  const key = keyOf(shown);
  const known = useRef(key);
  useEffect(() => {
    // The own save comes back as the newest version: what is shown is compared when its answer is there.
    if (isPending || known.current === key) return;
    known.current = key;
    follow.current(latest.current);
  }, [key, isPending]);
  const send = async (input: Input<Change>, from: Fields, attempt: number): Promise<void> => {
    if (read === null) return;
    setFailure(null);
    setIsReading(true);
    try {
      const now = await read();
      if (!isSame(now.fields, from)) {
        action.reset();
        setTheirs(now.fields);
        onTheirs?.();
        return;
      }
      tag.current = now.tag;
      sent.current = form;
    } catch (error) {
      setFailure(error as Error);
      return;
    } finally {
      setIsReading(false);
    }
    action.mutate(input, {
      onError: (error) => {
        if (!isStale(error)) return;
        if (attempt < ATTEMPTS_MAX) void send(input, from, attempt + 1);
        else setFailure(error);
      },
    });
  };
  return {
    form,
    set: (patch) => setForm((before) => ({ ...before, ...patch })),
    begun,
    isTyped,
    save: (input) => void send(input, theirs ?? begun, 1),
    isPending,
    error: failure ?? (isPending || isStale(action.error) ? null : action.error),
    meanwhile: theirs === null ? null : tell(begun, theirs),
    theirs,
    keepMine: () => restart(theirs ?? begun),
    takeTheirs: () => {
      const now = theirs ?? begun;
      restart(now);
      setForm(now);
    },
    restart,
  };
}

function isStale(error: unknown): boolean {
  return error instanceof Refusal && error.status === 412;
}
