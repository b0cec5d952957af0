/** Findings of a reader about a file. Each names the place that a person must look at. */

/** A place in a file: a line of text, a cell of a sheet, or a statement. */
export interface Place {
  sheet?: string;
  /** From 1. */
  line?: number;
  /** As a spreadsheet names it (`C7`), or the name of the column. */
  cell?: string;
  /** The instance of a STEP file: `#34`. */
  statement?: string;
}

export interface Finding {
  /** `error`: the line cannot be sent. `warning`: it is sent without what could not be read. `note`: it was left out by rule. */
  severity: 'error' | 'warning' | 'note';
  /** Stable, for programs. */
  code: string;
  place: Place;
  message: string;
}

/** The file as a whole cannot be taken: nothing of it is sent. */
export class FileFault extends Error {
  override name = 'FileFault';
  readonly code: string;
  readonly place: Place;
  constructor(code: string, message: string, place: Place = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }
}

/** `parts.xlsx, sheet BOM, cell C7`. */
export function placeText(file: string, { sheet, line, cell, statement }: Place): string {
  return [
    file,
    ...(sheet === undefined ? [] : [`sheet ${sheet}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(cell === undefined ? [] : [`cell ${cell}`]),
    ...(statement === undefined ? [] : [`statement ${statement}`]),
  ].join(', ');
}

const FINDINGS_KEPT = 1000;

const SUBJECTS_KEPT = 10;

/** Findings of one file: all are counted, the first thousand are kept. */
export class Findings {
  readonly kept: Finding[] = [];
  readonly counts: Record<string, number> = {};
  /** The first parts or designators that each kind of finding is about. */
  readonly subjects: Record<string, string[]> = {};
  errors = 0;
  warnings = 0;
  /** Told of each as it is found, for whoever wants more than the first thousand. */
  onFinding: ((finding: Finding) => void) | null = null;

  add(severity: Finding['severity'], code: string, place: Place, message: string, subject?: string): void {
    this.counts[code] = (this.counts[code] ?? 0) + 1;
    if (subject !== undefined && this.counts[code] <= SUBJECTS_KEPT) {
      this.subjects[code] ??= [];
      this.subjects[code].push(subject);
    }
    if (severity === 'error') this.errors += 1;
    if (severity === 'warning') this.warnings += 1;
    const finding = { severity, code, place, message };
    if (this.kept.length < FINDINGS_KEPT) this.kept.push(finding);
    this.onFinding?.(finding);
  }
}

const NO_ROOT = 'no assembly is named that the parts are in: only the parts are sent';

/** The text for one, and for several; or a text without a number. */
const noteTexts: Readonly<Record<string, readonly [string, string] | string>> = {
  no_key: ['line without a key was left out', 'lines without a key were left out'],
  not_fitted: [
    'line was left out because it is not fitted',
    'lines were left out because they are not fitted',
  ],
  other_variant: [
    'component was left out because it belongs to another variant',
    'components were left out because they belong to another variant',
  ],
  as_required: [
    'line was left out because it has no fixed quantity',
    'lines were left out because they have no fixed quantity',
  ],
  total_row: ['row of totals was left out', 'rows of totals were left out'],
  hidden_row: ['hidden row was left out', 'hidden rows were left out'],
  excluded: ['line was left out by rule', 'lines were left out by rule'],
  below_left_out: [
    'line was left out because it is below one that is',
    'lines were left out because they are below one that is',
  ],
  quantity_zero: ['use with quantity 0 was left out', 'uses with quantity 0 were left out'],
  assembly_repeated: [
    'sub-assembly stands there again and was taken once',
    'sub-assemblies stand there again and were taken once',
  ],
  name_as_key: [
    'line has no number and is known by its name',
    'lines have no number and are known by their names',
  ],
  parent_created: [
    'parent without a line of its own was created',
    'parents without lines of their own were created',
  ],
  top_quantity: [
    'topmost line has a quantity that is not sent, because no assembly is named that it is in',
    'topmost lines have quantities that are not sent, because no assembly is named that they are in',
  ],
  no_root: NO_ROOT,
};

/** The codes of what can be solved by naming the assembly that everything is in. */
export const solvedByRoot: ReadonlySet<string> = new Set(['no_root', 'top_quantity']);

/** The lines that were left out or treated by rule, in one sentence for each reason, with the first of them by name. */
export function countedNotes({ counts, subjects }: Pick<Findings, 'counts' | 'subjects'>): {
  code: string;
  text: string;
}[] {
  return Object.entries(noteTexts).flatMap(([code, text]) => {
    const count = counts[code];
    if (count === undefined) return [];
    if (typeof text === 'string') return [{ code, text }];
    const named = subjects[code] ?? [];
    const list = named.length === 0 ? '' : `: ${named.join(', ')}${named.length < count ? ' …' : ''}`;
    return [{ code, text: `${count} ${text[count === 1 ? 0 : 1]}${list}` }];
  });
}
