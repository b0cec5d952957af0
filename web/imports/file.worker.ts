/**
 * The thread that reads files, so that a large one does not stop the page. It uses the readers of the command line: a file becomes
 * the same elements whichever way it comes.
 */
import { ImportDefinition } from '../../clients/readers/definition/import-definition.schema.ts';
import { tableBeginnings } from '../../clients/readers/definition/table-beginning.ts';
import type { Element } from '../../clients/readers/element.ts';
import { blobSource } from '../../clients/readers/file-source.ts';
import { countedNotes, FileFault, type Finding, placeText } from '../../clients/readers/findings.ts';
import { openReading } from '../../clients/readers/read-elements.ts';
import { totalsInWords } from '../../clients/readers/reading-totals.ts';
import { cellText } from '../../clients/readers/table/header.ts';
import type { FileAnswer, FileLook, FileQuestion, FileReading } from './read-file.ts';

const PIECE_CHARACTERS = 256 * 1024;
const TOLD_EVERY_MS = 200;
const FINDINGS_SHOWN = 200;
/** Keys that are looked up in the workspace: a few hundred calls. Of a longer list none is. */
const MADE_KEYS_MAX = 100_000;

self.onmessage = async ({ data: question }: MessageEvent<FileQuestion>) => {
  try {
    if (question.ask === 'look') answer({ look: await look(question.file) });
    else answer({ reading: await read(question) });
  } catch (error) {
    answer({ fault: wordsOf(error) });
  }
};

function answer(message: FileAnswer): void {
  self.postMessage(message);
}

async function look(file: File): Promise<FileLook> {
  const { format, beginnings } = await tableBeginnings(blobSource(file, file.name));
  return {
    format,
    tables: beginnings.map(({ about, rows }) => ({
      about,
      rows: rows.map((cells) => Array.from(cells, cellText)),
    })),
  };
}

async function read({
  file,
  mapping,
  guids,
  known,
}: Extract<FileQuestion, { ask: 'read' }>): Promise<FileReading> {
  const definition = ImportDefinition.parse(mapping);
  const made = new Map<string, string>();
  const reading = await openReading(blobSource(file, file.name), definition, {
    onMadeGuid: (key, guid) => {
      if (made.size <= MADE_KEYS_MAX) made.set(key, guid);
      return guids.get(key) ?? guid;
    },
    isKnown: (key) => known.has(key),
  });
  const findings: Finding[] = [];
  reading.findings.onFinding = (finding) => {
    if (finding.severity !== 'note' && findings.length < FINDINGS_SHOWN) findings.push(finding);
  };
  const elements = await written(reading.elements());
  const { errors, warnings } = reading.findings;
  return {
    elements,
    totals: reading.totals,
    summary: totalsInWords(reading.totals),
    encoding: reading.encoding,
    errors,
    warnings,
    findings: findings.map(({ severity, place, message }) => ({
      severity,
      message: `${capital(placeText('', place).replace(/^, /, ''))}: ${message}`,
    })),
    notes: countedNotes(reading.findings).map(({ text }) => text),
    // What tells parts apart is their number only where the definition says nothing else.
    made: definition.columns.key === undefined && made.size <= MADE_KEYS_MAX ? made : new Map(),
  };
}

/** As NDJSON, in pieces that the browser may keep on disk. */
async function written(elements: AsyncIterable<Element>): Promise<Blob> {
  const pieces: Blob[] = [];
  let text = '';
  let count = 0;
  let toldAt = performance.now();
  for await (const element of elements) {
    text += `${JSON.stringify(element)}\n`;
    count += 1;
    if (text.length >= PIECE_CHARACTERS) {
      pieces.push(new Blob([text]));
      text = '';
    }
    if (performance.now() - toldAt < TOLD_EVERY_MS) continue;
    toldAt = performance.now();
    answer({ progress: count });
  }
  return new Blob([...pieces, text]);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function wordsOf(error: unknown): string {
  if (error instanceof FileFault) {
    const place = placeText('', error.place).replace(/^, /, '');
    return place === '' ? error.message : `${capital(place)}: ${error.message}`;
  }
  const { issues } = error as { issues?: { path: PropertyKey[]; message: string }[] };
  if (issues !== undefined) {
    const said = issues.map(({ path, message }) => `${path.join('.') || 'definition'}: ${message}`);
    return `The definition cannot be used. ${said.join(' ')}`;
  }
  return error instanceof Error ? error.message : String(error);
}
