/** Asks for a password, a passkey or the key again before a session changes who may come in. */
import { Button, Modal, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask } from '../client/ask.ts';
import { choosePasskey } from '../client/passkeys.ts';
import { call } from '../client/request.ts';
import { useSession } from '../client/session.ts';
import { Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './sign-in.module.css';

export function ProofDialog({ onProved, onClose }: { onProved: () => void; onClose: () => void }) {
  const { actor, workspace } = useSession();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const prove = async (show: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await show();
      onProved();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  const showKey = async (key: string) => {
    const opened = await call('signIn', { body: { key: key.trim() } });
    if (opened.workspace.slug !== workspace.slug)
      throw new Error(`This is a key of the workspace ${opened.workspace.name}.`);
  };
  return (
    <Modal opened onClose={onClose} title="Prove that it is you" closeOnClickOutside={false} zIndex={900}>
      <div className={styles.form}>
        <p>This gives access to somebody or something, and your last proof was some time ago.</p>
        {actor.type === 'member' ? (
          <PersonProof busy={busy} prove={prove} />
        ) : (
          <SecretForm
            label="API key"
            autoComplete="off"
            busy={busy}
            onSecret={(key) => void prove(() => showKey(key))}
          />
        )}
        {error !== null && <ProblemPanel error={error} />}
      </div>
    </Modal>
  );
}

function PersonProof({
  busy,
  prove,
}: {
  busy: boolean;
  prove: (show: () => Promise<unknown>) => Promise<void>;
}) {
  const me = useQuery(ask('getMe', {}));
  const ways = useQuery(ask('listSignInWays', {}));
  if (me.data === undefined || ways.data === undefined) {
    const failed = me.error ?? ways.error;
    return failed === null ? <Waiting /> : <ProblemPanel error={failed} />;
  }
  const { passkeys, userName, identities } = me.data;
  const byPasskey = passkeys.length > 0 && ways.data.passkey;
  const { provider } = ways.data;
  const here = `${window.location.pathname}${window.location.search}`;
  return (
    <>
      {byPasskey && (
        <Button
          loading={busy}
          onClick={() =>
            void prove(async () => call('proveMe', { body: { passkey: await choosePasskey() } }))
          }
        >
          Use a passkey
        </Button>
      )}
      {userName !== null && (
        <SecretForm
          label="Password"
          autoComplete="current-password"
          busy={busy}
          onSecret={(password) => void prove(() => call('proveMe', { body: { password } }))}
        />
      )}
      {provider !== null && identities.length > 0 && (
        <>
          <Button component="a" href={paths.provider(here)} variant="default">
            Sign in with {provider.name} again
          </Button>
          <p className="muted">This leaves the page: an open form is lost.</p>
        </>
      )}
      {!byPasskey && userName === null && (provider === null || identities.length === 0) && (
        <p>Your passkeys do not work at this address. Open the service at the address they were made for.</p>
      )}
    </>
  );
}

function SecretForm({
  label,
  autoComplete,
  busy,
  onSecret,
}: {
  label: string;
  autoComplete: string;
  busy: boolean;
  onSecret: (secret: string) => void;
}) {
  const [secret, setSecret] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    // The dialog stands in the page of another form.
    event.stopPropagation();
    if (secret !== '') onSecret(secret);
  };
  return (
    <form className={styles.form} onSubmit={send}>
      <PasswordInput
        label={label}
        autoComplete={autoComplete}
        data-autofocus=""
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      <Button type="submit" loading={busy} disabled={secret === ''}>
        Continue
      </Button>
    </form>
  );
}
