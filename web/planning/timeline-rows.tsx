/** Rows and columns of the tables about an item of a planning run. */
import { changesOfLines } from '../../clients/typescript/planning-words.ts';
import type { PlanningTimeline } from '../client/operations.ts';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { dayText, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import { actionNames, isMove, lineText, needNames, plannedText } from './plan-words.tsx';
import styles from './planning.module.css';

type Day = PlanningTimeline['days'][number];
type Need = PlanningTimeline['needs'][number];
type Supply = PlanningTimeline['supplies'][number];
type TimelineAction = PlanningTimeline['actions'][number];
type Pegged = Pick<Supply, 'pegs' | 'others' | 'surplus'>;

/** Something that comes, by the part of it that is for one need. */
interface PegRow {
  key: string;
  href: string | null;
  /** An order line by its number, or an action of the plan. */
  comes: string;
  comesOn: string;
  quantity: number;
  for: string;
  /** The number of the need; null: it has none. */
  number: string | null;
  neededOn: string | null;
  path: readonly (string | null)[];
}

/**
 * Actions first: they are what is decided. A line says what is to become of it. A part of a supply that no need uses is a row too.
 */
export function pegRowsOf(timeline: PlanningTimeline): PegRow[] {
  const { changes, others } = changesOfLines(timeline);
  const proposed = others.map((one) => ({
    ...one,
    key: `action ${one.number}`,
    comes: [actionNames[one.action], plannedText(one), lineText(one) ?? []].flat().join(' '),
    comesOn: one.neededOn,
  }));
  const lines = timeline.supplies.map((one) => ({
    ...one,
    key: `${one.lineId} ${one.comesOn}`,
    comes: [one.lineNumber ?? 'order line', ...(changes.get(one) ?? []).map(changeText)].join(', '),
  }));
  return [...proposed, ...lines].flatMap((one) => rowsOf(one));
}

/** Such as `defer 3 to 7 January 2027`. */
function changeText(one: TimelineAction): string {
  const day = isMove(one) ? `to ${dayText(one.neededOn)}` : [];
  return [actionNames[one.action], plannedText(one), day].flat().join(' ');
}

function rowsOf({
  key,
  comes,
  comesOn,
  pegs,
  others,
  surplus,
}: Pegged & Pick<PegRow, 'key' | 'comes' | 'comesOn'>) {
  const row = (at: string, of: Partial<PegRow> & Pick<PegRow, 'quantity' | 'for'>): PegRow => ({
    key: `${key} ${at}`,
    href: null,
    comes,
    comesOn,
    number: null,
    neededOn: null,
    path: [],
    ...of,
  });
  return [
    ...pegs.map((peg, at) =>
      row(String(at), {
        href: hrefOf(peg),
        quantity: peg.quantity,
        for: needNames[peg.kind],
        number: peg.number,
        neededOn: peg.neededOn,
        path: peg.path.map(({ itemNumber }) => itemNumber),
      }),
    ),
    ...(others > 0 ? [row('others', { quantity: others, for: 'further needs' })] : []),
    ...(surplus > 0 ? [row('surplus', { quantity: surplus, for: 'no need: it is left over' })] : []),
  ];
}

function hrefOf({ kind, entityId }: Pick<Need, 'kind' | 'entityId'>): string | null {
  if (entityId === null) return null;
  if (kind === 'requirement') return paths.requirement(entityId);
  return kind === 'manufacturingLine' ? paths.build(entityId) : null;
}

interface NeedRow extends Need {
  key: string;
  href: string | null;
}

export function needRowsOf({ runId, needs }: PlanningTimeline): NeedRow[] {
  return needs.map((need, at) => ({
    ...need,
    key: String(at),
    href: hrefOf(need) ?? (need.parentEntityId === null ? null : paths.planItem(runId, need.parentEntityId)),
  }));
}

const quantityColumn = <Row,>(
  key: string,
  header: string,
  value: (row: Row) => number,
  rest: Partial<GridColumn<Row>> = {},
): GridColumn<Row> => ({
  key,
  header,
  width: 84,
  align: 'end',
  cell: (row) => <Quantity value={value(row)} />,
  ...rest,
});

/** Nothing is shown where nothing moves. A phone has no heads: the word stands behind the figure. */
function Moved({ value, word }: { value: number; word: string }) {
  if (value === 0) return null;
  return (
    <>
      {quantityText(value)} <span className={styles.phoneOnly}>{word}</span>
    </>
  );
}

export const dayColumns: readonly GridColumn<Day>[] = [
  { key: 'on', header: 'Day', width: 96, grow: 1, phone: 'title', cell: ({ on }) => dayText(on) },
  quantityColumn<Day>('needed', 'Needed', ({ needed }) => needed, {
    width: 64,
    phone: 'detail',
    cell: ({ needed }) => <Moved value={needed} word="needed" />,
  }),
  quantityColumn<Day>('comes', 'Comes', ({ comes }) => comes, {
    width: 64,
    phone: 'detail',
    cell: ({ comes }) => <Moved value={comes} word="come" />,
  }),
  quantityColumn<Day>('planned', 'Planned', ({ planned }) => planned, {
    width: 64,
    phone: 'detail',
    cell: ({ planned }) => <Moved value={planned} word="planned" />,
  }),
  quantityColumn<Day>('projected', 'If nothing is done', ({ projected }) => projected, {
    width: 112,
    phone: 'below',
    cell: ({ projected }) => (
      <>
        <Quantity value={projected} /> <span className={`muted ${styles.phoneOnly}`}>if nothing is done</span>
      </>
    ),
  }),
  quantityColumn<Day>('with', 'With the plan', ({ projectedWithPlan }) => projectedWithPlan, {
    width: 100,
    phone: 'side',
    cell: ({ projectedWithPlan }) => (
      <strong>
        <Quantity value={projectedWithPlan} />
      </strong>
    ),
  }),
];

export const pegColumns: readonly GridColumn<PegRow>[] = [
  { key: 'comes', header: 'What comes', width: 170, grow: 2, phone: 'detail', cell: ({ comes }) => comes },
  { key: 'comesOn', header: 'On', width: 90, spare: 1, cell: ({ comesOn }) => dayText(comesOn) },
  quantityColumn<PegRow>('quantity', 'Of it', ({ quantity }) => quantity, { width: 72, phone: 'side' }),
  {
    key: 'for',
    header: 'For',
    width: 180,
    grow: 2,
    phone: 'title',
    cell: ({ for: what, number }) => (
      <>
        {what} {number !== null && <PartNumber number={number} />}
      </>
    ),
  },
  {
    key: 'neededOn',
    header: 'Needed on',
    width: 90,
    phone: 'detail',
    cell: ({ neededOn }) => neededOn !== null && dayText(neededOn),
  },
  {
    key: 'path',
    header: 'By way of',
    width: 140,
    grow: 2,
    spare: 2,
    cell: ({ path }) => path.map((number) => number ?? 'no number').join(' › '),
  },
];

export const needColumns: readonly GridColumn<NeedRow>[] = [
  {
    key: 'kind',
    header: 'What needs it',
    width: 190,
    grow: 1,
    phone: 'title',
    cell: ({ kind, number }) => (
      <>
        {needNames[kind]} {number !== null && <PartNumber number={number} />}
      </>
    ),
  },
  {
    key: 'parent',
    header: 'Component of',
    width: 110,
    grow: 1,
    phone: 'detail',
    cell: ({ parentEntityId, parentNumber }) =>
      parentEntityId !== null && <PartNumber number={parentNumber} />,
  },
  {
    key: 'neededOn',
    header: 'Needed on',
    width: 96,
    phone: 'detail',
    cell: ({ neededOn }) => dayText(neededOn),
  },
  quantityColumn<NeedRow>('quantity', 'Needed', ({ quantity }) => quantity, { phone: 'side' }),
  quantityColumn<NeedRow>('covered', 'Covered', ({ covered }) => covered),
];
