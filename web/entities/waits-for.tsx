/** What an entity waits to be used in: assemblies that a sync has named by their GUIDs, and that are not there. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Entity, PendingLink } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Icon } from '../components/icons.tsx';
import { EmptyState } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Quantity } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './entities.module.css';
import { TakeBackDialog } from './take-back-dialog.tsx';

/** The rest of them stands in the list of all. */
const SHOWN_MAX = 5;

function usePendingLinks({ id }: Entity) {
  return useQuery({
    ...ask('listPendingLinks', { query: { child: id, limit: SHOWN_MAX + 1 } }),
    // Its parent may have come since this tab was shown last.
    staleTime: 0,
  });
}

/** Of what waits for an assembly nobody is told that it stands at the top. */
export function UsedByNothing({ entity }: { entity: Entity }) {
  const waits = (usePendingLinks(entity).data?.items ?? []).length > 0;
  return (
    <EmptyState title={waits ? 'Nothing uses it yet' : 'Nothing uses it'}>
      {waits
        ? 'It is built in when the assembly comes that it waits for.'
        : 'It is a top-level assembly, or a part that no assembly uses.'}
    </EmptyState>
  );
}

/** Nothing where it waits for nothing, as nearly every entity does. */
export function WaitsFor({ entity }: { entity: Entity }) {
  const [takenBack, setTakenBack] = useState<PendingLink | null>(null);
  const found = usePendingLinks(entity);
  const links = found.data?.items ?? [];
  return (
    <>
      {found.isError && found.data === undefined && (
        <div className={styles.padded}>
          <ProblemPanel error={found.error} onRetry={() => void found.refetch()} />
        </div>
      )}
      {links.length > 0 && (
        <section className={styles.waits} aria-label="Pending links">
          <Links links={links.slice(0, SHOWN_MAX)} onTakeBack={setTakenBack} />
          {links.length > SHOWN_MAX && (
            <Link href={paths.pendingLinks({ child: entity.id })}>Show all that it waits for</Link>
          )}
        </section>
      )}
      {takenBack !== null && <TakeBackDialog link={takenBack} onClose={() => setTakenBack(null)} />}
    </>
  );
}

function Links({
  links,
  onTakeBack,
}: {
  links: readonly PendingLink[];
  onTakeBack: (link: PendingLink) => void;
}) {
  const mayEdit = useMay('engineering');
  return (
    <ul>
      {links.map((link) => (
        <li key={link.parentGuid}>
          <span>
            <Icon name="warning" size={14} /> Waits for an assembly with the GUID{' '}
            <span className="mono">{link.parentGuid}</span>, quantity <Quantity value={link.quantity} />
            {link.unit !== null && ` ${link.unit}`}
          </span>
          {mayEdit && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Take back the link to ${link.parentGuid}`}
              onClick={() => onTakeBack(link)}
            >
              Take back
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
