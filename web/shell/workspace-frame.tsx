/** The frame of a workspace: sign-in, top bar, navigation and the page. */
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { Session } from '../client/operations.ts';
import { onProofNeeded, onSessionEnd } from '../client/request.ts';
import { SessionContext } from '../client/session.ts';
import { currentSlug } from '../client/workspace.ts';
import { useWide } from '../components/lists/use-media.ts';
import { Notices, notify } from '../components/notices.tsx';
import { Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAddress } from '../navigation/address.ts';
import { useBeside } from '../navigation/beside.ts';
import { useGo } from '../navigation/link.tsx';
import { useNeighbours } from '../navigation/neighbours.ts';
import { paths } from '../navigation/paths.ts';
import { useAskBeforeLeaving } from '../navigation/unsaved.ts';
import { CommandPalette } from './command-palette.tsx';
import { BottomBar, Rail } from './rail.tsx';
import { findSession } from './sessions.ts';
import { useShortcuts } from './shortcuts.ts';
import { TopBar } from './top-bar.tsx';
import { useLive } from './use-live.ts';
import styles from './workspace-frame.module.css';

const loadHelp = () => import('./help-dialog.tsx');
const SignInForm = lazy(async () => ({ default: (await import('./sign-in-form.tsx')).SignInForm }));
const Beside = lazy(async () => ({ default: (await import('./beside-list.tsx')).Beside }));
const ProofDialog = lazy(async () => ({ default: (await import('./proof-dialog.tsx')).ProofDialog }));
const HelpDialog = lazy(async () => ({ default: (await loadHelp()).HelpDialog }));

export function WorkspaceFrame() {
  const found = useQuery({
    queryKey: ['session', currentSlug()],
    queryFn: findSession,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [signedIn, setSignedIn] = useState<Session | null>(null);
  const session = signedIn ?? found.data ?? null;
  if (session !== null) {
    return (
      <SessionContext value={session}>
        <Frame onSignedIn={setSignedIn} />
      </SessionContext>
    );
  }
  return (
    <main className={styles.gate}>
      {found.isPending ? (
        <Waiting />
      ) : found.isError ? (
        <ProblemPanel error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <div className={styles.gateSheet}>
          <h1>Sign in to {currentSlug()}</h1>
          <Suspense fallback={<Waiting />}>
            <SignInForm slug={currentSlug()} onSignedIn={setSignedIn} />
          </Suspense>
          <a href={paths.signIn()}>Another workspace</a>
        </div>
      )}
    </main>
  );
}

function Frame({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useAddress();
  useLive();
  useAskBeforeLeaving();
  const go = useGo();
  const beside = useBeside();
  const wide = useWide();
  const { href: besideHref, enlarge } = beside;
  const isBeside = wide && besideHref !== null;
  const neighbours = useNeighbours(besideHref?.split('?')[0] ?? pathname);
  // A link that was made on a wide screen, or a window that became narrow.
  useEffect(() => {
    if (besideHref !== null && !wide) enlarge();
  });
  const onPalette = useCallback(() => setPalette((open) => !open), []);
  // Loaded before it is shown: a help that does not come must not take the page with it.
  const onHelp = useCallback(() => {
    loadHelp().then(
      () => setHelp(true),
      () => notify('Help could not be loaded: the service cannot be reached.'),
    );
  }, []);
  const onStep = useCallback(
    (to: 'before' | 'behind') => {
      const href = neighbours?.[to];
      if (href == null) return;
      if (isBeside) beside.open(href);
      else go(href);
    },
    [neighbours, go, isBeside, beside],
  );
  const onLeave = useCallback(() => isBeside && beside.close(), [isBeside, beside]);
  useShortcuts({ onPalette, onHelp, onStep, onLeave });
  // Another page begins at its top, and keeps the focus when the element that had it is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is what the effect is for
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <div className={styles.frame}>
      <a className={`${styles.skip} no-print`} href="#page">
        Skip to content
      </a>
      <TopBar onPalette={() => setPalette(true)} onHelp={onHelp} />
      <Rail />
      <div className={isBeside ? `${styles.stage} ${styles.shared}` : styles.stage}>
        <main id="page" ref={main} className={styles.main} tabIndex={-1}>
          <Suspense
            fallback={
              <div className={styles.waiting}>
                <Waiting />
              </div>
            }
          >
            <Outlet />
          </Suspense>
        </main>
        {isBeside && (
          <Suspense fallback={<Waiting />}>
            <Beside place={beside} href={besideHref} />
          </Suspense>
        )}
      </div>
      <BottomBar />
      <Notices />
      {palette && <CommandPalette onClose={() => setPalette(false)} />}
      {help && (
        <Suspense>
          <HelpDialog onClose={() => setHelp(false)} />
        </Suspense>
      )}
      <SignInAgain onSignedIn={onSignedIn} />
      <ProveAgain />
    </div>
  );
}

/** Lets calls wait for an answer of the user, and opens the question for the first of them. */
function useAsked<Answer>(register: (ask: (() => Promise<Answer>) | null) => void) {
  const [open, setOpen] = useState(false);
  const waiting = useRef<((answer: Answer) => void)[]>([]);
  useEffect(() => {
    register(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve);
          setOpen(true);
        }),
    );
    return () => register(null);
  }, [register]);
  const answer = (given: Answer) => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(given);
  };
  return [open, answer] as const;
}

/** Asks to sign in again when the session has ended. Calls that noticed wait and continue afterwards. */
function SignInAgain({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const [open, answer] = useAsked<void>(onSessionEnd);
  if (!open) return null;
  const goOn = (session: Session) => {
    onSignedIn(session);
    answer();
  };
  return (
    <Modal
      opened
      onClose={() => window.location.assign(paths.signIn())}
      title="Your session has ended"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={1000}
    >
      <p>Sign in to continue. Nothing on this page is lost.</p>
      <Suspense fallback={<Waiting />}>
        <SignInForm slug={currentSlug()} onSignedIn={goOn} />
      </Suspense>
    </Modal>
  );
}

/** Asks for a proof of who is at the browser. Calls that were refused without one wait and are sent again. */
function ProveAgain() {
  const [open, answer] = useAsked<boolean>(onProofNeeded);
  if (!open) return null;
  return (
    <Suspense>
      <ProofDialog onProved={() => answer(true)} onClose={() => answer(false)} />
    </Suspense>
  );
}
