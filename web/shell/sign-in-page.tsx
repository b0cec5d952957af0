/** The way in: on to the workspace that this browser is signed in to, a choice where it is to several, or an API key. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useWindowTitle, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';
import { Mark } from './mark.tsx';
import { type KnownWorkspace, knownWorkspaces } from './sessions.ts';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { findSessions, signIn } from './signing-in.ts';

export function SignInPage() {
  const address = useAddress();
  const [code] = useState(address.get('code'));
  // A link that was used before opens the workspace that this browser is signed in to.
  const [isSpent, setIsSpent] = useState(false);
  const asksSessions = code === undefined || isSpent;
  const refused = address.get('refused');
  const wantsAnother = address.get('sign-in') !== undefined;
  const known = knownWorkspaces();
  const sessions = useQuery({
    queryKey: ['sessions of this browser'],
    queryFn: findSessions,
    enabled: asksSessions && known.length > 0,
    // Asking counts as a use of each session, and what cannot be asked now has the form beside it.
    refetchOnWindowFocus: false,
    retry: false,
  });
  const signedIn = sessions.data ?? [];
  const others = known.filter(({ slug }) => !signedIn.some((one) => one.slug === slug));
  const [only] = signedIn.length === 1 ? signedIn : [];
  const goesTo = wantsAnother ? undefined : only?.slug;
  useEffect(() => {
    // In its place: going back must not lead here and on again.
    if (goesTo !== undefined) window.location.replace(paths.workspace(goesTo));
  }, [goesTo]);
  // Who is led on does not see the form before; whoever asked for it waits for nothing.
  const isDecided = (wantsAnother || !sessions.isLoading) && goesTo === undefined;
  const showsCode = code !== undefined && (!isSpent || isDecided);
  const isChoice = isDecided && signedIn.length > 0;
  useWindowTitle(isChoice ? 'Workspaces' : 'Sign in');
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <h1 className={styles.title}>
          <Mark /> Partbook
        </h1>
        {refused !== undefined && (
          <p role="alert">{refusalWords[refused] ?? refusalWords.provider_refused}</p>
        )}
        {showsCode && <CodeSignIn code={code} onFailed={() => setIsSpent(true)} />}
        {sessions.isError && <ProblemPanel error={sessions.error} onRetry={() => void sessions.refetch()} />}
        {isDecided ? (
          <>
            {isChoice && <Workspaces heading="You are signed in to" known={signedIn} />}
            {isChoice && <h2 className={styles.heading}>Sign in to another</h2>}
            <SignInForm
              takesFocus={!isChoice || wantsAnother}
              onSignedIn={({ workspace }) => window.location.assign(paths.workspace(workspace.slug))}
            />
            <Workspaces heading="Signed in before" known={others} />
          </>
        ) : (
          <Waiting lines={3} />
        )}
        <p className={styles.foot}>
          <a href="/admin">Operator console</a> · <a href="/docs">API reference</a>
        </p>
      </div>
    </main>
  );
}

/** Why a sign-in by the identity provider led back here, by the code of the error. */
const refusalWords: Readonly<Record<string, string>> = {
  not_a_member:
    'The identity provider knows you, but no workspace has you as a member. Ask an administrator to invite you, or to give one of your groups a rule.',
  provider_refused: 'The identity provider did not confirm the sign-in. Begin again.',
  provider_unavailable: 'The identity provider does not answer. Try again, or sign in another way.',
  sign_in_expired: 'The sign-in took too long, or was begun in another browser. Begin again.',
  rate_limited: 'Too many attempts to sign in. Try again a little later.',
  proof_needed: 'To connect your account, sign in again first.',
};

function Workspaces({ heading, known }: { heading: string; known: readonly KnownWorkspace[] }) {
  const id = useId();
  if (known.length === 0) return null;
  return (
    <nav aria-labelledby={id} className={styles.known}>
      <h2 id={id} className={styles.heading}>
        {heading}
      </h2>
      <ul>
        {known.map(({ slug, name }) => (
          <li key={slug}>
            <a href={paths.workspace(slug)}>
              {name} <span className="muted">{slug}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Signs in by the code in the address that a service with its own servers prints. The code works once. */
function CodeSignIn({ code, onFailed }: { code: string; onFailed: () => void }) {
  const entry = useQuery({
    queryKey: ['sign in by code'],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      // The code leaves the address first: history and a reload must not show it again.
      window.history.replaceState(null, '', '/');
      try {
        const session = await signIn({ code });
        window.location.assign(paths.workspace(session.workspace.slug));
        return session;
      } catch (error) {
        onFailed();
        throw error;
      }
    },
  });
  if (!entry.isError) return <p role="status">Signing in…</p>;
  return (
    <>
      <ProblemPanel error={entry.error} />
      <p>
        The service keeps the API key of the demo workspace in the file <code>demo-key</code> of its data
        folder: <code>.data/demo-key</code>, unless DATA_DIR names another folder. Sign in with it below.
      </p>
    </>
  );
}
