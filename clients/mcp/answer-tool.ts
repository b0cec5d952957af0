/** How tools answer: JSON as text, and refusals as answers that an agent can read and act on. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ApiError, ArgumentError, PartbookError } from '../typescript/errors.ts';

/** Items of one answer: an agent asks for the next page rather than reading a book. */
export const ITEMS_MAX = 50;

export const Reference = z
  .string()
  .min(1)
  .max(300)
  .meta({ description: 'An entity: its id, or `guid:` and its GUID.' });

export const Configuration = z.enum(['current', 'asReleased', 'latestReleased']).default('current').meta({
  description:
    'Which revisions: those of now; the newest released one of the assembly with its children as they were released; or the newest released one of each.',
});

export interface ToolOptions {
  signal?: AbortSignal;
}

/** The input of a tool that answers in pages. */
export const page = {
  cursor: z.string().max(4096).optional().meta({ description: '`nextCursor` of the page before.' }),
};

/** Annotations of a tool that changes nothing. */
export const reads = { readOnlyHint: true, openWorldHint: false } as const;
/** Tools that add something, and take nothing away. */
export const writes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

/** Without what is not said. */
export function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** The first of an answer that has no pages, and how many more there are. */
export function firstOf<Item>({ items }: { items: readonly Item[] }): { items: Item[]; more: number } {
  return { items: items.slice(0, ITEMS_MAX), more: Math.max(0, items.length - ITEMS_MAX) };
}

export async function answer(asked: Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await asked) }] };
  } catch (error) {
    if (!(error instanceof PartbookError)) throw error;
    const { message } = error;
    const said =
      error instanceof ApiError
        ? { code: error.code, message, ...detailsOf(error), requestId: error.requestId }
        : { code: error instanceof ArgumentError ? 'invalid_argument' : 'unreachable', message };
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(said) }] };
  }
}

/** The fields beside the message of a refusal, such as `allowed` or `reasons`, by which an agent can act. */
const standard: ReadonlySet<string> = new Set('type,title,status,detail,instance,code,requestId'.split(','));

function detailsOf({ problem }: ApiError): Record<string, unknown> {
  return Object.fromEntries(Object.entries(problem).filter(([field]) => !standard.has(field)));
}
