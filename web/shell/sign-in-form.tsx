/** Asks for an API key. It is sent once, for a cookie that no script can read, and kept nowhere. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Session } from '../client/operations.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { signIn } from './sessions.ts';
import styles from './sign-in.module.css';

export interface SignInFormProps {
  onSignedIn: (session: Session) => void;
  /** The workspace that the key must be of; absent: any. */
  slug?: string;
  /** The keyboard begins here, as where there is nothing else to do. */
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
        throw new Error(`That key is of the workspace ${session.workspace.name}, not of ${slug}.`);
      }
      onSignedIn(session);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className={styles.form}>
      <TextInput
        label="API key"
        description="An administrator creates keys under Settings, API keys: one for each person."
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
  );
}
