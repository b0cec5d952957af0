/** Short words on what was just done, with a way back where there is one; spoken to who cannot see them. */
import { useSyncExternalStore } from 'react';
import { Icon } from './icons.tsx';
import styles from './notices.module.css';

export interface Notice {
  id: number;
  text: string;
  undo?: () => void;
}

const SHOWN_MS = 7000;
const NOTICES_MAX = 3;
let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

export function notify(text: string, undo?: () => void): void {
  const id = ++lastId;
  change([...notices, { id, text, undo }].slice(-NOTICES_MAX));
  setTimeout(() => dismiss(id), undo === undefined ? SHOWN_MS : 2 * SHOWN_MS);
}

function dismiss(id: number): void {
  change(notices.filter((notice) => notice.id !== id));
}

export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <div className={`${styles.notices} no-print`} role="status" aria-live="polite">
      {shown.map(({ id, text, undo }) => (
        <div key={id} className={styles.notice}>
          <span>{text}</span>
          {undo !== undefined && (
            <button
              type="button"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </button>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" size={12} />
          </button>
        </div>
      ))}
    </div>
  );
}
