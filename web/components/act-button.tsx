/** A button that says beside it why it cannot be pressed yet: what only appears under a pointer, fingers and keyboards never find. */
import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './act-button.module.css';

export interface ActButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** Why not; null: it can be pressed. */
  notYet: string | null;
  onClick?: () => void;
  type?: 'submit';
  children: ReactNode;
}

export function ActButton({ notYet, children, ...button }: ActButtonProps) {
  const reason = useId();
  return (
    <span className={styles.act}>
      <span id={reason} role="status" className={styles.notYet}>
        {notYet}
      </span>
      <Button {...button} disabled={notYet !== null} aria-describedby={reason}>
        {children}
      </Button>
    </span>
  );
}
