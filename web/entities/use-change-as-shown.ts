/**
 * A change of what is as it was shown, and of nothing else: it is read again before it is sent, with the tag that the change names as
 * If-Match. What somebody else has changed of the fields that the form has is told and not written over; what the form does not have, such
 * as a movement of a line, is no conflict, though it changes the tag.
 */
import { useRef, useState } from 'react';
import { type Answer, callWithTag, type Input, type OperationName, Refusal } from '../client/request.ts';
import { type ActionOptions, useAction } from '../components/use-action.ts';
import type { MeanwhileChange } from './changed-meanwhile.tsx';
import { changesOf } from './meanwhile-changes.ts';

/** Somebody may change what is not shown again and again, but hardly more often than this in a moment. */
const TRIES_MAX = 5;

export interface ShownFields<Read extends OperationName, Fields extends object> {
  operation: Read;
  /** Null for what is new: it is not read. */
  input: Input<Read> | null;
  fields: Fields;
  fieldsOf: (now: Answer<Read>) => Fields;
  labels: Record<keyof Fields, string>;
}

export interface ChangeAsShown<Change extends OperationName, Fields> {
  send: (input: Input<Change>) => Promise<void>;
  isPending: boolean;
  error: Error | null;
  /** What the typing began from. */
  begun: Fields;
  /** What somebody else has changed since; null: nothing that is known. */
  meanwhile: MeanwhileChange[] | null;
  /** Goes on from what somebody else has saved, and says what that is. */
  takeOver: () => Fields;
}

export function useChangeAsShown<
  Read extends OperationName,
  Change extends OperationName,
  Fields extends object,
>(
  change: Change,
  shown: ShownFields<Read, Fields>,
  options: Omit<ActionOptions<Change>, 'headers'>,
): ChangeAsShown<Change, Fields> {
  const [begun, setBegun] = useState(shown.fields);
  const [other, setOther] = useState<Fields | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [unread, setUnread] = useState<Error | null>(null);
  const tag = useRef<string | null>(null);
  const action = useAction(change, {
    ...options,
    headers: (): Record<string, string> => (tag.current === null ? {} : { 'If-Match': tag.current }),
  });
  /** Whether it is as it was shown; what it is now is told otherwise. */
  const isAsShown = async (input: Input<Read>): Promise<boolean> => {
    setUnread(null);
    setIsReading(true);
    try {
      const now = await callWithTag(shown.operation, input);
      const fields = shown.fieldsOf(now.answer);
      tag.current = now.tag;
      if (changesOf(begun, fields, shown.labels).length === 0) return true;
      action.reset();
      setOther(fields);
    } catch (error) {
      setUnread(error as Error);
    } finally {
      setIsReading(false);
    }
    return false;
  };
  const send = async (input: Input<Change>, tries = 1): Promise<void> => {
    if (shown.input === null || !(await isAsShown(shown.input))) return;
    action.mutate(input, {
      onError: (error) => {
        if (isStale(error) && tries < TRIES_MAX) void send(input, tries + 1);
      },
    });
  };
  return {
    send: (input) => send(input),
    isPending: isReading || action.isPending,
    error: unread ?? (isReading ? null : action.error),
    begun,
    meanwhile: other === null ? null : changesOf(begun, other, shown.labels),
    takeOver: () => {
      const now = other ?? begun;
      setBegun(now);
      setOther(null);
      return now;
    },
  };
}

function isStale(error: unknown): boolean {
  return error instanceof Refusal && error.status === 412;
}
