/** The result of reading a file by its mapping: the totals, and what was not understood, with its place. */
import { Button, Checkbox } from '@mantine/core';
import { Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { countText, StatusWord } from '../components/words.tsx';
import styles from './imports.module.css';
import type { ReadingState } from './use-reading.ts';

const NUMBERS_NAMED = 5;

export interface ReadingResultProps {
  state: ReadingState;
  /** Columns that the mapping ignores. */
  unused: readonly string[];
  /** Rules of the suggestion that the person may want otherwise. */
  advice: readonly string[];
  /** Columns that are not written, because their unit does not convert. */
  unfit: readonly string[];
  /** Creates a property for each ignored column; null where the person may not. */
  onNewProperties: (() => void) | null;
  keepsOthers: boolean;
  onKeepOthers: (keeps: boolean) => void;
}

export function ReadingResult({
  state,
  unused,
  advice,
  unfit,
  onNewProperties,
  keepsOthers,
  onKeepOthers,
}: ReadingResultProps) {
  if (state.is === 'reading') return null;
  if (state.is === 'faulty') return <ProblemPanel error={state.error} />;
  const { reading, others } = state;
  const { summary, findings, notes, errors, warnings } = reading;
  const more = errors + warnings - findings.length;
  const named = [...others.keys()].slice(0, NUMBERS_NAMED).join(', ');
  return (
    <Sheet title="Summary">
      <ul className={styles.findings} aria-label="Summary">
        {summary.map((line) => (
          <li key={line}>{line}.</li>
        ))}
        {reading.encoding !== null && <li>The text encoding is {reading.encoding}.</li>}
        {unused.length > 0 && (
          <li>
            Ignored columns: {unused.join(', ')}.{' '}
            {onNewProperties !== null && (
              <Button size="xs" variant="default" onClick={onNewProperties}>
                {unused.length === 1 ? 'Create a property for it' : 'Create properties for them'}
              </Button>
            )}
          </li>
        )}
        {unfit.map((line) => (
          <li key={line}>
            <StatusWord tone="warn">warning</StatusWord> {line}
          </li>
        ))}
        {advice.map((line) => (
          <li key={line}>{line}</li>
        ))}
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
          label={`Update ${countText(others.size, 'part')} that the workspace has already (matches ${named}${others.size > NUMBERS_NAMED ? ' …' : ''})`}
          description="Otherwise new parts with the same numbers are created beside them."
          checked={keepsOthers}
          onChange={(event) => onKeepOthers(event.currentTarget.checked)}
        />
      )}
    </Sheet>
  );
}
