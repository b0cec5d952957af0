/** XML as it arrives, by names without their prefixes. Documents that are not well-formed are a fault with its line. */
import { SaxesParser } from 'saxes';
import { decoded } from '../csv/decode-text.ts';
import type { FileSource } from '../file-source.ts';
import { FileFault } from '../findings.ts';

export interface XmlHandler {
  /** `path` holds the names of the elements around and, last, this one's. */
  open?(
    name: string,
    attributes: Readonly<Record<string, string>>,
    path: readonly string[],
    line: number,
  ): void;
  /** With each piece of text, for readers that must keep its order among elements. */
  text?(text: string, path: readonly string[]): void;
  /** With the text that stood directly in the element. */
  close?(name: string, text: string, path: readonly string[], line: number): void;
}

const DEPTH_MAX = 1000;
const TEXT_CHARACTERS_MAX = 1_000_000;

export async function parseXml(source: FileSource, handler: XmlHandler): Promise<void> {
  const pieces = decoded(source.read(), await declaredEncoding(source));
  await parseXmlText(pieces, handler);
}

async function parseXmlText(pieces: AsyncIterable<string>, handler: XmlHandler): Promise<void> {
  const feed = xmlFeed(handler);
  for await (const piece of pieces) feed.write(piece);
  feed.end();
}

/** For whoever has the pieces at hand and must do something between two of them. */
export function xmlFeed(handler: XmlHandler): { write(piece: string): void; end(): void } {
  const parser = new SaxesParser();
  const path: string[] = [];
  const texts: string[] = [];
  parser.on('error', (error) => {
    throw new FileFault(
      'xml_invalid',
      `The XML is not well-formed: ${error.message.replace(/^\d+:\d+:\s*/, '')}`,
      {
        line: parser.line,
      },
    );
  });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(localName(name));
    texts.push('');
    if (path.length > DEPTH_MAX) {
      throw new FileFault('xml_too_deep', `More than ${DEPTH_MAX} elements stand in each other.`, {
        line: parser.line,
      });
    }
    handler.open?.(path.at(-1) as string, attributes, path, parser.line);
  });
  const onText = (text: string) => {
    const at = texts.length - 1;
    if (at < 0) return;
    handler.text?.(text, path);
    const whole = (texts[at] as string) + text;
    if (whole.length > TEXT_CHARACTERS_MAX) {
      throw new FileFault('xml_text_too_long', `A text has more than ${TEXT_CHARACTERS_MAX} characters.`, {
        line: parser.line,
      });
    }
    texts[at] = whole;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    handler.close?.(path.at(-1) as string, texts.pop() as string, path, parser.line);
    path.pop();
  });
  return { write: (piece) => void parser.write(piece), end: () => void parser.close() };
}

/** `n0:Part` is `Part`: which prefix a tool uses says nothing. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** By its mark, its declaration, or UTF-8 as the standard says. */
async function declaredEncoding(source: FileSource): Promise<string> {
  let start: Uint8Array = new Uint8Array();
  for await (const piece of source.read(0, Math.min(200, source.size))) {
    start = piece;
    break;
  }
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const text = new TextDecoder('latin1').decode(start);
  return (
    /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1] ?? 'utf-8'
  );
}
