/** The way in: an API key, or a workspace that this browser is signed in to already. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWindowTitle } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';
import { Mark } from './mark.tsx';
import { knownWorkspaces, signIn } from './sessions.ts';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  useWindowTitle('Sign in');
  const address = useAddress();
  const [code] = useState(address.get('code'));
  const known = knownWorkspaces();
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <h1 className={styles.title}>
          <Mark /> Partbook
        </h1>
        {code !== undefined && <CodeSignIn code={code} />}
        <SignInForm onSignedIn={({ workspace }) => window.location.assign(paths.workspace(workspace.slug))} />
        {known.length > 0 && (
          <nav aria-label="Workspaces you have been in" className={styles.known}>
            <h2>Signed in before</h2>
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
        )}
        <p className={styles.foot}>
          Operators find their console at <a href="/admin">/admin</a>, programmers the interface at{' '}
          <a href="/docs">/docs</a>.
        </p>
      </div>
    </main>
  );
}

/** The address that a service with its own servers prints: its code is good once. */
function CodeSignIn({ code }: { code: string }) {
  const entry = useQuery({
    queryKey: ['sign in by code'],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      // The code leaves the address first: history and a reload must not show it again.
      window.history.replaceState(null, '', '/');
      const session = await signIn({ code });
      window.location.assign(paths.workspace(session.workspace.slug));
      return session;
    },
  });
  if (entry.isError) return <ProblemPanel error={entry.error} />;
  return <p role="status">Signing in…</p>;
}
