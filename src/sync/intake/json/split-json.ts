/**
 * Cuts `{ "entities": [ e1, e2, … ] }` into the raw bytes of its elements as the pieces of the body arrive, holding no
 * more than one element. When `end` returns, the whole text was valid JSON, as strict as JSON.parse.
 */

import { isText, isWhiteSpace } from '../../../json/json-bytes.ts';
import { JsonFault, unexpected } from '../../../json/json-fault.ts';
import { JsonValueScanner } from '../../../json/json-value-scanner.ts';
import { TextPosition } from '../../../json/text-position.ts';
import { Utf8Check } from '../../../json/utf8-check.ts';
import { Carry } from './carry.ts';
import { readGuids } from './element-guids.ts';
import { EnvelopeError, InvalidJsonError, LimitError } from './intake-errors.ts';
import { emptyElement, type RawElement, type SplitLimits } from './raw-element.ts';

/** The size of a name or a value beside `entities`. All of them are skipped, and none has a reason to be large. */
const memberBytesMax = 1024 * 1024;

const byteOrderMark = [0xef, 0xbb, 0xbf];

/** The expected next token or, while a value is being scanned, the kind of that value. */
type Place =
  | 'byteOrderMark'
  | 'document'
  | 'firstName'
  | 'name'
  | 'colon'
  | 'member'
  | 'afterMember'
  | 'firstElement'
  | 'element'
  | 'afterElement'
  | 'end';

export interface JsonSplitterOptions {
  /** See RawElement: what it is given is valid only during the call. */
  onElement: (element: RawElement) => void;
  limits: SplitLimits;
}

/**
 * Feed with `push`, finish with `end`. Both throw InvalidJsonError or LimitError where the text breaks a rule, and `end`
 * throws EnvelopeError when the text is JSON of another shape; elements handed on until then are void. Spent after that.
 */
export class JsonSplitter {
  readonly #onElement: (element: RawElement) => void;
  readonly #limits: SplitLimits;
  readonly #scanner = new JsonValueScanner();
  readonly #carry = new Carry();
  readonly #element = emptyElement();
  readonly #position = new TextPosition();
  readonly #utf8 = new Utf8Check();
  #place: Place = 'byteOrderMark';
  /** The scanner is inside the name, member, element or (wrongly shaped) document that `#place` speaks of. */
  #scanning = false;
  #byteOrderMarkSeen = 0;
  #elements = 0;
  #valueBytes = 0;
  #memberIsEntities = false;
  #entitiesSeen = false;
  /** Kept until the end: a text that is not JSON at all is to be told so, whatever its shape seemed to be. */
  #envelopeError: EnvelopeError | undefined;

  constructor(options: JsonSplitterOptions) {
    this.#onElement = options.onElement;
    this.#limits = options.limits;
  }

  /** Elements handed on so far. */
  get elements(): number {
    return this.#elements;
  }

  push(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const broken = this.#utf8.push(bytes);
    try {
      this.#read(bytes, broken === -1 ? bytes.length : broken);
    } catch (error) {
      throw error instanceof JsonFault ? this.#placed(bytes, error) : error;
    }
    if (broken !== -1)
      throw this.#invalid('The text is not valid UTF-8', bytes, broken, this.#utf8.insideSequence);
    this.#position.advance(bytes);
  }

  end(): void {
    const nothing = Buffer.alloc(0);
    if (this.#utf8.insideSequence) throw this.#invalid('The text is not valid UTF-8', nothing, 0, true);
    if (this.#scanning && this.#place === 'document' && this.#scanner.finishNumber()) this.#place = 'end';
    if (this.#place !== 'end') {
      throw this.#invalid(`Unexpected end of the document ${this.#unfinished()}`, nothing, 0, false);
    }
    if (this.#envelopeError !== undefined) throw this.#envelopeError;
    if (!this.#entitiesSeen) throw new EnvelopeError('The array "entities" is missing', '/entities');
  }

  #read(bytes: Buffer, to: number): void {
    let i = 0;
    while (i < to) {
      if (this.#scanning) {
        i = this.#scan(bytes, i, to);
      } else {
        const byte = bytes[i] as number;
        if (isWhiteSpace(byte) && this.#place !== 'byteOrderMark') i++;
        else i += this.#step(i, byte);
      }
    }
  }

  /** Takes one byte between values. 0 when it is to be seen again, by the scanner or in another place. */
  #step(at: number, byte: number): 0 | 1 {
    switch (this.#place) {
      case 'byteOrderMark':
        return this.#stepByteOrderMark(byte);
      case 'document':
        if (byte !== 0x7b) {
          this.#envelopeError = new EnvelopeError(
            'The document must be an object with an array "entities"',
            '',
          );
          return this.#beginValue('document');
        }
        this.#place = 'firstName';
        return 1;
      case 'firstName':
      case 'name':
        if (byte === 0x22) return this.#beginValue('name');
        if (this.#place === 'name') throw unexpected(at, byte, 'a member name in double quotes');
        if (byte !== 0x7d) throw unexpected(at, byte, 'a member name in double quotes or "}"');
        this.#place = 'end';
        return 1;
      case 'colon':
        if (byte !== 0x3a) throw unexpected(at, byte, '":" after the member name');
        this.#place = 'member';
        return 1;
      case 'member':
        return this.#stepMember(byte);
      case 'afterMember':
        if (byte === 0x2c) this.#place = 'name';
        else if (byte === 0x7d) this.#place = 'end';
        else throw unexpected(at, byte, '"," or "}"');
        return 1;
      case 'firstElement':
        if (byte !== 0x5d) return this.#beginElement();
        this.#place = 'afterMember';
        return 1;
      case 'element':
        return this.#beginElement();
      case 'afterElement':
        if (byte === 0x2c) this.#place = 'element';
        else if (byte === 0x5d) this.#place = 'afterMember';
        else throw unexpected(at, byte, '"," or "]"');
        return 1;
      case 'end':
        throw unexpected(at, byte, 'nothing after the end of the document');
    }
  }

  #stepByteOrderMark(byte: number): 0 | 1 {
    if (byte === byteOrderMark[this.#byteOrderMarkSeen]) {
      this.#byteOrderMarkSeen++;
      if (this.#byteOrderMarkSeen === byteOrderMark.length) {
        this.#position.forgetByteOrderMark();
        this.#place = 'document';
      }
      return 1;
    }
    // A mark broken off needs no word of its own: the byte that breaks it cannot begin a document either.
    this.#place = 'document';
    return 0;
  }

  #stepMember(byte: number): 0 | 1 {
    if (this.#memberIsEntities) {
      const isFirst = !this.#entitiesSeen;
      this.#entitiesSeen = true;
      if (isFirst && byte === 0x5b) {
        this.#place = 'firstElement';
        return 1;
      }
      const wrong = isFirst ? '"entities" must be an array' : 'The member "entities" is there more than once';
      this.#envelopeError ??= new EnvelopeError(wrong, '/entities');
    }
    return this.#beginValue('member');
  }

  #beginElement(): 0 {
    const { elementsMax } = this.#limits;
    if (this.#elements >= elementsMax) {
      throw new LimitError(`More than ${elementsMax} elements in "entities"`, 'elementsMax');
    }
    return this.#beginValue('element');
  }

  #beginValue(place: Place): 0 {
    this.#place = place;
    this.#scanning = true;
    this.#valueBytes = 0;
    this.#scanner.begin();
    return 0;
  }

  #scan(bytes: Buffer, from: number, to: number): number {
    const scanner = this.#scanner;
    const end = scanner.scan(bytes, from, to);
    this.#checkSize(end - from);
    const kept = this.#place === 'element' || this.#place === 'name';
    const carry = this.#carry;
    if (!scanner.done) {
      if (kept) carry.append(bytes, from, end);
      return end;
    }
    this.#scanning = false;
    if (carry.length > 0) {
      carry.append(bytes, from, end);
      this.#finishValue(carry.bytes, 0, carry.length);
      carry.clear();
    } else {
      this.#finishValue(bytes, from, end);
    }
    return end;
  }

  /** Nothing is kept of a document of the wrong shape, so its values may have any size; it ends in an EnvelopeError. */
  #checkSize(more: number): void {
    this.#valueBytes += more;
    const { elementBytesMax } = this.#limits;
    if (this.#place === 'element') {
      if (this.#valueBytes <= elementBytesMax) return;
      const message = `Element ${this.#elements} is larger than ${elementBytesMax} bytes`;
      throw new LimitError(message, 'elementBytesMax');
    }
    if (this.#valueBytes <= memberBytesMax || this.#envelopeError !== undefined) return;
    const message = `A member beside "entities" is larger than ${memberBytesMax} bytes`;
    throw new LimitError(message, 'memberBytesMax');
  }

  #finishValue(source: Buffer, start: number, end: number): void {
    switch (this.#place) {
      case 'name':
        this.#memberIsEntities = isEntitiesName(source, start, end);
        this.#place = 'colon';
        return;
      case 'member':
        this.#place = 'afterMember';
        return;
      case 'element': {
        const element = this.#element;
        element.source = source;
        element.start = start;
        element.end = end;
        element.ordinal = this.#elements;
        readGuids(element, this.#scanner);
        this.#elements++;
        this.#place = 'afterElement';
        this.#onElement(element);
        return;
      }
      default:
        this.#place = 'end';
    }
  }

  #placed(bytes: Buffer, fault: JsonFault): Error {
    const isContinuation = ((bytes[fault.at] as number) & 0xc0) === 0x80;
    const error = this.#invalid(fault.message, bytes, fault.at, isContinuation);
    if (!fault.tooDeep) return error;
    return new LimitError(`${fault.message} at line ${error.line}, column ${error.column}`, 'nestingMax');
  }

  #invalid(message: string, bytes: Buffer, at: number, insideCharacter: boolean): InvalidJsonError {
    const { line, column } = this.#position.locate(bytes, at, insideCharacter);
    return new InvalidJsonError(message, line, column);
  }

  #unfinished(): string {
    if (this.#scanning) return this.#scanner.place;
    switch (this.#place) {
      case 'byteOrderMark':
      case 'document':
        return 'where a value was expected';
      case 'firstElement':
      case 'element':
      case 'afterElement':
        return 'inside "entities"';
      default:
        return 'inside the outermost object';
    }
  }
}

/** With its quotes. A name may be written in escapes, so one with a backslash has to be decoded first. */
function isEntitiesName(bytes: Buffer, start: number, end: number): boolean {
  const plain = '"entities"';
  if (!bytes.subarray(start, end).includes(0x5c)) {
    return end - start === plain.length && isText(bytes, start, plain);
  }
  return JSON.parse(bytes.toString('utf8', start, end)) === 'entities';
}
