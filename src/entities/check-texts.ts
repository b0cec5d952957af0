/** Checks the configured lengths of an entity's own texts, which may be below those of the schema. Characters are code points. */
import { charsOf } from '../configuration/clean-text.ts';
import { AppError, type FieldError } from '../errors.ts';

export interface TextLimits {
  readonly ENTITY_NUMBER_CHARS_MAX: number;
  readonly ENTITY_NAME_CHARS_MAX: number;
}

/** Throws `validation_failed` with a pointer for each text that is too long. */
export function checkTexts(
  given: { name?: string | undefined; number?: string | null | undefined },
  limits: TextLimits,
): void {
  const found: FieldError[] = [];
  const check = (field: 'name' | 'number', charsMax: number) => {
    const length = charsOf(given[field] ?? '', charsMax);
    if (length <= charsMax) return;
    const message = `At most ${charsMax} characters; these are ${length}.`;
    found.push({ pointer: `/${field}`, code: 'too_big', message });
  };
  check('name', limits.ENTITY_NAME_CHARS_MAX);
  check('number', limits.ENTITY_NUMBER_CHARS_MAX);
  const [first] = found;
  if (first === undefined) return;
  throw new AppError('validation_failed', {
    detail: `The request is not valid. ${first.pointer}: ${first.message}`,
    errors: found,
  });
}
