/**
 * Configurations that a process or thread has parsed, until they change. Every transaction asks which version the
 * workspace has, so it sees at once what another process changes.
 */
import type { Db } from '../../db/connect.ts';
import type { WorkspaceConfiguration } from './workspace-configuration.ts';

/** Bytes of JSON; parsed it takes some four times as much. Those used last are kept. */
const CACHE_BYTES_MAX = 8 * 1024 * 1024;

interface Kept {
  version: string;
  bytes: number;
  configuration: WorkspaceConfiguration;
}

export class ConfigurationCache {
  readonly #bytesMax: number;
  /** The key is the workspace; those used last come last. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(bytesMax = CACHE_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  find(workspaceId: string, version: string): WorkspaceConfiguration | null {
    const found = this.#kept.get(workspaceId);
    if (found?.version !== version) return null;
    this.#kept.delete(workspaceId);
    this.#kept.set(workspaceId, found);
    return found.configuration;
  }

  /** Returns what the workspace had when this process last looked, whatever it has by now. */
  last(workspaceId: string): Readonly<Kept> | null {
    return this.#kept.get(workspaceId) ?? null;
  }

  keep(workspaceId: string, kept: Kept): void {
    this.#forget(workspaceId);
    if (kept.bytes > this.#bytesMax) return;
    this.#kept.set(workspaceId, kept);
    this.#bytes += kept.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#forget(oldest);
    }
  }

  #forget(workspaceId: string): void {
    this.#bytes -= this.#kept.get(workspaceId)?.bytes ?? 0;
    this.#kept.delete(workspaceId);
  }
}

const caches = new WeakMap<Db, ConfigurationCache>();

/** The one of a process's or a thread's way to the database. */
export function cacheOf(db: Db): ConfigurationCache {
  let cache = caches.get(db);
  if (cache === undefined) {
    cache = new ConfigurationCache();
    caches.set(db, cache);
  }
  return cache;
}
