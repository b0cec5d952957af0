/** Shows a secret once, to be copied. */
import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import styles from './secret-once.module.css';

export function SecretOnce({ label, secret }: { label: string; secret: string }) {
  const [copied, setCopied] = useState(false);
  const text = useRef<HTMLElement>(null);
  const copy = async () => {
    setCopied(await copyText(secret, text.current));
  };
  return (
    <div>
      <p>{label} Copy it now: it will not be shown again.</p>
      <div className={styles.secret}>
        <code ref={text}>{secret}</code>
        <Button size="xs" variant="default" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}

/** Whether it is in the clipboard. Browsers have that only on secure origins, and a plant's server may have none: elsewhere it is marked and taken. */
async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    if (shown === null) return false;
    window.getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  } catch {
    return false;
  }
}
