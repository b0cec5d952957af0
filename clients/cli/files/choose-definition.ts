/**
 * Chooses the definition that a file is read by: the one that the caller names (a file, or one of the workspace), the one that
 * partbook.json names for files like it, or a suggestion.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, matchesGlob } from 'node:path';
import {
  ImportDefinition,
  type ImportDefinitionInput,
} from '../../readers/definition/import-definition.schema.ts';
import { suggestForFile, tableUnclear } from '../../readers/definition/suggest-for-file.ts';
import type { Suggestion, WorkspaceHints } from '../../readers/definition/suggestion.ts';
import { namesUnits, withTitleUnits } from '../../readers/definition/title-units.ts';
import { isTable } from '../../readers/detect-format.ts';
import type { FileSource } from '../../readers/file-source.ts';
import type { Partbook } from '../../typescript/connect.ts';
import { ApiError } from '../../typescript/errors.ts';
import { listItems } from '../../typescript/list-items.ts';
import { UsageError } from '../exit-codes.ts';
import type { ProjectFile } from '../settings.ts';
import { pathHere } from '../surroundings.ts';

export interface DefinitionFlags {
  definition?: string;
  root?: string;
  rootName?: string;
  key?: string;
  sheet?: string;
  encoding?: string;
  decimal?: string;
  variant?: string;
  match?: string;
  category?: string[];
}

export interface Chosen {
  definition: ImportDefinition;
  /** The import definition's name, which becomes the batch's profile. */
  profile: string | undefined;
  /** A definition that is only suggested, so somebody should look at it first. */
  suggested: ImportDefinitionInput | null;
  /** Columns of a table that the suggestion takes nothing from. */
  leftOut: readonly string[];
  /** Rules of the suggestion that somebody may want otherwise. */
  notes: readonly string[];
  /** Values of a column of categories that are no categories of the workspace. */
  categories: Suggestion['categories'];
}

/** `partbook` is null where no workspace is asked: then the definition is a file, or a suggestion without its properties. */
export async function chooseDefinition(
  source: FileSource,
  flags: DefinitionFlags,
  project: ProjectFile,
  partbook: Partbook | null,
): Promise<Chosen> {
  const named = flags.definition ?? definitionFor(source.name, project);
  if (named !== undefined) {
    const { input, profile } =
      typeof named === 'string' ? await load(named, partbook) : { input: named, profile: undefined };
    const { definition, notes } = await inUnits(parse(withFlags(input, flags)), partbook);
    return {
      definition,
      profile,
      suggested: null,
      leftOut: [],
      notes: notes.map(({ message }) => message),
      categories: null,
    };
  }
  const { format, suggestion, beginnings } = await suggestForFile(
    source,
    partbook === null ? {} : await hintsOf(partbook),
  );
  if (suggestion === null || suggestion.problems.length > 0) {
    throw tableUnclear(beginnings, suggestion?.problems);
  }
  const input = withFlags(suggestion.definition, flags, suggestion.categories?.column);
  const { unused, warnings, tool, categories } = suggestion;
  const isOfTable = isTable(format);
  return {
    definition: parse(input),
    profile: undefined,
    suggested: isOfTable ? input : null,
    leftOut: isOfTable ? unused : [],
    notes: [
      ...(tool === null ? [] : [`Read as a list of ${tool}.`]),
      ...warnings.filter(({ code }) => code !== 'no_quantities').map(({ message }) => message),
    ],
    categories: flags.category === undefined ? categories : null,
  };
}

/** Numbers of columns with a unit in their title have this unit. The workspace is only asked if there are such columns. */
async function inUnits(definition: ImportDefinition, partbook: Partbook | null) {
  if (partbook === null || !namesUnits(definition)) return { definition, notes: [] };
  return withTitleUnits(definition, (await hintsOf(partbook)).properties ?? []);
}

/** The properties and categories of the workspace: columns with the title of a property become that property. */
export async function hintsOf(partbook: Partbook, signal?: AbortSignal): Promise<WorkspaceHints> {
  const options = signal === undefined ? {} : { signal };
  const [properties, categories] = await Promise.all([
    Array.fromAsync(listItems(partbook, 'GET /property-definitions', {}, options)),
    Array.fromAsync(listItems(partbook, 'GET /categories', {}, options)),
  ]);
  return {
    properties,
    categories: categories.map(({ key }) => key),
    categoryNames: Object.fromEntries(categories.map(({ key, name }) => [key, name])),
  };
}

function definitionFor(
  path: string,
  { definitions = {} }: ProjectFile,
): string | ImportDefinitionInput | undefined {
  const name = basename(path);
  return Object.entries(definitions).find(([pattern]) => matchesGlob(name, pattern))?.[1];
}

async function load(
  name: string,
  partbook: Partbook | null,
): Promise<{ input: ImportDefinitionInput; profile: string | undefined }> {
  if (existsSync(pathHere(name))) {
    try {
      return {
        input: JSON.parse(readFileSync(pathHere(name), 'utf8')) as ImportDefinitionInput,
        profile: undefined,
      };
    } catch (error) {
      throw new UsageError(`${name} is not JSON: ${(error as Error).message}`);
    }
  }
  if (partbook === null) throw new UsageError(`There is no file ${name}.`);
  try {
    const { mapping } = await partbook('GET /import-definitions/{name}', { name });
    return { input: mapping as ImportDefinitionInput, profile: name };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw new UsageError(`"${name}" is neither a file nor an import definition of the workspace.`);
  }
}

/** `categoryColumn` is the column that `--category VALUE=KEY` speaks of where none is named. */
function withFlags(
  input: ImportDefinitionInput,
  flags: DefinitionFlags,
  categoryColumn = input.columns?.category,
): ImportDefinitionInput {
  const { root, rootName, key, sheet, encoding, decimal, variant, match, category } = flags;
  const given = { productKey: key, sheet, encoding, decimal, variant, match };
  const rules = (category ?? []).map((text) => categoryRule(text, categoryColumn));
  return {
    ...input,
    ...(root === undefined
      ? {}
      : { root: { ...input.root, number: root, ...(rootName === undefined ? {} : { name: rootName }) } }),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(rules.length === 0
      ? {}
      : { categories: { ...input.categories, rules: [...rules, ...(input.categories?.rules ?? [])] } }),
  };
}

/** `Screw=fastener`, or `Type:Screw=fastener` with the column. */
function categoryRule(
  text: string,
  known: string | undefined,
): { column: string; values: string[]; category: string } {
  const [, column = known, value, category] = /^(?:([^:=]+):)?([^=]+)=([^=]+)$/.exec(text) ?? [];
  if (value === undefined || category === undefined) {
    throw new UsageError(`--category is VALUE=KEY or COLUMN:VALUE=KEY, and not "${text}".`);
  }
  if (column === undefined) {
    throw new UsageError(
      `No column of categories is known: --category "COLUMN:${value}=${category}" names it.`,
    );
  }
  return { column, values: [value], category };
}

/** Throws with one line for each thing that is wrong. */
export function parse(input: ImportDefinitionInput): ImportDefinition {
  const parsed = ImportDefinition.safeParse(input);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(
    ({ path, message }) => `  ${path.join('.') || 'definition'}: ${message}`,
  );
  throw new UsageError(`The definition cannot be used:\n${lines.join('\n')}`);
}
