/** The frame of a page: its title in the window too, its actions, and what stands below. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAddress } from '../navigation/address.ts';
import { useIsBeside } from '../navigation/beside.ts';
import { Link } from '../navigation/link.tsx';
import { useNeighbours } from '../navigation/neighbours.ts';
import { Icon } from './icons.tsx';
import styles from './page-frame.module.css';

export interface PageFrameProps {
  title: ReactNode;
  /** For the window's title, where the title is more than text. */
  plainTitle?: string;
  /** Where this page belongs: the way up. */
  above?: { label: string; href: string };
  /** A line below the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** The content goes to the edges and scrolls by itself, as a grid does. */
  filled?: boolean;
  /** The content uses the whole width of a large screen. */
  wide?: boolean;
  children: ReactNode;
}

export function PageFrame({
  title,
  plainTitle,
  above,
  lead,
  actions,
  filled = false,
  wide = false,
  children,
}: PageFrameProps) {
  const beside = useIsBeside();
  useWindowTitle(plainTitle ?? (typeof title === 'string' ? title : ''));
  const Heading = beside ? 'h2' : 'h1';
  return (
    <div className={filled ? styles.filledPage : styles.page} data-wide={wide ? '' : undefined}>
      <header className={styles.header}>
        <div className={styles.heading}>
          {above !== undefined && (
            <span className={`${styles.way} no-print`}>
              {!beside && (
                <Link href={above.href} className={styles.above}>
                  {above.label}
                </Link>
              )}
              <Steps />
            </span>
          )}
          <Heading className={styles.title}>{title}</Heading>
          {lead !== undefined && <div className={styles.lead}>{lead}</div>}
        </div>
        {actions !== undefined && <div className={`${styles.actions} no-print`}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** To the one before and the next of the list that the page was opened from. */
function Steps() {
  const neighbours = useNeighbours(useAddress().pathname);
  if (neighbours === null) return null;
  const { label, place, count, before, behind } = neighbours;
  return (
    <nav className={styles.steps} aria-label={`In the list: ${label}`}>
      <Step href={before} label="Previous" icon="up" keys="K" />
      <span>
        {place} of {count}
      </span>
      <Step href={behind} label="Next" icon="down" keys="J" />
    </nav>
  );
}

function Step({
  href,
  label,
  icon,
  keys,
}: {
  href: string | null;
  label: string;
  icon: 'up' | 'down';
  keys: string;
}) {
  return href === null ? (
    <span className={styles.noStep} />
  ) : (
    <Link href={href} aria-label={label} title={`${label} (${keys})`}>
      <Icon name={icon} size={14} />
    </Link>
  );
}

/** What stands beside a list leaves the window its title. */
export function useWindowTitle(title: string): void {
  const beside = useIsBeside();
  useEffect(() => {
    if (beside) return;
    document.title = title === '' ? 'Partbook' : `${title} · Partbook`;
  }, [title, beside]);
}

/** A white sheet with a heading. */
export function Sheet({
  title,
  actions,
  children,
  flush = false,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Without padding, for tables. */
  flush?: boolean;
}) {
  return (
    <section className={styles.sheet}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles.sheetHead}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {flush ? <ScrollingBody>{children}</ScrollingBody> : <div className={styles.sheetBody}>{children}</div>}
    </section>
  );
}

/** A white sheet that a list fills, its tools on top. */
export function GridSheet({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className={styles.gridSheet}>
      {title !== undefined && <h2 className={styles.gridTitle}>{title}</h2>}
      {children}
    </div>
  );
}

/** What can be done with the whole page, in view at its foot however long it is; words stand before the buttons. */
export function FootBar({ children }: { children: ReactNode }) {
  return <div className={`${styles.footBar} no-print`}>{children}</div>;
}

/** What is wider than the screen scrolls by itself; then the keyboard must reach it. */
function ScrollingBody({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const box = body.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => setScrolls(box.scrollWidth > box.clientWidth));
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={body} className={styles.flush} tabIndex={scrolls ? 0 : undefined}>
      {children}
    </div>
  );
}

/** Tabs that are links: each has an address, and opens beside when asked to. */
export function TabLinks({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly { key: string; label: ReactNode; href: string }[];
  current: string;
}) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.key}
          href={tab.href}
          aria-current={tab.key === current ? 'page' : undefined}
          ref={tab.key === current ? showInStrip : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}

/** Brings the current tab into view where the strip is wider than the screen; nothing else scrolls. */
function showInStrip(tab: HTMLAnchorElement | null): void {
  const strip = tab?.parentElement;
  if (tab == null || strip == null) return;
  const beyond = tab.offsetLeft + tab.offsetWidth - strip.offsetLeft - strip.clientWidth;
  if (beyond > strip.scrollLeft) strip.scrollLeft = beyond + 24;
}

/** Why there is nothing, and the one thing to do about it. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children !== undefined && <div>{children}</div>}
      {action}
    </div>
  );
}

/** Holds the place of what is on its way, and says so to who cannot see it. */
export function Waiting({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles.waiting} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines that are all alike
        <span key={at} />
      ))}
    </div>
  );
}

/** Names and values, as on a form. */
export type Fact = readonly [name: string, value: ReactNode, width?: 'wide'];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, width]) => (
        <div key={name} className={width === undefined ? undefined : styles.wide}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
