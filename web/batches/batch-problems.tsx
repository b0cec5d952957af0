/** The problems of an import, grouped by cause: how many items, which, and how to fix them. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { ask, askAll } from '../client/ask.ts';
import type { SyncBatch, SyncProblems } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { countText, quantityText, StatusWord } from '../components/words.tsx';
import { usePropertyDefinitions } from '../entities/configuration.ts';
import { useAddress } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { CategoryDialog } from '../settings/category-dialog.tsx';
import { PropertyDialog } from '../settings/property-dialog.tsx';
import { isRunning } from './batch-words.tsx';
import styles from './batches.module.css';
import { type Chosen, ResendDialog } from './resend-dialog.tsx';
import { type SentName, useRefusedNames, useWarnedNames } from './use-sent-names.ts';

type Group = SyncProblems['items'][number];

/** The message of `category_not_found`. */
const missedCategory = /Category "(.+?)" does not exist/;

export function BatchProblems({ batch }: { batch: SyncBatch }) {
  const mayConfigure = useMay('configuration');
  const mayEdit = useMay('engineering');
  const [mending, setMending] = useState<Mending | null>(null);
  const [again, setAgain] = useState<Chosen | null>(null);
  const sendAgain = mayEdit && !isRunning(batch) ? setAgain : null;
  const refused = useRefusedNames(batch);
  const query = useQuery(ask('listSyncProblems', { id: batch.batchId }));
  if (query.isError) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return null;
  const { items, changed, stillRejected, resends } = query.data;
  const isRejecting = !batch.dryRun && batch.counts.error > 0;
  return (
    <>
      {batch.dryRun && (
        <p>
          Committing this dry run creates {countText(batch.counts.created, 'item')} and updates{' '}
          {countText(batch.counts.updated, 'item')}
          {changed.links > 0 &&
            `; it adds, changes or removes ${countText(changed.links, 'BOM link')} of ${countText(changed.structure, 'item')}`}
          .
        </p>
      )}
      {(resends.length > 0 || (isRejecting && !isRunning(batch))) && (
        <Sheet>
          {isRejecting && <StillRejected batch={batch} count={batch.stillRejected ?? stillRejected.count} />}
          {resends.length > 0 && (
            <p>
              Retries:{' '}
              {resends.map((resend, at) => (
                <Fragment key={resend.batchId}>
                  {at > 0 && ', '}
                  <Link href={paths.batch(resend.batchId)}>
                    {resend.dryRun ? 'dry run' : 'import'}, {resendText(resend)}
                  </Link>
                </Fragment>
              ))}
            </p>
          )}
        </Sheet>
      )}
      {items.length > 0 && (
        <Sheet
          title={batch.counts.error > 0 ? 'Problems' : 'Warnings'}
          actions={
            sendAgain !== null &&
            batch.counts.error > 0 && (
              <Button
                size="xs"
                variant="default"
                onClick={() => sendAgain({ what: {}, count: batch.counts.error })}
              >
                Retry all rejected
              </Button>
            )
          }
          flush
        >
          <ul className={styles.problems}>
            {items.map((group) => (
              <li key={`${group.kind} ${group.code} ${group.property} ${group.message}`}>
                <strong className={group.kind === 'error' ? styles.errors : styles.warnings}>
                  {quantityText(group.count)} <span className={styles.times}>×</span>
                </strong>
                <div className={styles.why}>
                  <p>{group.message ?? group.examples[0]?.message ?? group.code}</p>
                  <p className={styles.about}>
                    <StatusWord tone={group.kind === 'error' ? 'bad' : 'warn'}>{group.kind}</StatusWord>
                    <code>{group.code}</code>
                    <Examples batch={batch} group={group} of={items} refused={refused} />
                  </p>
                </div>
                <div className={styles.buttons}>
                  <Mend group={group} mayConfigure={mayConfigure} onMend={setMending} />
                  {!batch.dryRun && waits.has(group.code) && (
                    <Link href={paths.pendingLinks()}>Pending links</Link>
                  )}
                  {sendAgain !== null && (
                    <Button
                      size="xs"
                      variant="default"
                      onClick={() => sendAgain({ what: whichOf(group), count: countOf(items, group) })}
                    >
                      Retry {countText(countOf(items, group), 'item')}
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      {mending?.what === 'category' && (
        <CategoryDialog category={null} proposedKey={mending.key} onClose={() => setMending(null)} />
      )}
      {mending?.what === 'property' && (
        <MendProperty propertyKey={mending.key} onClose={() => setMending(null)} />
      )}
      {again !== null && <ResendDialog batch={batch} chosen={again} onClose={() => setAgain(null)} />}
    </>
  );
}

const withoutGuid = 'One without a GUID counts as accepted after the next import from the same source.';

/** Says how many of the rejected items no later import has accepted. */
function StillRejected({ batch, count }: { batch: SyncBatch; count: number }) {
  const { error: rejected } = batch.counts;
  return (
    <p role="status">
      {count === 0 ? (
        <StatusWord tone="good">fixed</StatusWord>
      ) : (
        <StatusWord tone="bad">{countText(count, 'item')} still rejected</StatusWord>
      )}{' '}
      {count === 0
        ? `Later imports have accepted the rejected items. ${withoutGuid}`
        : count < rejected &&
          `Later imports have accepted the others of the ${quantityText(rejected)} rejected items. ${withoutGuid}`}
    </p>
  );
}

function resendText({ status, errors }: SyncProblems['resends'][number]): string {
  if (status !== 'completed') return status;
  return errors === 0 ? 'all accepted' : `${quantityText(errors)} rejected`;
}

interface Mending {
  what: 'category' | 'property';
  key: string;
}

/** Warnings that usually need no fix: assemblies name the same part in several places, and parents may come later. */
const nothingToMend: Partial<Record<Group['code'], string>> = {
  duplicate_guid: 'Its links are used; nothing to fix.',
  parent_pending: 'Linked when the parent arrives.',
  category_kept: 'The current category is kept.',
};

/** Codes whose link is pending. */
const waits: ReadonlySet<string> = new Set(['parent_pending', 'cycle']);

/** The filter of results that finds the items of a group. */
function whichOf({ kind, code }: Group): Chosen['what'] {
  return kind === 'error'
    ? { code: code as NonNullable<Chosen['what']['code']> }
    : { warning: code as NonNullable<Chosen['what']['warning']> };
}

/** Groups of one code differ by message and property; a retry takes them together. */
function countOf(groups: readonly Group[], { kind, code }: Group): number {
  return groups.reduce((sum, one) => (one.kind === kind && one.code === code ? sum + one.count : sum), 0);
}

function MendProperty({ propertyKey, onClose }: { propertyKey: string; onClose: () => void }) {
  const definition = usePropertyDefinitions().find(({ key }) => key === propertyKey);
  return definition === undefined ? null : <PropertyDialog definition={definition} onClose={onClose} />;
}

/** The number of examples that are named per group. */
const NAMED_MAX = 3;

/** Links to the only item, or to the results filtered to the group, and names the first ones. */
function Examples({
  batch,
  group,
  of: groups,
  refused,
}: {
  batch: SyncBatch;
  group: Group;
  of: readonly Group[];
  refused: ReadonlyMap<number, SentName>;
}) {
  const [first] = group.examples;
  const warned = useWarnedNames(batch, group);
  const names = group.kind === 'error' ? refused : warned;
  // An item that has the same warning twice counts once.
  const places = [...new Map(group.examples.map((one) => [one.index, one])).values()];
  const known = places
    .flatMap(({ index, guid }) => {
      const sent = names.get(index);
      const text = nameText(sent);
      return text === '' ? [] : [{ index, text, guid: sent?.isThere ? guid : null }];
    })
    .slice(0, NAMED_MAX);
  const isMore = group.count > group.examples.length || places.length > known.length;
  const isOne = places.length === 1 && group.count === group.examples.length;
  return (
    <>
      {first !== undefined && isOne ? (
        <ElementLink index={first.index} />
      ) : (
        <Link href={paths.batch(batch.batchId, whichOf(group))}>
          {countOf(groups, group) === group.count ? 'Show items' : 'Show all with this code'}
        </Link>
      )}
      {known.length > 0 && (
        <span className={styles.named}>
          {known.map(({ index, guid, text }, at) => (
            <Fragment key={index}>
              {at > 0 && ', '}
              {guid === null ? text : <Link href={paths.entity(`guid:${guid}`)}>{text}</Link>}
            </Fragment>
          ))}
          {isMore && ' …'}
        </span>
      )}
      {group.kind === 'warning' && !batch.dryRun && known.length === 0 && first?.guid != null && (
        <Link href={paths.entity(`guid:${first.guid}`)} className="mono">
          {first.guid.slice(0, 8)}…
        </Link>
      )}
    </>
  );
}

/** Keeps the filters of the page. */
function ElementLink({ index }: { index: number }) {
  const { pathname, search } = useAddress();
  const there = new URLSearchParams(search);
  there.set('element', String(index));
  return <Link href={`${pathname}?${there}`}>Show row {index} as received</Link>;
}

function nameText(sent: SentName | undefined): string {
  return [sent?.number, sent?.name].filter((text) => text != null).join(' ');
}

function Mend({
  group,
  mayConfigure,
  onMend,
}: {
  group: Group;
  mayConfigure: boolean;
  onMend: (mending: Mending) => void;
}) {
  const { code, property } = group;
  const { data: categories } = useQuery({
    ...askAll('listCategories', {}),
    enabled: code === 'category_not_found',
  });
  const isUndecided = code === 'category_not_found' && mayConfigure && categories === undefined;
  const key = missedCategory.exec(group.message ?? group.examples[0]?.message ?? '')?.[1] ?? '';
  if (categories?.some((category) => category.key === key)) {
    return <span className="muted">Category {key} exists now: retry.</span>;
  }
  if (code === 'category_not_found' && mayConfigure && categories !== undefined) {
    return (
      <Button size="xs" variant="default" onClick={() => onMend({ what: 'category', key })}>
        Create category {key}
      </Button>
    );
  }
  if (property !== null && mayConfigure) {
    return (
      <Button size="xs" variant="default" onClick={() => onMend({ what: 'property', key: property })}>
        Change property {property}
      </Button>
    );
  }
  // Whether the category is still missing is not known before the categories are read.
  if (isUndecided) return null;
  return <span className="muted">{nothingToMend[code] ?? 'Fix it in the source.'}</span>;
}
