/** An item of a planning run over time: its stock day by day, what comes and what that is for, and what needs it. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { PlanningTimeline } from '../client/operations.ts';
import { StepChart } from '../components/charts/step-chart.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import { EmptyState, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { dayText, PartNumber, quantityText } from '../components/words.tsx';
import { usePathParam } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { dayColumns, needColumns, needRowsOf, pegColumns, pegRowsOf } from './timeline-rows.tsx';

/** Days that the chart shows behind the last one on which something happens. */
const DAYS_AFTER = 7;
/** In pixels. Narrower, an action and its order line take two lines. */
const TWO_LINES_BELOW = 800;
const DAY_MS = 86_400_000;

export function TimelinePage() {
  const id = usePathParam('id');
  const itemEntityId = usePathParam('item');
  const query = useQuery(ask('getPlanningTimeline', { id, itemEntityId }));
  const found = query.data;
  if (found === undefined) {
    return (
      <PageFrame title="Item in the plan" above={{ label: 'Plan', href: paths.plan(id) }}>
        {query.isError ? (
          <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Waiting lines={6} />
        )}
      </PageFrame>
    );
  }
  return <Timeline found={found} />;
}

function Timeline({ found }: { found: PlanningTimeline }) {
  const { runId, itemEntityId, itemNumber, itemName, stock, minimum, days, isCurrent } = found;
  const pegs = pegRowsOf(found);
  const needs = needRowsOf(found);
  return (
    <PageFrame
      title={`${itemNumber ?? itemName} over time`}
      above={{ label: `Plan of ${dayText(found.day)}`, href: paths.plan(runId) }}
      lead={
        <>
          <Link href={paths.entity(itemEntityId, 'demand')}>
            <PartNumber number={itemNumber} /> {itemName}
          </Link>
          <span>
            {quantityText(stock)} available{minimum > 0 && `, ${quantityText(minimum)} of it to be left`}
          </span>
        </>
      }
    >
      {isCurrent === null && (
        <p role="status">
          This item is used in very many others. Its needs as a component come from the orders of the plan,
          which were not planned again.
        </p>
      )}
      {isCurrent === false && (
        <p role="status">
          Stock, orders or needs have changed since the plan: this shows what is there now. Plan again for
          actions that fit.
        </p>
      )}
      <Sheet title="Projected stock">
        <StepChart label={`Projected stock of ${itemNumber ?? itemName}`} wholeDays {...chartOf(days)} />
        <DataGrid
          label="Projected stock by day"
          columns={dayColumns}
          rows={days}
          rowKey={({ on }) => on}
          heightMax={420}
        />
      </Sheet>
      <Sheet title="What comes, and what for" flush>
        {pegs.length === 0 ? (
          <EmptyState title="Nothing comes">No line is open, and the plan proposes nothing.</EmptyState>
        ) : (
          <DataGrid
            label="What comes, and what for"
            columns={pegColumns}
            rows={pegs}
            rowKey={({ key }) => key}
            hrefOf={({ href }) => href}
            heightMax={560}
            tallBelow={TWO_LINES_BELOW}
          />
        )}
      </Sheet>
      <Sheet title="What needs it" flush>
        {needs.length === 0 ? (
          <EmptyState title="Nothing needs it">No demand leads to this item.</EmptyState>
        ) : (
          <DataGrid
            label="What needs it"
            columns={needColumns}
            rows={needs}
            rowKey={({ key }) => key}
            hrefOf={({ href }) => href}
            heightMax={560}
          />
        )}
      </Sheet>
      {found.isTruncated && <p>There are more rows than are shown: these are the first by date.</p>}
    </PageFrame>
  );
}

/** The last quantities go on for some days, so that they are seen. */
function chartOf(days: PlanningTimeline['days']) {
  const last = days.at(-1);
  const end =
    last === undefined
      ? []
      : [{ ...last, on: new Date(Date.parse(last.on) + DAYS_AFTER * DAY_MS).toISOString().slice(0, 10) }];
  const shown = [...days, ...end];
  return {
    points: shown.map(({ on, projected }) => ({ at: `${on}T00:00:00`, value: projected })),
    beside: {
      values: shown.map(({ projectedWithPlan }) => projectedWithPlan),
      names: ['if nothing is done', 'with the plan'] as const,
    },
  };
}
