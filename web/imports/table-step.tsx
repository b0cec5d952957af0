/** The step of a table: the definition, the meaning of the columns, the summary, and the dry run. */
import { Button, Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { newPropertiesOf } from '../../clients/readers/definition/new-properties.ts';
import { withTitleUnits } from '../../clients/readers/definition/title-units.ts';
import { unusedColumns } from '../../clients/readers/definition/unused-columns.ts';
import type { ImportDefinition, ImportMapping, PropertyDefinition } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { useMay } from '../client/session.ts';
import { FootBar, Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { countText } from '../components/words.tsx';
import { useAskedPropertyDefinitions } from '../entities/configuration.ts';
import { bestChoice, type Choice, choiceOf, suggestedChoice } from './choose-definition.ts';
import { ColumnMapping } from './column-mapping.tsx';
import { DefinitionBar } from './definition-bar.tsx';
import styles from './imports.module.css';
import { forgetMapping, keepMapping } from './kept-mapping.ts';
import { titlesOf, withMeaning } from './mapping.ts';
import type { FileLook } from './read-file.ts';
import { ReadingResult } from './reading-result.tsx';
import { ReadingSettings } from './reading-settings.tsx';
import { PLAIN_PROFILE, type Sending } from './send-file.ts';
import { useReading } from './use-reading.ts';

const none: readonly PropertyDefinition[] = [];

export interface TableStepProps {
  file: File;
  look: FileLook;
  first: Choice;
  definitions: readonly ImportDefinition[];
  isSending: boolean;
  onSend: (sending: Sending, choice: Choice) => void;
}

export function TableStep({ file, look, first, definitions, isSending, onSend }: TableStepProps) {
  const asked = useAskedPropertyDefinitions();
  const properties = asked.data ?? none;
  const [choice, setChoice] = useState(first);
  const [saved, setSaved] = useState<ImportMapping | null>(() =>
    first.isKept === true
      ? (definitions.find(({ name }) => name === first.name)?.mapping ?? null)
      : first.name === null
        ? null
        : first.mapping,
  );
  const [keepsOthers, setKeepsOthers] = useState(true);
  const [isExact, setExact] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const client = useQueryClient();
  const mayConfigure = useMay('configuration');
  const inUnits = useMemo(() => withTitleUnits(choice.mapping, properties), [choice.mapping, properties]);
  const state = useReading(file, inUnits.definition, keepsOthers);

  const suggest = async (within: FileLook) => {
    forgetMapping();
    try {
      setError(null);
      setChoice(await suggestedChoice(within));
      setSaved(null);
    } catch (fault) {
      setError(fault);
    }
  };
  const choose = (definition: ImportDefinition | null) => {
    if (definition === null) {
      void suggest(look);
      return;
    }
    forgetMapping();
    setChoice(choiceOf(definition, look));
    setSaved(definition.mapping);
  };
  const change = (mapping: ImportMapping) => {
    const isSettled = mapping.structure !== choice.mapping.structure;
    const changed = { ...choice, mapping, ...(isSettled ? { problems: [] } : {}) };
    setChoice(changed);
    keepMapping(changed);
  };
  const createProperties = async () => {
    try {
      setError(null);
      let { mapping } = choice;
      const created: PropertyDefinition[] = [...properties];
      for (const body of newPropertiesOf(unusedColumns(mapping, titles))) {
        const title = body.key;
        const known = created.find(({ key }) => key === title);
        created.push(known ?? (await call('createPropertyDefinition', { body })));
        mapping = withMeaning(mapping, title, `property:${title}`, created);
      }
      await client.invalidateQueries();
      change(mapping);
    } catch (fault) {
      setError(fault);
    }
  };
  const beginAfresh = () => {
    const best = bestChoice(definitions, look);
    choose(definitions.find(({ name }) => name === best?.name) ?? null);
  };
  const isChanged = choice.name !== null && JSON.stringify(choice.mapping) !== JSON.stringify(saved);
  const told = useId();
  const { table } = choice;
  const titles = titlesOf(table?.rows[choice.headerAt] ?? []);
  const sheets = look.tables.flatMap(({ about }) => about.sheet ?? []);
  const profile = choice.name !== null && !isChanged ? choice.name : PLAIN_PROFILE;
  return (
    <>
      <DefinitionBar
        look={look}
        choice={choice}
        definitions={definitions}
        isChanged={isChanged}
        onChoose={choose}
        onSaved={({ name, mapping }) => {
          setChoice({ ...choice, name, mapping, isKept: false });
          setSaved(mapping);
          forgetMapping();
        }}
      />
      {choice.isKept === true && (
        <p className={styles.kept} role="status">
          Your last mapping for these columns is used.
          <Button size="xs" variant="default" onClick={beginAfresh}>
            Start over
          </Button>
        </p>
      )}
      {error !== null && <ProblemPanel error={error} />}
      {(choice.problems ?? []).map((problem) => (
        <p key={problem} className={styles.kept} role="alert">
          {problem}
          <Button size="xs" variant="default" onClick={() => setChoice({ ...choice, problems: [] })}>
            Read it as a flat list
          </Button>
        </p>
      ))}
      {table !== null && (
        <Sheet title="Columns" flush>
          <ColumnMapping choice={{ ...choice, table }} definitions={properties} onChange={change} />
          <ReadingSettings
            choice={{ ...choice, table }}
            sheets={sheets}
            onChange={change}
            onSheet={(sheet) =>
              void suggest({ ...look, tables: look.tables.filter(({ about }) => about.sheet === sheet) })
            }
          />
        </Sheet>
      )}
      <ReadingResult
        state={state}
        unused={unusedColumns(choice.mapping, titles)}
        advice={[...wordsOfNotes(inUnits.notes, false), ...(choice.notes ?? [])]}
        unfit={[...wordsOfNotes(inUnits.notes, true), ...(choice.unfit ?? [])]}
        onNewProperties={mayConfigure ? () => void createProperties() : null}
        keepsOthers={keepsOthers}
        onKeepOthers={setKeepsOthers}
      />
      <FootBar>
        <span id={told} role="status">
          {state.is === 'reading' ? state.words : wordsOf(state)}
        </span>
        <Checkbox
          label="Remove children that are not in the file"
          description="Only from the assemblies in the file."
          checked={isExact}
          onChange={(event) => setExact(event.currentTarget.checked)}
        />
        <Button
          loading={isSending}
          disabled={
            state.is !== 'read' ||
            // Without the definitions it is not known in which units their values are.
            asked.data === undefined ||
            state.reading.totals.elements === 0 ||
            (choice.problems ?? []).length > 0
          }
          aria-describedby={told}
          onClick={() =>
            state.is === 'read' &&
            onSend(
              {
                body: state.reading.elements,
                type: 'application/x-ndjson',
                profile,
                isExact,
                key: state.key,
              },
              choice,
            )
          }
        >
          Dry run
        </Button>
      </FootBar>
    </>
  );
}

function wordsOf(state: ReturnType<typeof useReading>): string {
  if (state.is !== 'read') return 'The file cannot be read this way.';
  const { errors, totals } = state.reading;
  return errors === 0
    ? `${countText(totals.elements, 'element')} will be sent.`
    : `${countText(totals.elements, 'element')} will be sent. ${countText(errors, 'line')} cannot be read and will be skipped.`;
}

/** Returns the messages on units: those of columns whose unit does not convert, or the others. */
function wordsOfNotes(notes: readonly { code: string; message: string }[], areUnfit: boolean): string[] {
  return notes.filter(({ code }) => (code === 'unit_unfit') === areUnfit).map(({ message }) => message);
}
