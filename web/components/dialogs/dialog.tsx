/** A question over the page. A click outside loses nothing; Enter submits; Escape and Cancel leave. */
import { Button, Modal } from '@mantine/core';
import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useReducer,
  useRef,
} from 'react';
import { Unanswered } from '../../client/unanswered.ts';
import { notify } from '../notices.tsx';
import { ProblemPanel } from '../problem-panel.tsx';
import styles from './dialog.module.css';
import { focusAtOnce, useReturnFocus } from './use-return-focus.ts';

export interface DialogProps {
  title: string;
  onClose: () => void;
  onSubmit: () => void;
  submit: string;
  /** The label of the button that leaves without submitting; null where there is nothing to cancel. */
  leave?: string | null;
  /** Why it cannot be submitted yet: it stands beside the button, which neither keyboard nor finger can point at. */
  notYet?: string | null;
  busy?: boolean;
  error?: unknown;
  /** The act cannot be undone. */
  grave?: boolean;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const {
    title,
    onClose,
    onSubmit,
    submit,
    leave = 'Cancel',
    notYet = null,
    busy = false,
    error,
    grave = false,
    children,
  } = props;
  useReturnFocus();
  const reason = useId();
  const [, lookAgain] = useReducer((count: number) => count + 1, 0);
  const sent = useRef({ submit, isTouched: false });
  // The page behind is read anew meanwhile, and what is proposed with it: as long as nobody touches it, pressed again is the same.
  const again = error instanceof Unanswered && !sent.current.isTouched ? error.again : null;
  const reasonNot = again === null ? notYet : null;
  const touch = () => {
    if (sent.current.isTouched) return;
    sent.current.isTouched = true;
    lookAgain();
  };
  const touchByClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('button, [role=option]') !== null) touch();
  };
  // Enter alone begins a new line in a comment.
  const submitByKeys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.closest('form')?.requestSubmit();
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    // A form inside a dialog inside a form: the event bubbles through the portal.
    event.stopPropagation();
    if (busy || reasonNot !== null) return;
    if (again !== null) return again();
    sent.current = { submit, isTouched: false };
    onSubmit();
  };
  const close = () => {
    if (busy) notify('The request was already sent and may still be carried out.');
    onClose();
  };
  return (
    <Modal opened onClose={close} title={title} closeOnClickOutside={false} size={props.size ?? 'md'}>
      <form ref={beginWithin} data-grave={grave || undefined} onSubmit={send} className={styles.form}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here, it is heard that something within was touched */}
        <div
          className={styles.fields}
          onChange={touch}
          onPaste={touch}
          onClick={touchByClick}
          onKeyDown={submitByKeys}
        >
          {children}
        </div>
        {error !== undefined && error !== null && <ProblemPanel error={error} />}
        <div className={styles.buttons}>
          <p id={reason} className={styles.notYet} role="status">
            {reasonNot}
          </p>
          {leave !== null && (
            <Button variant="default" onClick={close}>
              {leave}
            </Button>
          )}
          <Button
            type="submit"
            loading={busy}
            color={grave ? 'bad' : undefined}
            disabled={reasonNot !== null}
            aria-describedby={reason}
          >
            {again === null ? submit : sent.current.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/**
 * Where nothing in it asks for it, the keyboard begins at the first field, else at the act, or beside it where that cannot be undone:
 * the button that comes first closes, and Enter would leave.
 */
function beginWithin(form: HTMLFormElement | null): void {
  if (form === null) return;
  const asking = form.querySelector('[data-autofocus]');
  const act = form.dataset.grave === undefined ? 'button[type="submit"]:enabled' : null;
  const places = ['input:enabled, select:enabled, textarea:enabled', act, `.${styles.buttons} button`];
  const first = asking ?? places.map((place) => place && form.querySelector(place)).find(Boolean);
  if (!(first instanceof HTMLElement)) return;
  first.dataset.autofocus = '';
  focusAtOnce(first);
}
