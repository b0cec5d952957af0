/**
 * Counts a location, or all that lies in it. A line that was not counted is not zero; the page asks about stock that moved during the
 * count; a blind count does not show the recorded quantities. Figures are kept in this tab until they are applied.
 */
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, askAll } from '../../client/ask.ts';
import { call } from '../../client/request.ts';
import { ActButton } from '../../components/act-button.tsx';
import { exactDifference } from '../../components/forms/exact-quantity.ts';
import { notify } from '../../components/notices.tsx';
import { EmptyState, FootBar, PageFrame, Sheet, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { countText, dayText } from '../../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../../entities/entity-picker.tsx';
import { useAddress } from '../../navigation/address.ts';
import { paths } from '../../navigation/paths.ts';
import styles from '../stock.module.css';
import { CountReview } from './count-review.tsx';
import { CountRows } from './count-rows.tsx';
import {
  type CountLine,
  type Sheet as CountSheet,
  countedOf,
  countFault,
  isOnlyInLots,
  useCountSheet,
} from './use-count-sheet.ts';

export function CountPage() {
  const address = useAddress();
  const id = address.get('location');
  const location = useQuery({ ...ask('getEntity', { id: id ?? '' }), enabled: id !== undefined });
  const blind = address.get('blind') === '1';
  const below = address.get('below') === '1';
  const days = Number(address.get('days') ?? 0);
  const task = address.get('task') ?? null;
  return (
    <PageFrame
      title={location.data === undefined ? 'Count' : `Count ${location.data.number ?? location.data.name}`}
      above={{ label: 'Stock', href: paths.stock() }}
    >
      <Sheet>
        <div className={styles.countTools}>
          <EntityPicker
            label="Location"
            plays="location"
            value={location.data ?? null}
            onPick={(picked) => address.set({ location: picked?.id, task: undefined })}
            autoFocus
          />
          <Switch
            label="Hide recorded quantities"
            checked={blind}
            onChange={(event) =>
              address.set({ blind: event.currentTarget.checked ? '1' : undefined }, 'replace')
            }
          />
          <Switch
            label="Also locations inside"
            checked={below}
            onChange={(event) =>
              address.set({ below: event.currentTarget.checked ? '1' : undefined }, 'replace')
            }
          />
          <NativeSelect
            label="Last counted"
            value={String(days)}
            data={[
              { value: '0', label: 'at any time' },
              { value: '30', label: 'more than 30 days ago, or never' },
              { value: '90', label: 'more than 90 days ago, or never' },
              { value: '365', label: 'more than a year ago, or never' },
            ]}
            onChange={(event) => {
              const { value } = event.currentTarget;
              address.set({ days: value === '0' ? undefined : value }, 'replace');
            }}
          />
        </div>
      </Sheet>
      {task !== null && <CountTaskNote id={task} />}
      {id === undefined ? (
        <EmptyState title="Which location?">Type or scan its number above.</EmptyState>
      ) : location.isError ? (
        <ProblemPanel error={location.error} />
      ) : location.data === undefined ? (
        <Waiting />
      ) : (
        <CountOf
          key={`${id} ${below}`}
          location={location.data}
          blind={blind}
          below={below}
          days={days}
          task={task}
        />
      )}
    </PageFrame>
  );
}

interface CountOfProps {
  location: PickedEntity;
  blind: boolean;
  below: boolean;
  /** Only positions that were not counted for so many days; 0: all. */
  days: number;
  /** The count task that the count does. */
  task: string | null;
}

const DAY_MS = 86_400_000;
/** The lines that a count takes. */
const LINES_MAX = 10_000;

function CountOf({ location, blind, below, days, task }: CountOfProps) {
  const address = useAddress();
  const client = useQueryClient();
  const query = { below: below ? ('true' as const) : ('false' as const) };
  const positions = useQuery(
    askAll('listPositionsByLocation', { locationEntityId: location.id, query }, LINES_MAX),
  );
  const [since] = useState(() => Date.now());
  const due = positions.data?.filter(
    ({ lastCountedAt }) =>
      days === 0 || lastCountedAt === null || Date.parse(lastCountedAt) < since - days * DAY_MS,
  );
  const sheet = useCountSheet(location, due);
  const [find, setFind] = useState('');
  const [reviewing, setReviewing] = useState(false);
  if (positions.isError && positions.data === undefined)
    return <ProblemPanel error={positions.error} onRetry={() => void positions.refetch()} />;
  if (positions.data === undefined) return <Waiting />;
  const counted = sheet.lines.filter((line) => countedOf(line) !== null);
  const countable = sheet.lines.filter((line) => !isOnlyInLots(line)).length;
  const differing = counted.filter((line) => differs(line));
  const wrong = sheet.lines.find((line) => countFault(line) !== null);
  return (
    <>
      <Sheet flush title="Count sheet" actions={<AddItem sheet={sheet} />}>
        <div className={styles.countFind}>
          <TextInput
            type="search"
            aria-label="Find on this sheet"
            placeholder="Find on this sheet"
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
        </div>
        {sheet.lines.length === 0 ? (
          <EmptyState title="The book has nothing here">Add what you find by its number.</EmptyState>
        ) : (
          <CountRows sheet={sheet} find={find} blind={blind} locationId={location.id} />
        )}
      </Sheet>
      <FootBar>
        <span role="status">
          {countText(counted.length, 'line')} counted, {countable - counted.length} not counted
          {!blind && `, ${differing.length} differ`}
        </span>
        <Button
          variant="default"
          onClick={() => notify('What was counted is cleared.', sheet.clear())}
          disabled={counted.length === 0}
        >
          Clear
        </Button>
        <ActButton
          notYet={
            wrong !== undefined
              ? `${wrong.item.number ?? wrong.item.name}: ${countFault(wrong)}`
              : counted.length === 0
                ? 'Count something first.'
                : null
          }
          onClick={() => setReviewing(true)}
        >
          Review
        </ActButton>
      </FootBar>
      {reviewing && (
        <CountReview
          location={location}
          lines={counted}
          task={task}
          onClose={() => setReviewing(false)}
          onApplied={() => {
            sheet.clear();
            setReviewing(false);
            if (task !== null) address.set({ task: undefined }, 'replace');
            void client.invalidateQueries({ queryKey: ['listPositionsByLocation'] });
          }}
        />
      )}
    </>
  );
}

/** Says what somebody has asked for. */
function CountTaskNote({ id }: { id: string }) {
  const { data } = useQuery(ask('getCountTask', { id }));
  if (data === undefined || data.status !== 'open') return null;
  const { createdBy, dueOn, note } = data;
  return (
    <Sheet>
      {createdBy.name} asks for this count{dueOn !== null && ` until ${dayText(dueOn)}`}
      {note === null ? '.' : `: ${note}`}
    </Sheet>
  );
}

function AddItem({ sheet }: { sheet: CountSheet }) {
  const add = async (picked: PickedEntity) => {
    try {
      const { tracking } = await call('getTracking', { itemEntityId: picked.id });
      sheet.add(picked, tracking !== 'none');
    } catch (error) {
      notify(
        `${picked.number ?? picked.name} was not added: ${error instanceof Error ? error.message : error}`,
      );
    }
  };
  return (
    <EntityPicker
      label="Add an item that is not on the sheet"
      plays="item"
      value={null}
      onPick={(picked) => picked !== null && void add(picked)}
    />
  );
}

function differs(line: CountLine): boolean {
  const counted = countedOf(line);
  return counted !== null && exactDifference(counted, line.seenOnHand) !== 0;
}
