/**
 * Where the service is, which workspace, which key: a flag, else the environment, else `partbook.json` beside the work (which
 * holds no secrets), else what `partbook login` kept.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ImportDefinitionInput } from '../readers/definition/import-definition.schema.ts';
import { UsageError } from './exit-codes.ts';

export interface Flags {
  url?: string;
  workspace?: string;
  profile?: string;
}

export interface Settings {
  url: string;
  workspace: string;
  key: string;
  /** The origin of each setting, for `partbook doctor`. */
  from: { url: string; workspace: string; key: string };
}

export interface Profile {
  url: string;
  workspace: string;
  key: string;
}

/** `partbook.json`: goes into version control with the files that it is about. */
export interface ProjectFile {
  url?: string;
  workspace?: string;
  profile?: string;
  /** By the ending of a file's name or its whole name, such as `*.csv`: a definition's name in the workspace, or the definition. */
  definitions?: Record<string, string | ImportDefinitionInput>;
}

interface KeptFile {
  current?: string;
  profiles?: Record<string, Profile>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function keptFilePath(environment: Environment): string {
  const base = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config');
  return join(base, 'partbook', 'config.json');
}

export function readKept(environment: Environment): KeptFile {
  return readJson<KeptFile>(keptFilePath(environment)) ?? {};
}

/** Whole or not at all, and readable by nobody else. */
export function writeKept(environment: Environment, kept: KeptFile): string {
  const path = keptFilePath(environment);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  chmodSync(beside, 0o600);
  renameSync(beside, path);
  return path;
}

export function readProject(folder: string): ProjectFile {
  return readJson<ProjectFile>(join(folder, 'partbook.json')) ?? {};
}

/** The settings that are known; empty texts for the others. */
export function findSettings(flags: Flags, environment: Environment, folder: string): Settings {
  const project = readProject(folder);
  const kept = readKept(environment);
  const name = flags.profile ?? environment.PARTBOOK_PROFILE ?? project.profile ?? kept.current ?? 'default';
  const profile = kept.profiles?.[name];
  const isNamed = flags.profile ?? environment.PARTBOOK_PROFILE;
  if (isNamed !== undefined && profile === undefined) {
    throw new UsageError(
      `There is no profile "${isNamed}". Make it with: partbook login --profile ${isNamed}`,
    );
  }
  const first = (candidates: [value: string | undefined, from: string][]) =>
    candidates.find(([value]) => value !== undefined && value !== '') ?? ['', 'nowhere'];
  const [url, urlFrom] = first([
    [flags.url, '--url'],
    [environment.PARTBOOK_URL, 'PARTBOOK_URL'],
    [project.url, 'partbook.json'],
    [profile?.url, `profile ${name}`],
  ]);
  const [workspace, workspaceFrom] = first([
    [flags.workspace, '--workspace'],
    [environment.PARTBOOK_WORKSPACE, 'PARTBOOK_WORKSPACE'],
    [project.workspace, 'partbook.json'],
    [profile?.workspace, `profile ${name}`],
  ]);
  const [key, keyFrom] = first([
    [environment.PARTBOOK_API_KEY, 'PARTBOOK_API_KEY'],
    [profile?.key, `profile ${name}`],
  ]);
  return {
    url: url ?? '',
    workspace: workspace ?? '',
    key: key ?? '',
    from: { url: urlFrom, workspace: workspaceFrom, key: keyFrom },
  };
}

/** The same for whoever cannot do without. */
export function requireSettings(flags: Flags, environment: Environment, folder: string): Settings {
  const settings = findSettings(flags, environment, folder);
  const missing = (['url', 'workspace', 'key'] as const).filter((name) => settings[name] === '');
  if (missing.length > 0) {
    throw new UsageError(
      `Not known: ${missing.join(', ')}. Run "partbook login", or set PARTBOOK_URL, PARTBOOK_WORKSPACE and PARTBOOK_API_KEY.`,
    );
  }
  if (!/^https?:\/\//.test(settings.url))
    throw new UsageError(`"${settings.url}" is no address: it begins with https://.`);
  return settings;
}

function readJson<T>(path: string): T | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`);
  }
}
