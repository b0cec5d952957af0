/**
 * Summarises results: errors and warnings by code, property and message, with a few examples of each, and the
 * changes of a dry run. Digests of chunks are merged into that of their batch, and each is bounded whatever the
 * payload held.
 */
import type { SyncResult } from './sync-result.ts';

export interface Example {
  index: number;
  guid: string | null;
  /** The message of this element, where the problem has none. */
  message?: string;
}

export interface Problem {
  kind: 'error' | 'warning';
  code: string;
  /** The property concerned; null where none is. */
  property: string | null;
  /** The message; null where there are too many different ones. */
  message: string | null;
  count: number;
  examples: Example[];
}

export interface Digest {
  problems: Problem[];
  /** Counts of a dry run: entities whose fields would change, entities whose links would change, and links. */
  changed: { fields: number; structure: number; links: number };
}

/** Messages of one code and property. A message that names a value may be another in each element. */
const MESSAGES_MAX = 10;
/** Codes with their properties, and messages in all. */
const SUBJECTS_MAX = 100;
const GROUPS_MAX = 100;
const EXAMPLES_MAX = 3;
/** Messages quote what was sent. */
const MESSAGE_CHARS_MAX = 300;

/** Returns null where there is nothing to report. */
export function digestResults(results: readonly SyncResult[]): Digest | null {
  const changed = { fields: 0, structure: 0, links: 0 };
  const problems: Problem[] = [];
  for (let i = 0; i < results.length; i++) {
    const result = results[i] as SyncResult;
    if (isQuiet(result)) continue;
    const { index, guid, code, message = '', warnings = [], changes = [], links = [] } = result;
    if (changes.length > 0) changed.fields++;
    if (links.length > 0) changed.structure++;
    changed.links += links.length;
    const tell = (kind: Problem['kind'], of: string, property: string | null, text: string) => {
      const short = text.slice(0, MESSAGE_CHARS_MAX);
      problems.push({ kind, code: of, property, message: short, count: 1, examples: [{ index, guid }] });
    };
    if (code !== undefined) tell('error', code, null, message);
    for (const warning of warnings) tell('warning', warning.code, warning.property ?? null, warning.message);
  }
  if (problems.length === 0 && changed.fields === 0 && changed.structure === 0) return null;
  return { problems: gather(problems), changed };
}

/** Nearly all say nothing but what became of the element. */
function isQuiet({ code, warnings, changes, links }: SyncResult): boolean {
  return code === undefined && warnings === undefined && changes === undefined && links === undefined;
}

/** The digest of all of them, most frequent problems first. */
export function mergeDigests(digests: readonly Digest[]): Digest {
  const changed = { fields: 0, structure: 0, links: 0 };
  for (const one of digests) {
    changed.fields += one.changed.fields;
    changed.structure += one.changed.structure;
    changed.links += one.changed.links;
  }
  const problems = gather(digests.flatMap((one) => one.problems));
  return { problems, changed };
}

function gather(problems: readonly Problem[]): Problem[] {
  const bySubject = Map.groupBy(problems, ({ kind, code, property }) =>
    JSON.stringify([kind, code, property]),
  );
  const subjects = [...bySubject.values()].map((some) => ({ some, messages: gatherMessages(some) }));
  const groups = subjects.reduce((sum, { messages }) => sum + messages.length, 0);
  const kept = subjects
    .slice(0, SUBJECTS_MAX)
    .flatMap(({ some, messages }) => (groups > GROUPS_MAX ? [foldMessages(some)] : messages));
  // Beyond the bound only the code is counted, without its property.
  const rest = subjects.slice(SUBJECTS_MAX).flatMap(({ some }) => some);
  const byCode = Map.groupBy(rest, ({ kind, code }) => `${kind} ${code}`);
  const folded = [...byCode.values()].map((some) => ({ ...foldMessages(some), property: null }));
  return [...kept, ...folded].toSorted((a, b) =>
    a.kind === b.kind ? b.count - a.count : a.kind === 'error' ? -1 : 1,
  );
}

/** Groups problems of one code and property by message, or all in one group. */
function gatherMessages(problems: readonly Problem[]): Problem[] {
  const byMessage = Map.groupBy(problems, (problem) => problem.message);
  if (byMessage.has(null) || byMessage.size > MESSAGES_MAX) return [foldMessages(problems)];
  return [...byMessage.values()].map(fold);
}

/** In one, whose examples have their messages. */
function foldMessages(problems: readonly Problem[]): Problem {
  const named = problems.map((problem) => {
    const { message, examples } = problem;
    return message === null
      ? problem
      : { ...problem, examples: examples.map((one) => ({ ...one, message })) };
  });
  return { ...fold(named), message: null };
}

function fold(problems: readonly Problem[]): Problem {
  return {
    ...(problems[0] as Problem),
    count: problems.reduce((sum, problem) => sum + problem.count, 0),
    examples: problems
      .flatMap((problem) => problem.examples)
      .toSorted((a, b) => a.index - b.index)
      .slice(0, EXAMPLES_MAX),
  };
}
