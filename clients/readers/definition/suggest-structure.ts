/** How a table writes its structure. A column that looks like structure and is not understood is a problem, never a flat list. */
import { levelNumber, marksBefore } from '../table/line-depth.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { Roles } from './column-roles.ts';
import { bareTitle, otherMatters, rolesOfTitle } from './column-titles.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { areWaysDown, namesLines, stepsOf, textsOf } from './path-columns.ts';
import type { KeyColumns } from './suggest-key.ts';
import type { Suggestion, SuggestionNote } from './suggestion.ts';

type Columns = NonNullable<ImportDefinitionInput['columns']>;

export interface Structure {
  structure: NonNullable<ImportDefinitionInput['structure']>;
  columns: Pick<Columns, 'level' | 'levels' | 'parent' | 'parentName' | 'row' | 'key'>;
  /** Whether the columns of levels have the keys themselves. */
  isKeyInLevels?: boolean;
  rules: Pick<ImportDefinitionInput, 'missingParents' | 'fillDown'>;
  warnings: SuggestionNote[];
  problems: Suggestion['problems'];
}

type Found = Pick<Structure, 'structure' | 'columns'> & Partial<Structure>;

/** `isMergedByTool`: the tool writes a parent into the first of its lines only. */
export function structureOf(
  table: readonly ColumnFacts[],
  roles: Roles,
  key: KeyColumns,
  isMergedByTool = false,
): Structure {
  const found =
    byColumns(table, roles) ??
    byLevel(roles) ??
    byParent(roles, key, isMergedByTool) ??
    byIndex(table, roles) ??
    byIndentation(table, roles) ??
    byPath(table, roles, key) ??
    byReference(table, roles, key) ??
    flat;
  return { rules: {}, warnings: [], problems: [], ...found };
}

const flat: Found = { structure: 'flat', columns: {} };

/** `L0`, `L1`, `L2`, or `Level 1`, `Level 2`: the text stands in the column of its level. */
function byColumns(table: readonly ColumnFacts[], roles: Roles): Found | null {
  const numbered = table.flatMap((column) => {
    const at =
      /^(l|lv|lvl|level|ebene|stufe|niveau|niv|nivel|livello|poziom|уровень|层级|階層|レベル)?(\d{1,2})$/.exec(
        bareTitle(column.title),
      );
    return at === null ? [] : [{ column, named: at[1] !== undefined, level: Number(at[2]) }];
  });
  const run = numbered.filter(({ level }, at) => level === (numbered[0]?.level ?? 0) + at);
  const [first] = run;
  if (run.length < 2 || first === undefined || first.level > 1) return null;
  const columns = run.map(({ column }) => column);
  const lines = first.column.all.map(
    (_, line) => columns.filter(({ all }) => (all[line] ?? '').trim() !== '').length,
  );
  const filled = lines.filter((count) => count > 0);
  const isSingle = filled.every((count) => count === 1);
  if (!run.every(({ named }) => named) && !isSingle) return null;
  const levels = columns.map(({ title }) => title);
  const isMark = columns.every(({ texts }) => texts.every((text) => text.length <= 2));
  if (isMark && roles.title('number') === undefined && roles.title('name') === undefined) return null;
  return {
    structure: 'columns',
    columns: { levels },
    isKeyInLevels: !isMark && roles.title('number') === undefined,
  };
}

/** A column of levels. */
function byLevel(roles: Roles): Found | null {
  const level = roles.facts('level');
  if (level === undefined || level.isEmpty) return null;
  const { title } = level;
  const texts = level.all.filter((text) => text.trim() !== '');
  const columns = { level: title };
  if (texts.every((text) => levelNumber.test(text.trim()))) {
    return level.isDottedIndex && level.hasDots
      ? { structure: 'items', columns }
      : { structure: 'levels', columns };
  }
  if (level.isDottedIndex || texts.every((text) => /^\s*\d+(?:\.\d+)*\.?\s*$/.test(text))) {
    return { structure: 'items', columns };
  }
  if (level.all.every((text) => text.trim() === marksBefore(text.trim())))
    return { structure: 'dots', columns };
  if (texts.some((text) => /^\./.test(text)) && level.share((text) => /\p{L}|\d/u.test(text)) === 1) {
    return { structure: 'dots', columns };
  }
  if (level.isIndented) return { structure: 'indented', columns };
  return { ...flat, problems: [unclear(level)] };
}

function unclear(column: ColumnFacts, more = ''): Suggestion['problems'][number] {
  const values = [...new Set(column.texts)].slice(0, 4).map((text) => `"${text}"`);
  const message = `The column "${column.title}" looks like the structure of an assembly, with values such as ${values.join(', ')}, and is not understood.${more} Say in a definition how it is meant: "structure" is levels, items, dots, indented, columns or parent, or flat where it means nothing.`;
  return { code: 'structure_unclear', message };
}

/** A column with the parent of each line. */
function byParent(roles: Roles, key: KeyColumns, isMergedByTool: boolean): Found | null {
  const parent = roles.facts('parent');
  if (parent === undefined || parent.isEmpty) return null;
  const keyAt = textsOf(roles, [key.key ?? key.number ?? []].flat());
  const quantity = roles.facts('quantity');
  const lines = parent.all
    .map((cell, line) => ({
      parent: cell.trim(),
      key: keyAt(line),
      // A line that is in no assembly has no quantity, and its empty parent is no merged cell.
      isUse: quantity === undefined || (quantity.all[line]?.trim() ?? '') !== '',
    }))
    .filter((line) => line.key !== '');
  const parents = new Set(lines.flatMap((line) => line.parent || []));
  const own = new Set(lines.map((line) => line.key));
  const among = (texts: ReadonlySet<string>) => [...parents].filter((one) => texts.has(one)).length;
  const names = new Set(roles.facts('name')?.texts);
  if (parent.texts.some((text) => stepsOf(text).length > 1 && !own.has(text))) {
    if (areWaysDown(parent, roles, key)) return asPaths(parent);
    if (namesLines(parent, roles, key))
      return {
        ...flat,
        problems: [unclear(parent, ' Its values are paths of which a step is no line above.')],
      };
  }
  const columns: Structure['columns'] = { parent: parent.title };
  const parentName = roles.title('parentName');
  if (parentName !== undefined) columns.parentName = parentName;
  const name = roles.title('name');
  if (among(own) === 0 && among(names) > 0 && name !== undefined) columns.key = name;
  else if (among(own) === 0) {
    const rows = rowColumns(roles, parent);
    if (rows.length > 0) {
      const [row] = rows;
      if (rows.length === 1 && row !== undefined && areAbove(row, parent))
        return { structure: 'parent', columns: { ...columns, row: row.title } };
      const more =
        ' Its values are positions or ids of lines and no part numbers, and not each stands above its parts.';
      return { ...flat, problems: [unclear(parent, more)] };
    }
  }
  if (columns.key === undefined && among(own) === 0 && [...parents].every((one) => /^\d$/.test(one))) {
    return { ...flat, problems: [unclear(parent)] };
  }
  const known = columns.key === undefined ? own : names;
  const missing = [...parents].filter((one) => !known.has(one));
  const warnings: SuggestionNote[] = [];
  if (missing.length > 0) {
    const message = `Parents without a line of their own are created: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ' …' : ''}.`;
    warnings.push({ code: 'parents_created', message });
  }
  const rules: Structure['rules'] = missing.length > 0 ? { missingParents: 'create' } : {};
  if (isMergedByTool) rules.fillDown = [parent.title];
  const empty = lines.filter((line) => line.parent === '' && line.isUse);
  const isMerged =
    !isMergedByTool &&
    lines.filter((line) => line.parent !== '').length === parents.size &&
    empty.length > 0 &&
    lines[0]?.parent !== '';
  if (isMerged) {
    if (empty.some((line) => parents.has(line.key))) {
      if (empty.length > 1) {
        const more =
          ' Some lines without a parent are assemblies, and others look like cells that were merged.';
        return { ...flat, problems: [unclear(parent, more)] };
      }
    } else {
      rules.fillDown = [parent.title];
      const message = `Lines with an empty "${parent.title}" belong to the parent above them, as in merged cells.`;
      warnings.push({ code: 'parents_filled', message });
    }
  }
  return { structure: 'parent', columns, rules, warnings };
}

/** Columns that identify the rows and have all the texts of the parents. */
function rowColumns(roles: Roles, parent: ColumnFacts): ColumnFacts[] {
  return roles.table.filter((column) => {
    if (column === parent || column === roles.facts('quantity')) return false;
    const own = new Set(column.texts);
    return own.size === column.texts.length && parent.texts.every((text) => own.has(text));
  });
}

/** Whether each parent stands in a row above those of its children. */
function areAbove(row: ColumnFacts, parent: ColumnFacts): boolean {
  const above = new Set<string>();
  return parent.all.every((cell, line) => {
    const isThere = cell.trim() === '' || above.has(cell.trim());
    above.add(row.all[line]?.trim() ?? '');
    return isThere;
  });
}

/** Indices such as 1.2.3 in the column of positions, or in any other. */
function byIndex(table: readonly ColumnFacts[], roles: Roles): Found | null {
  const item = roles.facts('item');
  if (item?.hasDots === true || item?.isIndex === true) {
    return item.isDottedIndex || item.isIndex || item.isPosition
      ? { structure: 'items', columns: { level: item.title } }
      : { ...flat, problems: [unclear(item)] };
  }
  const other = table.find(
    (column) =>
      (column.isDottedIndex || column.isIndex) &&
      !roles.isTaken(column) &&
      !otherMatters.test(bareTitle(column.title)),
  );
  return other === undefined ? null : { structure: 'items', columns: { level: other.title } };
}

/** Blanks or marks before a text: of the number, else of the name, else of any column. */
function byIndentation(table: readonly ColumnFacts[], roles: Roles): Found | null {
  const first = (['number', 'name'] as const).flatMap((role) => roles.facts(role) ?? []);
  const columns = [...first, ...table.filter((column) => !first.includes(column) && isText(column))];
  const indented = columns.find(({ isIndented }) => isIndented);
  if (indented !== undefined) return { structure: 'indented', columns: { level: indented.title } };
  const marked = columns.find(({ isMarked }) => isMarked);
  if (marked === undefined) return null;
  const isDrawn = marked.texts.some((text) => /^[│├└]/.test(text));
  return { structure: isDrawn ? 'indented' : 'dots', columns: { level: marked.title } };
}

const structureTitle =
  /^(?:bom|full|tree|hierarchy|assembly|product|structure)?path$|pfad$|struktur|structure|hierarch|^tree|baum$|arbo|层次|階層/;
const fileTitle = /file|datei|folder|ordner|verzeichnis|dossier|url|link|image|picture|symbol|footprint/;

/** Each line with its way down from the top. A path whose steps are no lines above is no layout that can be read, and no flat list. */
function byPath(table: readonly ColumnFacts[], roles: Roles, key: KeyColumns): Found | null {
  const path = table.find((column) => {
    const title = bareTitle(column.title);
    if (column === roles.facts('number') || column === roles.facts('category') || fileTitle.test(title))
      return false;
    return (
      column.isPath ||
      (structureTitle.test(title) && column.hasSteps) ||
      (column !== roles.facts('name') && namesLines(column, roles, key))
    );
  });
  if (path === undefined) return null;
  return areWaysDown(path, roles, key) ? asPaths(path) : { ...flat, problems: [unclear(path)] };
}

function asPaths({ title }: ColumnFacts): Found {
  return { structure: 'paths', columns: { level: title } };
}

/** Titles of columns that name another part of the list for some other reason. */
const relatedPart =
  /alternat|substitut|replac|ersatz|mirror|spiegel|similar|ähnlich|see|siehe|variant|original|base|like|pair/;

/** A column without a known title in which most lines name another line of the table, as a column of parents does. */
function byReference(table: readonly ColumnFacts[], roles: Roles, key: KeyColumns): Found | null {
  const [own = ''] = [key.key ?? key.number ?? []].flat();
  const keys = table.find(({ title }) => title === own);
  if (keys === undefined || keys.isPlainNumbers) return null;
  const known = new Set(keys.texts);
  const column = table.find(
    (one) =>
      one !== keys &&
      !roles.isTaken(one) &&
      one.texts.length >= Math.max(2, one.all.length / 2) &&
      one.texts.length < one.all.length &&
      one.texts.every((text) => known.has(text)) &&
      one.all.every((text, line) => text.trim() === '' || text.trim() !== keys.all[line]?.trim()) &&
      !relatedPart.test(bareTitle(one.title)),
  );
  return column === undefined ? null : { ...flat, problems: [unclear(column)] };
}

/** Tools pad numbers with blanks; a text that stands in means something. */
function isText(column: ColumnFacts): boolean {
  return (
    !column.isPlainNumbers &&
    !column.isReferences &&
    !rolesOfTitle(column.title).some(({ role }) => role === 'quantity' || role === 'unit' || role === 'note')
  );
}
