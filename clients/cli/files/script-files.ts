/** Scripts as files: what stands in the manifest beside them, and what the workspace has of them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Automation, NewAutomation } from '../../typescript/generated/types.ts';
import { listItems } from '../../typescript/list-items.ts';
import { UsageError } from '../exit-codes.ts';
import { nearNames } from '../near-names.ts';
import { shown } from '../output.ts';
import type { Session } from '../session.ts';
import { pathHere } from '../surroundings.ts';

export interface Kept {
  file: string;
  name: string;
  description: string;
  contextTypeId: number;
  enabled: boolean;
  actions?: NonNullable<NewAutomation['actions']>;
  button?: NonNullable<NewAutomation['button']>;
  filter?: NonNullable<NewAutomation['filter']>;
  schedule?: NonNullable<NewAutomation['schedule']>;
  threshold?: NonNullable<NewAutomation['threshold']>;
}

/** So many names are still read. */
const NAMED_MAX = 12;

/** The defaults of the service for omitted fields, so that an omitted field is no difference. */
const absent = { description: '', enabled: true };

/** Settings of some context types: they are kept where an automation has them. */
const settingNames = ['actions', 'button', 'filter', 'schedule', 'threshold'] as const;
type Settings = Pick<Kept, (typeof settingNames)[number]>;

/** Values that the service shows for settings that are not given. */
const settingDefaults: Readonly<Record<keyof Settings, object>> = {
  actions: {},
  button: { categories: [], states: [] },
  filter: { categories: [], states: [], properties: [], changed: [] },
  schedule: { timeZone: 'UTC' },
  threshold: {},
};

export function settingsOf(automation: Automation): Settings {
  const has = settingNames.filter((name) => automation[name] !== null);
  return Object.fromEntries(has.map((name) => [name, automation[name]]));
}

/** Whether the files say of the settings what the workspace has. */
export function hasSettings(known: Automation, kept: Settings): boolean {
  return settingNames.every((name) => {
    const setting: object | null = kept[name] ?? null;
    if (Array.isArray(setting)) return isDeepStrictEqual(known[name], setting.map(withSettings));
    const whole: Record<string, unknown> = { ...settingDefaults[name], ...setting };
    if (whole.parameters !== undefined) whole.parameters = { required: [], ...(whole.parameters as object) };
    return isDeepStrictEqual(known[name], setting === null ? null : whole);
  });
}

function withSettings(action: NonNullable<Kept['actions']>[number]) {
  return { action: action.action, settings: action.settings ?? {} };
}

export const MANIFEST = 'automations.json';

export async function customOf({ partbook, signal }: Session): Promise<Automation[]> {
  const all = await Array.fromAsync(listItems(partbook, 'GET /automations', {}, { signal }));
  return all.filter(({ kind }) => kind === 'custom');
}

/** The workspace's own automation of that name or id. */
export async function automationMeant(session: Session, text: string): Promise<Automation> {
  return automationOf(await customOf(session), text);
}

export function automationOf(all: readonly Automation[], text: string): Automation {
  const known = all.find((one) => one.name === text || one.id === text);
  if (known !== undefined) return known;
  throw new UsageError(`There is no automation called "${shown(text)}".${whichThereAre(text, all)}`);
}

/** The names that may have been meant, or those that there are; scripts that come with the service never run. */
function whichThereAre(wanted: string, all: readonly Automation[]): string {
  const plainName = (text: string) => text.trim().toLowerCase();
  const names = all.map(({ name }) => name);
  const near = nearNames(plainName(wanted), names, plainName);
  const quoted = (some: readonly string[]) => some.map((one) => `"${shown(one)}"`).join(', ');
  if (near.length > 0) return ` Is it ${quoted(near)}?`;
  if (names.length === 0) return ' The workspace has no automations of its own yet.';
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
  return ` There is ${quoted(names.slice(0, NAMED_MAX))}${more}.`;
}

export function fileNameOf(name: string, taken: Set<string>): string {
  const base =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'automation';
  let file = `${base}.js`;
  for (let again = 2; taken.has(file); again++) file = `${base}-${again}.js`;
  taken.add(file);
  return file;
}

/** Each script that it names, read: what is wrong with the files is found before anything is sent. */
export function scriptsOf(folder: string): (Kept & { script: string })[] {
  const path = join(folder, MANIFEST);
  if (!existsSync(pathHere(path)))
    throw new UsageError(`There is no ${path}: "partbook automations pull" writes one.`);
  const entries = readJson(path);
  if (!Array.isArray(entries)) throw new UsageError(`${path} holds no array of scripts.`);
  const names = new Set<string>();
  return entries.map((entry: Partial<Kept> | null, at) => {
    if (typeof entry?.file !== 'string' || typeof entry.name !== 'string')
      throw new UsageError(`${path}: entry ${at + 1} has no "file" and "name".`);
    if (names.has(entry.name)) throw new UsageError(`${path} names "${shown(entry.name)}" twice.`);
    names.add(entry.name);
    return { ...absent, ...(entry as Kept), script: readText(join(folder, entry.file)) };
  });
}

export function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`${path} is not JSON: ${error.message}`);
  }
}

export function readText(path: string): string {
  if (!existsSync(pathHere(path))) throw new UsageError(`There is no file ${path}.`);
  return readFileSync(pathHere(path), 'utf8');
}
