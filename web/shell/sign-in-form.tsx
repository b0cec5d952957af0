/** Asks a person for a passkey or a password, or for an API key. A key is sent once, in exchange for a cookie that no script can read, and stored nowhere. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Session } from '../client/operations.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { PersonSignIn } from './person-sign-in.tsx';
import styles from './sign-in.module.css';
import { signIn } from './signing-in.ts';

export interface SignInFormProps {
  onSignedIn: (session: Session) => void;
  /** The workspace that the key must belong to; any when absent. */
  slug?: string;
  /** Whether the field gets the focus. */
  takesFocus?: boolean;
}

export function SignInForm({ onSignedIn, slug, takesFocus = true }: SignInFormProps) {
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() === '') return setError(new Error('Enter an API key: pbk_ and 46 characters.'));
    setBusy(true);
    setError(null);
    try {
      const session = await signIn({ key: key.trim() });
      if (slug !== undefined && session.workspace.slug !== slug) {
        throw new Error(`This key belongs to the workspace ${session.workspace.name}, not to ${slug}.`);
      }
      onSignedIn(session);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.form}>
      <PersonSignIn slug={slug} onSignedIn={onSignedIn} />
      <form onSubmit={(event) => void submit(event)} className={styles.form}>
        <TextInput
          label="API key"
          description="Administrators create keys under Settings, API keys."
          type="password"
          name="key"
          autoComplete="current-password"
          spellCheck={false}
          data-autofocus={takesFocus ? '' : undefined}
          autoFocus={takesFocus}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {error !== null && <ProblemPanel error={error} />}
        <Button type="submit" loading={busy}>
          Sign in
        </Button>
      </form>
    </div>
  );
}
