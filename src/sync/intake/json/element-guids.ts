/** Reads an element's two GUIDs from where the scanner saw them, or from the parsed element when it could not tell. */

import type { JsonValueScanner } from '../../../json/json-value-scanner.ts';
import type { RawElement } from './raw-element.ts';

/** `scanner` has just finished the element whose bytes are set; its spans are offsets into `element.source`. */
export function readGuids(element: RawElement, scanner: JsonValueScanner): void {
  const { source } = element;
  if (scanner.spansUnknown) {
    const parsed: unknown = JSON.parse(source.toString('utf8', element.start, element.end));
    element.guid = stringMember(parsed, 'guid');
    element.parentGuid = stringMember(parsed, 'parentGuid');
    return;
  }
  element.guid =
    scanner.guidStart < 0 ? undefined : source.toString('utf8', scanner.guidStart, scanner.guidEnd);
  element.parentGuid =
    scanner.parentGuidStart < 0
      ? undefined
      : source.toString('utf8', scanner.parentGuidStart, scanner.parentGuidEnd);
}

function stringMember(parsed: unknown, name: string): string | undefined {
  if (typeof parsed !== 'object' || parsed === null || !Object.hasOwn(parsed, name)) return undefined;
  const member = (parsed as Record<string, unknown>)[name];
  return typeof member === 'string' ? member : undefined;
}
