/** What a file became by its mapping: how much of it, and what was not understood, with its place. */
import { Checkbox } from '@mantine/core';
import { Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { countText, StatusWord } from '../components/words.tsx';
import styles from './imports.module.css';
import type { ReadingState } from './use-reading.ts';

const NUMBERS_NAMED = 5;

export interface ReadingResultProps {
  state: ReadingState;
  /** Columns of which nothing is made. */
  unused: readonly string[];
  keepsOthers: boolean;
  onKeepOthers: (keeps: boolean) => void;
}

export function ReadingResult({ state, unused, keepsOthers, onKeepOthers }: ReadingResultProps) {
  if (state.is === 'reading') return null;
  if (state.is === 'faulty') return <ProblemPanel error={state.error} />;
  const { reading, others } = state;
  const { totals, findings, notes, errors, warnings } = reading;
  const more = errors + warnings - findings.length;
  const named = [...others.keys()].slice(0, NUMBERS_NAMED).join(', ');
  return (
    <Sheet title="What was understood">
      <ul className={styles.findings} aria-label="What was understood">
        <li>
          {countText(totals.elements, 'element')} of {countText(totals.parts, 'part')} and{' '}
          {countText(totals.links, 'link')}.
        </li>
        {reading.encoding !== null && <li>The text is {reading.encoding}.</li>}
        {unused.length > 0 && <li>Left out: {unused.join(', ')}.</li>}
        {notes.map((note) => (
          <li key={note}>{note}.</li>
        ))}
        {findings.map(({ severity, message }) => (
          <li key={message}>
            <StatusWord tone={severity === 'error' ? 'bad' : 'warn'}>{severity}</StatusWord> {message}
          </li>
        ))}
        {more > 0 && <li>… and {more} more.</li>}
      </ul>
      {others.size > 0 && (
        <Checkbox
          label={`${countText(others.size, 'number is', 'numbers are')} known here by other GUIDs (${named}${others.size > NUMBERS_NAMED ? ' …' : ''}): take ${others.size === 1 ? 'it' : 'them'} for the same.`}
          description="Otherwise they become parts of their own, with the same number."
          checked={keepsOthers}
          onChange={(event) => onKeepOthers(event.currentTarget.checked)}
        />
      )}
    </Sheet>
  );
}
