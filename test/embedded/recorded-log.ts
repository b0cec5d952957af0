// A log that remembers, for tests that check what an operator gets to see.

export interface RecordedLog {
  entries: { level: string; obj: object; msg: string }[];
  debug(obj: object, msg: string): void;
  info(obj: object, msg: string): void;
  warn(obj: object, msg: string): void;
  error(obj: object, msg: string): void;
}

export function recordedLog(): RecordedLog {
  const entries: RecordedLog['entries'] = [];
  const at = (level: string) => (obj: object, msg: string) => void entries.push({ level, obj, msg });
  return { entries, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
