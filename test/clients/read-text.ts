/** What a reader makes of a text, for tests: elements, findings, or the fault that stops it. */
import {
  ImportDefinition,
  type ImportDefinitionInput,
} from '../../clients/readers/definition/import-definition.schema.ts';
import type { Element } from '../../clients/readers/element.ts';
import { bytesSource, type FileSource } from '../../clients/readers/file-source.ts';
import type { Findings } from '../../clients/readers/findings.ts';
import { openReading } from '../../clients/readers/read-elements.ts';

export interface Read {
  elements: Element[];
  findings: Findings;
  encoding: string | null;
  /** `number of the parent > number: quantity`; only the number where there is no parent. */
  lines: string[];
}

export async function readFrom(source: FileSource, definition: ImportDefinitionInput): Promise<Read> {
  const reading = await openReading(source, ImportDefinition.parse(definition));
  const elements = await Array.fromAsync(reading.elements());
  const numbers = new Map(elements.map(({ guid, number }) => [guid, number]));
  const lines = elements.map(({ number, parentGuid, quantity }) =>
    parentGuid === null ? number : `${numbers.get(parentGuid) ?? '?'} > ${number}: ${quantity}`,
  );
  return { elements, findings: reading.findings, encoding: reading.encoding, lines };
}

/** The text in pieces of that many bytes, so that everything is cut somewhere. */
export function textSource(text: string | Uint8Array, pieceBytes = Number.POSITIVE_INFINITY): FileSource {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const whole = bytesSource(bytes, 'file');
  return {
    ...whole,
    read: async function* (start = 0, end = bytes.length) {
      for (let at = start; at < end; at += pieceBytes)
        yield bytes.subarray(at, Math.min(end, at + pieceBytes));
    },
  };
}

export function readText(
  text: string | Uint8Array,
  definition: ImportDefinitionInput = {},
  pieceBytes?: number,
): Promise<Read> {
  return readFrom(textSource(text, pieceBytes), definition);
}
