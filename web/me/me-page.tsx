/** Me: how a person signs in, where it is signed in, and the keys of its own. */
import { useQuery } from '@tanstack/react-query';
import { nameOfAreas } from '../client/areas.ts';
import { ask } from '../client/ask.ts';
import type { Me } from '../client/operations.ts';
import { useMay, useSession } from '../client/session.ts';
import { EmptyState, Facts, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './me.module.css';
import { MyKeys } from './my-keys.tsx';
import { MySessions } from './my-sessions.tsx';
import { WaysIn } from './ways-in.tsx';

export function MePage() {
  const { actor } = useSession();
  return (
    <PageFrame title="Me">
      {actor.type === 'member' ? <PersonSheets /> : <NoPerson name={actor.name} />}
    </PageFrame>
  );
}

function PersonSheets() {
  const query = useQuery(ask('getMe', {}));
  if (query.data === undefined) return query.isError ? <ProblemPanel error={query.error} /> : <Waiting />;
  const me = query.data;
  return (
    <div className={styles.sheets}>
      <About me={me} />
      <WaysIn me={me} />
      <MySessions me={me} />
      <MyKeys />
    </div>
  );
}

function About({ me }: { me: Me }) {
  const { actor, areas, workspace } = useSession();
  const others = me.workspaces.filter(({ slug }) => slug !== workspace.slug);
  return (
    <Sheet title="You">
      <Facts
        facts={[
          ['Name in ledger and history', actor.name],
          [`You may do in ${workspace.name}`, nameOfAreas(areas)],
          ...others.map(
            ({ slug, name, areas: held }) =>
              [
                'Member of',
                <>
                  <a href={paths.workspace(slug)}>{name}</a>: {nameOfAreas(held)}
                </>,
              ] as const,
          ),
        ]}
      />
      <p className={`muted ${styles.note}`}>An administrator changes your name and what you may do.</p>
    </Sheet>
  );
}

function NoPerson({ name }: { name: string }) {
  const mayInvite = useMay('admin');
  return (
    <EmptyState
      title={`You are signed in with the key ${name}`}
      action={mayInvite && <Link href={paths.settings('people')}>Make yourself a member</Link>}
    >
      Passkeys, a password, sessions and keys of your own belong to a person.
      {!mayInvite && ' Ask an administrator for an invitation.'}
    </EmptyState>
  );
}
