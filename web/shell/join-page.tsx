/** The page behind an invitation or a sign-in link. Opening it spends nothing; the link is spent when a passkey or a password is made. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { LinkDescription } from '../client/operations.ts';
import { makePasskey } from '../client/passkeys.ts';
import { call, type Input } from '../client/request.ts';
import { useWindowTitle, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { paths } from '../navigation/paths.ts';
import { Mark } from './mark.tsx';
import styles from './sign-in.module.css';
import { enterAsPerson } from './signing-in.ts';

export function JoinPage() {
  const link = useLink();
  useWindowTitle('Join');
  const described = useQuery({
    queryKey: ['link', link],
    queryFn: () => call('readLink', { body: { link } }),
    enabled: link !== '',
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <h1 className={styles.title}>
          <Mark /> Partbook
        </h1>
        {link === '' ? (
          <p>
            Open the link that you were given again. If you did, the address is incomplete: copy the whole
            link.
          </p>
        ) : described.isError ? (
          <ProblemPanel error={described.error} />
        ) : described.data === undefined ? (
          <Waiting lines={3} />
        ) : (
          <Acceptance key={link} link={link} described={described.data} />
        )}
        <p className={styles.foot}>
          <a href={paths.start()}>Sign in</a>
        </p>
      </div>
    </main>
  );
}

const KEPT = 'partbook.link';

/** Goes to the identity provider and comes back here. The tab keeps the link meanwhile, so that no address has it. */
function signInFirst(link: string): void {
  window.sessionStorage.setItem(KEPT, link);
  window.location.assign(paths.provider('/join'));
}

function takeKept(): string {
  const kept = window.sessionStorage.getItem(KEPT) ?? '';
  window.sessionStorage.removeItem(KEPT);
  return kept;
}

/** Reads the secret behind `#`, also of a further link that is opened in this tab, and takes it out of the address and the history. */
function useLink(): string {
  const [link, setLink] = useState(() => window.location.hash.slice(1) || takeKept());
  useEffect(() => {
    const take = () => {
      const secret = window.location.hash.slice(1);
      if (secret === '') return;
      setLink(secret);
      window.history.replaceState(window.history.state, '', window.location.pathname);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return link;
}

function Acceptance({ link, described }: { link: string; described: LinkDescription }) {
  const { kind, workspace, signedInAs } = described;
  const isInvitation = kind === 'invitation';
  const [name, setName] = useState(described.name);
  const [withPassword, setWithPassword] = useState(false);
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const ways = useQuery({ ...ask('listSignInWays', {}), retry: false });
  const accept = async (ask: () => Promise<Omit<Input<'acceptLink'>['body'], 'link'>>) => {
    setBusy(true);
    setError(null);
    try {
      const person = await call('acceptLink', {
        body: { link, ...(isInvitation ? { name: name.trim() } : {}), ...(await ask()) },
      });
      await enterAsPerson(person, workspace.slug);
      window.location.replace(paths.workspace(workspace.slug));
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  const byPasskey = () =>
    accept(async () => ({
      passkey: await makePasskey(await call('beginPasskeyOfLink', { body: { link, name: name.trim() } })),
    }));
  const byPassword = (event: FormEvent) => {
    event.preventDefault();
    void accept(async () => ({ password: { userName: userName.trim(), password } }));
  };
  return (
    <div className={styles.form}>
      <h2>{isInvitation ? `Join ${workspace.name}` : `Sign in to ${workspace.name} again`}</h2>
      {isInvitation ? (
        <TextInput
          label="Your name"
          description="Ledger, history and audit show it."
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      ) : (
        <p>
          {described.name}, make a new passkey or password. It replaces the ones before, and your other
          sessions end.
        </p>
      )}
      {isInvitation && signedInAs !== null && (
        <Button loading={busy} onClick={() => void accept(async () => ({}))}>
          Join as {signedInAs}
        </Button>
      )}
      {isInvitation && signedInAs === null && ways.data?.provider != null && (
        <Button variant="default" onClick={() => signInFirst(link)}>
          Sign in with {ways.data.provider.name} first
        </Button>
      )}
      {ways.data?.passkey === true && (
        <Button
          loading={busy && !withPassword}
          disabled={name.trim() === ''}
          onClick={() => void byPasskey()}
        >
          Make a passkey
        </Button>
      )}
      {ways.data?.passkey === false && <p className="muted">{ways.data.passkeyNote}</p>}
      {withPassword || ways.data?.passkey === false ? (
        <form onSubmit={byPassword} className={styles.form}>
          <TextInput
            label="Sign-in name"
            description="You type it when you sign in."
            autoComplete="username"
            value={userName}
            onChange={(event) => setUserName(event.currentTarget.value)}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters."
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button
            type="submit"
            loading={busy}
            disabled={name.trim() === '' || userName.trim().length < 2 || password.length < 12}
          >
            Use this password
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
