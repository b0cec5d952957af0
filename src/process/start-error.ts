/**
 * Returns what to do where a package is missing; null for another error. A file of the service itself that is missing is a fault, not a
 * package.
 */
export function missingPackage(error: unknown): string | null {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND' || typeof message !== 'string') return null;
  const name = /^Cannot find package '([^']+)'/.exec(message)?.[1];
  return name === undefined
    ? null
    : `The package ${name} is not installed. Run \`npm install\`, then start again.`;
}

/** A start that fails for a reason which its message explains in full: main logs the message without a stack. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
