/** Asks a person for a passkey, or for a name and a password. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { PersonSession, Session } from '../client/operations.ts';
import { choosePasskey } from '../client/passkeys.ts';
import { call } from '../client/request.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './sign-in.module.css';
import { enterAsPerson } from './signing-in.ts';

interface PersonSignInProps {
  onSignedIn: (session: Session) => void;
  slug?: string | undefined;
}

export function PersonSignIn({ onSignedIn, slug }: PersonSignInProps) {
  const [withPassword, setWithPassword] = useState(false);
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const ways = useQuery({ ...ask('listSignInWays', {}), retry: false });
  const enter = async (ask: () => Promise<PersonSession>) => {
    setBusy(true);
    setError(null);
    try {
      onSignedIn(await enterAsPerson(await ask(), slug));
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const byPasskey = () => enter(async () => call('signInWithPasskey', { body: await choosePasskey() }));
  const byPassword = (event: FormEvent) => {
    event.preventDefault();
    void enter(() => call('signInWithPassword', { body: { userName: userName.trim(), password } }));
  };
  return (
    <div className={styles.form}>
      {ways.data?.provider != null && (
        <Button component="a" href={paths.provider(slug === undefined ? '/' : paths.workspace(slug))}>
          Sign in with {ways.data.provider.name}
        </Button>
      )}
      {ways.data?.passkey === true && (
        <Button loading={busy && !withPassword} onClick={() => void byPasskey()}>
          Sign in with a passkey
        </Button>
      )}
      {withPassword ? (
        <form onSubmit={byPassword} className={styles.form}>
          <TextInput
            label="Sign-in name"
            autoComplete="username"
            autoFocus
            value={userName}
            onChange={(event) => setUserName(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={busy} disabled={userName.trim() === '' || password === ''}>
            Sign in with the password
          </Button>
        </form>
      ) : (
        <Button variant="default" onClick={() => setWithPassword(true)}>
          Use a password
        </Button>
      )}
      {error !== null && <ProblemPanel error={error} />}
    </div>
  );
}
