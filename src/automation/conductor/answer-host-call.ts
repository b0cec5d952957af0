/** Answers an `api` call of a script on the host: checks it, makes it, and returns its answer as text. */
import { AppError } from '../../errors.ts';
import type { HostAnswer } from '../sandbox/sandbox-host.ts';
import { type ApiMethod, apiArguments, isWriteMethod } from './api.schema.ts';

/**
 * Does what the script asks. An `AppError` below 500 refuses the call and the script can catch it; anything
 * else is ours, ends the run without a result and rejects `runScript`. `signal` aborts when the run is over.
 */
export type HostCalls = (method: ApiMethod, args: unknown[], signal: AbortSignal) => Promise<unknown>;

const DEPTH_MAX = 32;

export async function answerHostCall(
  hostCalls: HostCalls,
  call: { method: string; argsJson: string },
  limits: { hostCallBytes: number },
  signal: AbortSignal,
): Promise<HostAnswer> {
  const { method, argsJson } = call;
  if (!Object.hasOwn(apiArguments, method))
    return refusal('unknown_method', `api has no method ${JSON.stringify(method)}`);
  const name = method as ApiMethod;
  if (Buffer.byteLength(argsJson) > limits.hostCallBytes) {
    return refusal(
      'arguments_too_large',
      `${name}: the arguments are larger than ${limits.hostCallBytes} bytes of JSON`,
    );
  }
  const args = readArguments(name, argsJson);
  if (!args.ok) return refusal('validation_failed', `${name}: ${args.fault}`);
  let answer: unknown;
  try {
    answer = await hostCalls(name, args.value, signal);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return refusal(error.code, error.message);
    throw error;
  }
  const json = JSON.stringify(answer) ?? '';
  if (Buffer.byteLength(json) > limits.hostCallBytes) {
    return refusal(
      'answer_too_large',
      `${name}: the answer is larger than ${limits.hostCallBytes} bytes of JSON: ask for less`,
    );
  }
  return { ok: true, json, writes: isWriteMethod(name) };
}

function readArguments(
  method: ApiMethod,
  argsJson: string,
): { ok: true; value: unknown[] } | { ok: false; fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(argsJson);
  } catch {
    return { ok: false, fault: 'the arguments are not JSON' };
  }
  const fault = faultInText(value, 0);
  if (fault !== null) return { ok: false, fault };
  const parsed = apiArguments[method].safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const [index, ...path] = issue?.path ?? [];
  const place =
    typeof index === 'number'
      ? `argument ${index + 1}${path.map((key) => `.${String(key)}`).join('')}: `
      : '';
  return { ok: false, fault: `${place}${issue?.message ?? 'not valid'}` };
}

/** PostgreSQL stores neither U+0000 nor half characters, and nothing here is nested deeply. */
function faultInText(value: unknown, depth: number): string | null {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed()
      ? 'text must not contain U+0000 or half of a character'
      : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= DEPTH_MAX) return `the arguments are nested more than ${DEPTH_MAX} deep`;
  for (const [key, inner] of Object.entries(value)) {
    const fault = faultInText(key, depth) ?? faultInText(inner, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function refusal(code: string, message: string): HostAnswer {
  return { ok: false, code, message };
}
