/** What went wrong in a batch, grouped: which, why, how often, and how to mend it. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { SyncBatch, SyncProblems } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { countText, quantityText, StatusWord } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { CategoryDialog } from '../settings/category-dialog.tsx';
import { isRunning } from './batch-words.tsx';

type Group = SyncProblems['items'][number];

const POLL_MS = 4000;
/** What the service says in `category_not_found`. */
const missedCategory = /Category "(.+?)" does not exist/;

export function BatchProblems({ batch }: { batch: SyncBatch }) {
  const admin = useMay('admin');
  const [creating, setCreating] = useState<string | null>(null);
  const query = useQuery({
    ...ask('listSyncProblems', { id: batch.batchId }),
    refetchInterval: isRunning(batch) ? POLL_MS : false,
  });
  if (query.isError) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return null;
  const { items, changed } = query.data;
  return (
    <>
      {batch.dryRun && (
        <p>
          It would change fields of {countText(changed.fields, 'entity', 'entities')} and the structure of{' '}
          {countText(changed.structure, 'entity', 'entities')} ({countText(changed.links, 'link')}).
        </p>
      )}
      {items.length > 0 && (
        <Sheet title="What went wrong" flush>
          <table>
            <thead>
              <tr>
                <th className="end">How often</th>
                <th>Kind</th>
                <th>Why</th>
                <th>For example</th>
                <th>Mend</th>
              </tr>
            </thead>
            <tbody>
              {items.map((group) => (
                <tr key={`${group.kind} ${group.code} ${group.property} ${group.message}`}>
                  <td className="end">
                    <strong>{quantityText(group.count)}</strong>
                  </td>
                  <td>
                    <StatusWord tone={group.kind === 'error' ? 'bad' : 'warn'}>{group.kind}</StatusWord>
                  </td>
                  <td>
                    {group.message ?? group.examples[0]?.message ?? group.code}{' '}
                    <code className="muted">{group.code}</code>
                  </td>
                  <td>
                    <Example group={group} />
                  </td>
                  <td>
                    <Mend group={group} admin={admin} onCategory={setCreating} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Sheet>
      )}
      {creating !== null && (
        <CategoryDialog category={null} proposedKey={creating} onClose={() => setCreating(null)} />
      )}
    </>
  );
}

function Example({ group }: { group: Group }) {
  const [first] = group.examples;
  if (first === undefined) return null;
  if (first.guid === null) return <span className="muted">element {first.index}</span>;
  return group.kind === 'warning' ? (
    <Link href={paths.entity(`guid:${first.guid}`)} className="mono">
      {first.guid.slice(0, 8)}…
    </Link>
  ) : (
    <span className="mono" title={first.guid}>
      element {first.index}
    </span>
  );
}

function Mend({
  group,
  admin,
  onCategory,
}: {
  group: Group;
  admin: boolean;
  onCategory: (key: string) => void;
}) {
  if (group.code === 'category_not_found' && admin) {
    const key = missedCategory.exec(group.message ?? group.examples[0]?.message ?? '')?.[1] ?? '';
    return (
      <Button size="xs" variant="default" onClick={() => onCategory(key)}>
        Create category {key}
      </Button>
    );
  }
  if (group.property !== null) {
    return <Link href={paths.settings('properties')}>See property {group.property}</Link>;
  }
  return <span className="muted">in the source</span>;
}
