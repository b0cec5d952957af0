/** One bulk edit: its progress, its differences, and what can be done next. It goes on when the page is left. */
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ask } from '../../client/ask.ts';
import type { BulkEdit, BulkEditResult, PropertyDefinition } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { ActButton } from '../../components/act-button.tsx';
import { ChangedValue } from '../../components/changed-value.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import { List } from '../../components/lists/list-page.tsx';
import { EmptyState, Facts, PageFrame, Sheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { refresh } from '../../components/refresh.ts';
import { useAction } from '../../components/use-action.ts';
import { countText, Moment, quantityText, StatusWord } from '../../components/words.tsx';
import { usePathParam } from '../../navigation/address.ts';
import { Link, useGo } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { usePropertyDefinitions } from '../configuration.ts';
import { PropertyText } from '../property-fields.tsx';
import { BulkEditStatus, ChangeText, definitionOf, fieldName, titleOf } from './bulk-edit-words.tsx';
import styles from './bulk-edits.module.css';

const POLL_MS = 1000;
const changes = ['listBulkEdits', 'listEntities', 'getEntity'] as const;

export function BulkEditPage() {
  const id = usePathParam('id');
  const client = useQueryClient();
  const definitions = usePropertyDefinitions();
  const query = useQuery({
    ...ask('getBulkEdit', { id }),
    refetchInterval: ({ state }) => (state.data?.finishedAt === null ? POLL_MS : false),
  });
  const edit = query.data;
  const lookedAt = edit === undefined ? 0 : edit.changed + edit.unchanged + edit.refused;
  useEffect(() => {
    if (lookedAt > 0) void refresh(client, ['listBulkEditResults', ...changes]);
  }, [client, lookedAt]);
  const above = { label: 'Bulk edits', href: paths.bulkEdits() };
  if (edit === undefined) {
    return (
      <PageFrame title="Bulk edit" above={above}>
        {query.isError ? (
          <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Waiting />
        )}
      </PageFrame>
    );
  }
  return (
    <PageFrame
      title={titleOf(edit)}
      above={above}
      lead={
        <>
          <BulkEditStatus edit={edit} />
          <span>
            begun <Moment at={edit.createdAt} /> by {edit.by.name}
          </span>
          {edit.applies !== null && <Link href={paths.bulkEdit(edit.applies)}>the dry run</Link>}
          {edit.undoes !== null && <Link href={paths.bulkEdit(edit.undoes)}>the bulk edit</Link>}
        </>
      }
      actions={<Actions edit={edit} />}
    >
      {edit.failure !== null && (
        <Sheet title="The bulk edit failed">
          <p>{edit.failure.message}</p>
        </Sheet>
      )}
      <Sheet>
        {edit.finishedAt === null && (
          <p role="status">
            {countText(lookedAt, 'item')}
            {edit.expected !== null && ` of ${quantityText(edit.expected)}`} processed. It goes on when you
            leave this page.
          </p>
        )}
        <Facts
          facts={[
            [
              edit.undoes === null ? 'Change' : 'First change',
              <ChangeText key="change" change={edit.change} definitions={definitions} />,
              'wide',
            ],
            ...(edit.reason === null ? [] : ([['Reason', edit.reason, 'wide']] as const)),
            [edit.dryRun ? 'Would change' : 'Changed', quantityText(edit.changed)],
            ['Unchanged', quantityText(edit.unchanged)],
            ['Refused', quantityText(edit.refused)],
          ]}
        />
      </Sheet>
      <div className={styles.results}>
        <List
          label="Differences"
          noun={['item', 'items']}
          name="listBulkEditResults"
          input={{ id }}
          columns={columnsOf(definitions, edit.dryRun)}
          rowKey={({ entityId }) => entityId}
          hrefOf={({ entityId }) => paths.entity(entityId)}
          nameOf={({ number, name }) => `${number ?? 'no number'} ${name}`}
          filters={[
            {
              key: 'result',
              label: 'Result',
              options: [
                { value: 'changed', label: edit.dryRun ? 'would change' : 'changed' },
                { value: 'refused', label: 'refused' },
              ],
            },
          ]}
          heightMax={640}
          empty={
            <EmptyState title={edit.finishedAt === null ? 'No differences yet' : 'Nothing differs'}>
              {edit.finishedAt === null ? 'They appear while it runs.' : 'All items are as wanted already.'}
            </EmptyState>
          }
        />
      </div>
    </PageFrame>
  );
}

function Actions({ edit }: { edit: BulkEdit }) {
  const mayEdit = useMay('engineering');
  const go = useGo();
  const onDone = ({ id }: BulkEdit) => go(paths.bulkEdit(id));
  const apply = useAction('applyBulkEdit', { changes: [...changes], onDone });
  const undo = useAction('undoBulkEdit', { changes: [...changes], onDone });
  const cancel = useAction('cancelBulkEdit', {
    changes: ['getBulkEdit', ...changes],
    done: 'Bulk edit cancelled.',
  });
  if (!mayEdit) return null;
  const { id } = edit;
  const error = apply.error ?? undo.error ?? cancel.error;
  return (
    <>
      {error !== null && <ProblemPanel error={error} />}
      {edit.finishedAt === null && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
          Cancel
        </Button>
      )}
      {edit.dryRun && edit.status === 'completed' && (
        <ActButton
          notYet={edit.changed === 0 ? 'Nothing to apply.' : null}
          loading={apply.isPending}
          onClick={() => apply.mutate({ id, body: {} })}
        >
          Apply to {countText(edit.changed, 'item')}
        </ActButton>
      )}
      {!edit.dryRun && edit.finishedAt !== null && edit.changed > 0 && (
        <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate({ id, body: {} })}>
          Undo
        </Button>
      )}
    </>
  );
}

function columnsOf(
  definitions: readonly PropertyDefinition[],
  dryRun: boolean,
): GridColumn<BulkEditResult>[] {
  return [
    {
      key: 'number',
      header: 'Item',
      width: 180,
      phone: 'title',
      cell: ({ number, name }) => <span className="mono">{number ?? name}</span>,
      text: ({ number, name }) => number ?? name,
    },
    {
      key: 'name',
      header: 'Name',
      width: 180,
      grow: 1,
      spare: 1,
      cell: ({ name }) => name,
      text: ({ name }) => name,
    },
    {
      key: 'result',
      header: 'Result',
      width: 112,
      phone: 'side',
      cell: ({ result }) =>
        result === 'refused' ? (
          <StatusWord tone="bad">refused</StatusWord>
        ) : (
          <StatusWord tone="accent">{dryRun ? 'would change' : 'changed'}</StatusWord>
        ),
      text: ({ result }) => result,
    },
    {
      key: 'changes',
      header: 'Differences',
      width: 320,
      grow: 2,
      phone: 'detail',
      cell: (row) => (
        <>
          {row.message !== null && <span className="bad">{row.message}</span>}
          {row.changes.map(({ field, from, to }) => (
            <ChangedValue
              key={field}
              name={fieldName(field, definitions)}
              was={
                from === null ? null : (
                  <PropertyText definition={definitionOf(field, definitions)} value={from} />
                )
              }
              is={
                to === null ? (
                  'none'
                ) : (
                  <PropertyText definition={definitionOf(field, definitions)} value={to} />
                )
              }
            />
          ))}
        </>
      ),
      text: (row) =>
        row.message ??
        row.changes
          .map(({ field, from, to }) => `${fieldName(field, definitions)}: ${from ?? ''} → ${to ?? ''}`)
          .join('; '),
    },
  ];
}
