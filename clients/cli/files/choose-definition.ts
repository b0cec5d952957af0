/**
 * Which definition a file is read by: the one that was named (a file, or one of the workspace), the one that partbook.json
 * names for files like it, or, for formats that say by themselves what they hold, none but the flags.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, matchesGlob } from 'node:path';
import {
  ImportDefinition,
  type ImportDefinitionInput,
} from '../../readers/definition/import-definition.schema.ts';
import type { WorkspaceHints } from '../../readers/definition/suggest-definition.ts';
import { suggestForFile } from '../../readers/definition/suggest-for-file.ts';
import type { FileSource } from '../../readers/file-source.ts';
import type { Partbook } from '../../typescript/connect.ts';
import { ApiError } from '../../typescript/errors.ts';
import { listItems } from '../../typescript/list-items.ts';
import { UsageError } from '../exit-codes.ts';
import type { ProjectFile } from '../settings.ts';

export interface DefinitionFlags {
  definition?: string;
  root?: string;
  rootName?: string;
  key?: string;
  sheet?: string;
  encoding?: string;
}

export interface Chosen {
  definition: ImportDefinition;
  /** The import definition's name, which becomes the batch's profile. */
  profile: string | undefined;
  /** Whether somebody should look at it first: it was only suggested. */
  suggested: ImportDefinitionInput | null;
  /** Columns of a table that the suggestion takes nothing from. */
  leftOut: readonly string[];
}

/** Null where the partbook is not asked: a definition that is a file, or none. */
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
    return { definition: parse(withFlags(input, flags)), profile, suggested: null, leftOut: [] };
  }
  const { format, suggestion } = await suggestForFile(
    source,
    partbook === null ? {} : await hintsOf(partbook),
  );
  const input = suggestion?.definition ?? {};
  const isTable = format === 'csv' || format === 'xlsx';
  return {
    definition: parse(withFlags(input, flags)),
    profile: undefined,
    suggested: isTable ? withFlags(input, flags) : null,
    leftOut: isTable ? (suggestion?.unused ?? []) : [],
  };
}

/**
 * What the workspace has: columns that are called like one of its properties become that, and a category that it does not have would be
 * refused with all that is of it.
 */
export async function hintsOf(partbook: Partbook, signal?: AbortSignal): Promise<WorkspaceHints> {
  const options = signal === undefined ? {} : { signal };
  const [properties, categories] = await Promise.all([
    Array.fromAsync(listItems(partbook, 'GET /property-definitions', {}, options)),
    Array.fromAsync(listItems(partbook, 'GET /categories', {}, options)),
  ]);
  return { properties, categories: categories.map(({ key }) => key) };
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
  if (existsSync(name)) {
    try {
      return { input: JSON.parse(readFileSync(name, 'utf8')) as ImportDefinitionInput, profile: undefined };
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

function withFlags(input: ImportDefinitionInput, flags: DefinitionFlags): ImportDefinitionInput {
  const { root, rootName, key, sheet, encoding } = flags;
  return {
    ...input,
    ...(root === undefined
      ? {}
      : { root: { ...input.root, number: root, ...(rootName === undefined ? {} : { name: rootName }) } }),
    ...(key === undefined ? {} : { productKey: key as NonNullable<ImportDefinitionInput['productKey']> }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(encoding === undefined ? {} : { encoding }),
  };
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
