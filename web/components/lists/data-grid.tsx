/**
 * A grid of rows that may be millions: it draws those in view and asks for more near their end. A row has a real link, and a click
 * anywhere in it opens it; its text can be selected. Arrow keys move between rows, and from a button to that of the next row, Enter opens, Space selects. On phones a row is two lines.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { isPlainClick } from '../../navigation/link.tsx';
import { useKeptPlace } from '../../navigation/use-kept-place.ts';
import { useWidth } from '../use-width.ts';
import { type ColumnWidths, withWidths } from './column-widths.ts';
import styles from './data-grid.module.css';
import { COLUMN_GAP, fittingColumns, PRINT_ROOM, tracksOf, widthOf } from './fitting-columns.ts';
import { Cells, PhoneCells } from './grid-cells.tsx';
import type { GridColumn, GridSelection } from './grid-column.ts';
import { GridHeader } from './grid-header.tsx';
import { isMarking, isOpenBeside, openRowOfClick } from './row-clicks.ts';
import { rowHeightOf } from './row-height.ts';
import { keepStopsTo, placeInRow, stopAt } from './row-stops.ts';
import { usePhone, usePrinting } from './use-media.ts';

export interface DataGridProps<Row> {
  label: string;
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The row's own page; rows without one cannot be opened. */
  hrefOf?: (row: Row) => string | null;
  /** How the row's checkbox is named to who cannot see the row. */
  nameOf?: (row: Row) => string;
  compact?: boolean;
  /** Asked for when the last rows come into view. */
  onEnd?: () => void;
  /** More is being fetched. */
  growing?: boolean;
  sort?: { by: string; order: 'asc' | 'desc' };
  onSort?: (by: string) => void;
  selection?: GridSelection;
  /** A tree: how deep a row stands, and whether it is open. */
  tree?: {
    levelOf: (row: Row) => number;
    isOpen: (row: Row) => boolean | undefined;
    toggle: (row: Row) => void;
  };
  /** Without a height of its own it is as high as its rows, to a bound. */
  heightMax?: number;
  /** Called when a row is opened. */
  onOpen?: () => void;
  /** A plain click opens the row's page beside the list, and not in its place. */
  openBeside?: (href: string) => void;
  /** The page of the row that is open beside. */
  currentHref?: string;
  /** The columns were chosen by hand: all of them are shown, and the grid scrolls where they are too many. */
  keepsColumns?: boolean;
  /** Columns can be resized; those that were are shown so wide, whatever room there is. */
  widths?: ColumnWidths;
  /** Narrower than this, in pixels, a row has two lines, and long texts go on in the second. */
  tallBelow?: number;
}

const HEADER = 32;
/** Left and right of the rows, and the column of checkboxes. */
const INSETS = 24;
const PICK = 36 + COLUMN_GAP;
/** More printed rows than these would keep the page busy. */
const PRINTED_MAX = 5000;

export function DataGrid<Row>({ widths, ...listed }: DataGridProps<Row>) {
  const given =
    widths === undefined ? listed : { ...listed, columns: withWidths(listed.columns, widths.kept) };
  const scroller = useRef<HTMLDivElement>(null);
  const printing = usePrinting();
  const besides = given.selection === undefined ? INSETS : INSETS + PICK;
  const room = useWidth(scroller, 0);
  const phone = usePhone();
  // A phone shows each column where the column says, whatever its width.
  const isSet = widths !== undefined && given.columns.some(({ key }) => widths.kept[key] !== undefined);
  const keepsColumns = given.keepsColumns === true || isSet || phone;
  const printable = given.columns.filter(({ screenOnly }) => screenOnly !== true);
  const columns = printing
    ? given.keepsColumns === true
      ? printable
      : fittingColumns(printable, PRINT_ROOM, INSETS)
    : keepsColumns
      ? given.columns
      : fittingColumns(given.columns, room, besides);
  const props = { ...given, columns, selection: printing ? undefined : given.selection };
  const { rows, rowKey, compact = false, selection, tree, onEnd, growing = false } = props;
  const place = useKeptPlace(props.label);
  const [used, setUsed] = useState(() =>
    Math.max(
      0,
      rows.findIndex((row) => rowKey(row) === place.left?.row),
    ),
  );
  const setActive = (index: number) => {
    setUsed(index);
    const row = rows[index];
    if (row !== undefined) place.now.row = rowKey(row);
  };
  // A filter may leave fewer rows: the keyboard still finds one.
  const active = Math.max(0, Math.min(used, rows.length - 1));
  const isTall = !phone && !printing && room < (props.tallBelow ?? 0);
  const rowHeight = rowHeightOf(columns, { phone, isTall, compact });
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollPaddingStart: HEADER,
    initialOffset: place.left?.top ?? 0,
    // The row that has the focus stays drawn, or the keyboard would lose its place.
    rangeExtractor: (range) =>
      active < rows.length
        ? [...new Set([active, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b)
        : defaultRangeExtractor(range),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are measured again when they change
  useEffect(() => virtualizer.measure(), [rowHeight]);

  const drawn = printing
    ? rows.slice(0, PRINTED_MAX).map((_, index) => ({ index, start: 0 }))
    : virtualizer.getVirtualItems();
  const last = drawn.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= rows.length - 20 && !growing) onEnd?.();
  }, [last, rows.length, growing, onEnd]);

  // Back to a list: as far down as it was left, and to the row that was used, where nothing else has the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the list comes
  useEffect(() => {
    const box = scroller.current;
    if (box === null || place.left === null) return;
    box.scrollTop = place.left.top;
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && place.left.row !== null)
      requestAnimationFrame(() =>
        stopAt(box.querySelector(`[data-row="${active}"]`), null)?.focus({ preventScroll: true }),
      );
  }, []);

  // After every drawing: cells may have drawn other controls.
  useEffect(() => {
    const box = scroller.current;
    if (box !== null) keepStopsTo(box.querySelectorAll<HTMLElement>('[data-row]'), active);
  });

  const focusRow = (index: number, place: number | null = null) => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    setActive(to);
    virtualizer.scrollToIndex(to);
    const stop = () => stopAt(scroller.current?.querySelector(`[data-row="${to}"]`) ?? null, place);
    // At once where the row is drawn: a key that is pressed before the next frame goes on from there.
    const drawnStop = stop();
    if (drawnStop === null) requestAnimationFrame(() => stop()?.focus());
    else drawnStop.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!(event.target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.dataset.stop === undefined) {
      const down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const place = down === undefined ? null : placeInRow(event.target);
      if (down === undefined || place === null) return;
      event.preventDefault();
      focusRow(active + down, place);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const row = rows[active];
    const steps: Record<string, () => void> = {
      ArrowDown: () => focusRow(active + 1),
      ArrowUp: () => focusRow(active - 1),
      PageDown: () => focusRow(active + page),
      PageUp: () => focusRow(active - page),
      Home: () => focusRow(0),
      End: () => focusRow(rows.length - 1),
      ' ': () => row !== undefined && selection?.toggle(rowKey(row)),
      ArrowRight: () => row !== undefined && tree?.isOpen(row) === false && tree.toggle(row),
      ArrowLeft: () => {
        if (row === undefined || tree === undefined) return;
        if (tree.isOpen(row) === true) tree.toggle(row);
        else focusRow(rows.findLastIndex((one, at) => at < active && tree.levelOf(one) < tree.levelOf(row)));
      },
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };

  const tracks = tracksOf(columns, { printing, picks: selection !== undefined });
  const widthMin = printing ? undefined : widthOf(columns, besides);
  const total = virtualizer.getTotalSize();
  return (
    <div
      ref={scroller}
      className={printing ? styles.printed : styles.scroller}
      role={tree === undefined ? 'grid' : 'treegrid'}
      aria-label={props.label}
      aria-rowcount={growing ? -1 : rows.length + 1}
      aria-multiselectable={selection === undefined ? undefined : true}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        place.now.top = event.currentTarget.scrollTop;
      }}
      onClick={openRowOfClick}
      onAuxClick={openRowOfClick}
      onClickCapture={(event) => {
        const link = event.target instanceof Element ? event.target.closest('a[data-stop]') : null;
        if (link === null) return;
        // Text that was just marked, not a click.
        if (isMarking(link.closest('[data-row]'))) {
          event.preventDefault();
          return;
        }
        props.onOpen?.();
        if (props.openBeside === undefined || !isPlainClick(event)) return;
        event.preventDefault();
        props.openBeside(link.getAttribute('href') ?? '');
      }}
      style={
        props.heightMax === undefined || printing
          ? undefined
          : { height: Math.min(props.heightMax, total + (phone ? 0 : HEADER) + 2) }
      }
      tabIndex={-1}
    >
      {!phone && (
        <GridHeader
          columns={columns}
          sort={props.sort}
          onSort={props.onSort}
          selection={selection}
          tracks={tracks}
          widthMin={widthMin}
          onWidth={widths?.set}
        />
      )}
      <div
        role="rowgroup"
        className={styles.body}
        style={printing ? undefined : { height: total, minWidth: phone ? undefined : widthMin }}
      >
        {drawn.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const key = rowKey(row);
          return (
            <div
              key={key}
              role="row"
              data-row={index}
              aria-rowindex={index + 2}
              aria-selected={selection?.isSelected(key)}
              aria-current={isOpenBeside(props, row) ? 'true' : undefined}
              aria-level={tree === undefined ? undefined : tree.levelOf(row) + 1}
              aria-expanded={tree?.isOpen(row)}
              className={phone ? styles.phoneRow : styles.row}
              data-tall={isTall ? '' : undefined}
              style={{
                ...(printing ? {} : { height: rowHeight, transform: `translateY(${start}px)` }),
                gridTemplateColumns: phone
                  ? selection
                    ? '44px minmax(0, 1fr) auto'
                    : 'minmax(0, 1fr) auto'
                  : tracks,
              }}
              onFocus={() => setActive(index)}
            >
              {selection !== undefined && (
                <span role="gridcell" className={styles.pick}>
                  <input
                    type="checkbox"
                    aria-label={`Select ${props.nameOf?.(row) ?? 'row'}`}
                    checked={selection.isSelected(key)}
                    onChange={() => selection.toggle(key)}
                    tabIndex={-1}
                  />
                </span>
              )}
              {phone ? (
                <PhoneCells {...props} row={row} stop={index === active} />
              ) : (
                <Cells {...props} row={row} stop={index === active} />
              )}
            </div>
          );
        })}
      </div>
      {growing && (
        <div className={styles.growing} role="status">
          Fetching more…
        </div>
      )}
    </div>
  );
}
