/**
 * Writes the script of an automation that is made of built-in actions. Such an automation runs as any script does: once with its event,
 * within the limits of scripts, in its workspace's share of the threads, with a trace of its calls, and undone when one of them fails.
 */

/** The first line of every such script. */
export const SCRIPT_HEAD = '// The service has written this script from the actions of the automation.\n';

const FILL = `/** Puts fields of the event in place of {entityNumber} or {parameters.reason}. */
const fill = (value) =>
  typeof value !== 'string' ? value : value.replace(/\\{([\\w.]+)\\}/g, (braces, path) => {
    let found = context;
    for (const key of path.split('.')) found = typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? found[key] : undefined;
    if (found === undefined) return braces;
    if (found === null) return '';
    return typeof found === 'object' ? JSON.stringify(found) : String(found);
  });
const filled = (settings) => Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, fill(value)]));
const results = [];
`;

export interface AttachedAction {
  action: string;
  settings: Readonly<Record<string, unknown>>;
}

export function scriptOfActions(actions: readonly AttachedAction[]): string {
  const calls = actions.map(
    ({ action, settings }) =>
      `results.push(await api.actions.${action}(filled(${JSON.stringify(settings)})));\n`,
  );
  return `${SCRIPT_HEAD}${FILL}${calls.join('')}return results;\n`;
}
