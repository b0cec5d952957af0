/** A secret that is shown this once, to be copied. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import styles from './settings.module.css';

export function SecretOnce({ label, secret }: { label: string; secret: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(secret);
    setCopied(true);
  };
  return (
    <div>
      <p>{label} It is shown this once.</p>
      <div className={styles.secret}>
        <code>{secret}</code>
        <Button size="xs" variant="default" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
