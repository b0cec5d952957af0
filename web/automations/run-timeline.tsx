/** The timeline of a run: its event, its wait, its log and calls, its changes, and what these caused. */
import type { AutomationRun } from '../client/operations.ts';
import { Sheet } from '../components/page-frame.tsx';
import { durationText, Moment } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './automations.module.css';

type Entry = AutomationRun['timeline'][number];

const kinds: Readonly<Record<Entry['kind'], string>> = {
  event: 'Event',
  start: 'Started',
  log: 'Log',
  call: 'Call',
  change: 'Change',
  end: 'Ended',
  mail: 'Mail',
  run: 'Caused a run',
};

export function RunTimeline({ timeline }: { timeline: readonly Entry[] }) {
  return (
    <Sheet title="Timeline">
      <ol className={styles.timeline} aria-label="Timeline">
        {timeline.map(({ at, kind, text, ms, ok, runId }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries may be alike
          <li key={index}>
            <Moment at={at} />
            <span className="muted">{kinds[kind]}</span>
            <span className={ok ? undefined : 'bad'}>
              {runId === null ? text : <Link href={paths.automationRun(runId)}>{text}</Link>}
            </span>
            <span className="muted">
              {ms !== null && (kind === 'start' ? `after ${durationText(ms)}` : durationText(ms))}
            </span>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
